"""A row of `messages` as a type: what statements answer that answer whole messages."""

from datetime import datetime
from typing import Any, TypedDict, cast
from uuid import UUID

from core.foundation.database import db
from core.foundation.security.caller import Env


class StoredMessage(TypedDict):
    """A message with all its columns, of any channel, in either direction."""

    id: str
    organization_id: str
    env: Env
    channel: str
    direction: str
    status: str
    reason: str | None
    route: str | None
    recipient: str
    region: str | None
    sender_id: str | None
    provider: str | None
    provider_reference: str | None
    provider_receipt: dict[str, Any] | None
    encoding: str | None
    length: int | None
    segments: int | None
    coins: int
    contact_id: str | None
    campaign_id: str | None
    content: dict[str, Any] | None
    fallback: dict[str, Any] | None
    path: str | None
    sender_address: str | None
    subject: str | None
    body_bytes: int | None
    number_id: str | None
    instagram_account_id: str | None
    template_id: str | None
    batch_id: str | None
    type: str | None
    priority: str | None
    force: bool | None
    reprocessed: bool | None
    replaced_by: str | None
    template_vars: list[str] | None
    attempts: int | None
    last_error: str | None
    original_error: str | None
    upstream_code: str | None
    link_origin: dict[str, Any] | None
    sent_by_account_id: str | None
    media: dict[str, Any] | None
    scheduled_at: datetime | None
    in_reply_to: str | None
    metadata: dict[str, Any] | None
    quote_id: str | None
    decision_facts: dict[str, Any] | None
    request_id: str | None
    created_at: datetime
    sent_at: datetime | None
    delivered_at: datetime | None
    read_at: datetime | None
    failed_at: datetime | None
    updated_at: datetime
    settle_at: datetime | None
    sealed_text: str | None
    smpp_account_id: str | None
    handed_over_at: datetime | None
    journey_run: UUID | None
    journey_step: int | None


class HeldMessage(TypedDict):
    """What the money of a message needs to know of it."""

    id: str
    organization_id: str
    env: Env
    coins: int
    request_id: str | None
    quote_id: str | None


async def fetch_messages(sql: str, *values: object) -> list[StoredMessage]:
    """The rows of a statement that answers whole messages."""
    return cast("list[StoredMessage]", await db.fetch(sql, *values))


async def fetch_message(sql: str, *values: object) -> StoredMessage | None:
    """The first of them, or None."""
    return cast("StoredMessage | None", await db.fetchrow(sql, *values))
