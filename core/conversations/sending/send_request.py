"""The command to send one message, and the result of accepting it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from core.conversations.models import ConversationType
from core.foundation.database.rows import HasColumns
from core.foundation.errors import ServiceError
from core.foundation.ids import new_id
from core.messaging import Channel, MessagePriority, SentByJourney


@dataclass(frozen=True, slots=True)
class ConversationRequest:
    """One message whose fields are sound in themselves; what they refer to is resolved when it is accepted.

    One of `number_id` and `instagram_account_id`; one of `to` (E.164, or an Instagram scoped id)
    and `contact_id`, or both. `payload` is the interface's object of the type; for a template it is
    empty, or holds the `media` of its header. `reply_to`: the id of a message of ours.
    `original_error`: of the message that this one stands in for. `quote_id`: the quote whose prices
    it pays at most. `journey`: the run that it is sent for, where it is one's.
    """

    number_id: str | None
    type: ConversationType
    payload: Mapping[str, Any]
    instagram_account_id: str | None = None
    to: str | None = None
    contact_id: str | None = None
    template_id: str | None = None
    template_vars: Sequence[str] = ()
    priority: MessagePriority = MessagePriority.NORMAL
    scheduled_at: datetime | None = None
    campaign_id: str | None = None
    metadata: Mapping[str, Any] | None = None
    reply_to: str | None = None
    force: bool = False
    batch_id: str | None = None
    reprocessed: bool | None = None
    original_error: str | None = None
    quote_id: str | None = None
    journey: SentByJourney | None = None
    id: str = field(default_factory=lambda: new_id("msg"))

    @property
    def sender_id(self) -> str:
        """The number or the Instagram account."""
        return self.number_id or self.instagram_account_id or ""

    @property
    def channel(self) -> Channel:
        """That of the sender."""
        return Channel.WHATSAPP if self.number_id is not None else Channel.INSTAGRAM

    @property
    def media_id(self) -> str | None:
        """The file of ours that the payload names: of a media message, or of the header of a
        template or of an interactive one.
        """
        if not self.payload:  # of most templates
            return None
        for place in (self.payload, self.payload.get("header") or {}):
            if isinstance(place, Mapping) and isinstance(named := place.get("media"), Mapping):
                id: str | None = named.get("id")
                return id
        return None

    @property
    def media_pointer(self) -> str:
        """Where a body names that file."""
        return "/payload/media/id" if "media" in self.payload else "/payload/header/media/id"

    @property
    def flow_id(self) -> str | None:
        """The form that the message opens."""
        id: str | None = self.payload.get("flowId") if self.payload.get("kind") == "flow" else None
        return id


@dataclass(frozen=True, slots=True)
class AcceptedMessage:
    """Written down as queued, with the coins that are held. `row`: its columns that were written."""

    id: str
    coins: int
    row: HasColumns


Outcome: TypeAlias = AcceptedMessage | ServiceError
