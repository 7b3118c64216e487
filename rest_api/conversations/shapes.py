"""The conversational message of the interface."""

from typing import Literal

from pydantic import Field

from core.conversations.inputs import ConversationStatus
from rest_api.conversations.payload_shapes import MessagePayload
from rest_api.sms.shapes import Billing, MessageOrigin
from rest_api.support.shapes import Listed, Metadata, Out, Timestamp

ConversationChannel = Literal["whatsapp", "instagram"]
ConversationType = Literal["text", "template", "media", "interactive"]
MessagePriority = Literal["normal", "bulk", "critical"]


class MediaStorage(Out):
    """Our copy of the file in a message. `mimeType` was read from its bytes."""

    mime_type: str
    size: int
    stored_at: Timestamp


class LinkOrigin(Out):
    """The advertisement or link that a received message came from."""

    fonte: Literal["google", "meta", "tiktok", "outra"]
    fonte_rotulo: str | None = None
    campanha: str | None = None
    grupo: str | None = None
    anuncio: str | None = None
    palavra_chave: str | None = None
    codigo: str | None = None


class ConversationMessage(Out):
    """A message of a conversation. `to` is the person, also where that person wrote."""

    id: str
    organization_id: str
    channel: ConversationChannel
    number_id: str | None = None
    instagram_account_id: str | None = None
    media_storage: MediaStorage | None = None
    contact_id: str | None = None
    campaign_id: str | None = None
    metadata: Metadata | None = None
    quote_id: str | None = None
    template_id: str | None = None
    batch_id: str | None = None
    to: str
    type: ConversationType
    direction: Literal["outbound", "inbound"]
    priority: MessagePriority
    status: ConversationStatus
    force: bool = Field(description="It waited for no bucket and no quiet hours")
    reprocessed: bool | None = None
    replaced_by: str | None = None
    payload: MessagePayload
    template_vars: list[str] | None = None
    attempts: int
    last_error: str | None = Field(
        default=None,
        description="Of the last attempt; `cancelada` where it was called off. Received: why its "
        "file was given up",
    )
    original_error: str | None = Field(
        default=None, description="Of the first failure; never overwritten"
    )
    upstream_code: str | None = Field(
        default=None, description="The platform's code of the failure"
    )
    meta_message_id: str | None = None
    origem_do_link: LinkOrigin | None = None
    sent_by_account_id: str | None = None
    sent_by_name: str | None = None
    reply_to: str | None = None
    scheduled_at: Timestamp | None = None
    sent_at: Timestamp | None = None
    delivered_at: Timestamp | None = None
    read_at: Timestamp | None = None
    failed_at: Timestamp | None = None
    created_at: Timestamp
    updated_at: Timestamp
    origem: MessageOrigin | None = Field(
        default=None, description="Where it came from; absent of what came in"
    )


class SentMessage(ConversationMessage):
    """The answer to a send: `billing` is what is held until the message leaves."""

    billing: Billing
    replayed: bool


class MessagePage(Listed):
    """A page of messages, newest first. Deep readers send `nextCursor` back as `cursor`."""

    items: list[ConversationMessage]
    total: int
    next_cursor: str | None = None
