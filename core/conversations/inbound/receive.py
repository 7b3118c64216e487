"""Receiving messages: each is stored once, with contact, window, opt-out and event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from core import contacts, messaging, webhooks
from core.conversations.addresses import identity_of
from core.conversations.inbound.events import received_event
from core.conversations.inbound.link_origin import link_origin
from core.conversations.windows import InboundSeen, note_inbound
from core.foundation.absent import without_none
from core.foundation.database import db
from core.foundation.database.rows import column, pairs_of
from core.foundation.database.transactions import after_commit
from core.foundation.ids import new_id
from core.foundation.jobs import Job, wake
from core.foundation.json_values import value_of
from core.foundation.observability.metrics import Counter
from core.foundation.security.caller import Caller
from core.foundation.validation.phones import MaskedValue, NotAPhone, parse_phone
from core.messaging import Channel, Direction, Status, StoredMessage
from core.numbers import InstagramAccount, Number
from core.providers.platform import InboundMessage

Sender: TypeAlias = Number | InstagramAccount

RECEIVED = Counter(
    "svc_messages_received_total",
    "Messages that people wrote to us, each once.",
    ("channel", "env"),
)


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message, and which of the caller's numbers or accounts it came to."""

    sender: Sender
    inbound: InboundMessage

    @property
    def channel(self) -> Channel:
        return Channel.WHATSAPP if isinstance(self.sender, Number) else Channel.INSTAGRAM


async def receive(
    caller: Caller, provider: str, received: Sequence[ReceivedMessage], *, at: datetime
) -> list[StoredMessage]:
    """Store messages that are new, in the caller's transaction, and answer their rows.

    Each creates or updates its contact, opens the window of its pair and is published. A reference
    that is stored already changes nothing at all: the platform tells everything at least once. Who
    said no stays unwritten to, and who says so now, by a word of the organization's, closes the
    channel.
    """
    keywords = await _keywords_said(caller, received)
    await contacts.lock_opt_outs(caller, opting_out=bool(keywords))
    identities = {one.inbound.reference: _identity(caller, one) for one in received}
    await db.execute(LOCK, caller.organization_id, caller.env, sorted(set(identities.values())))
    new = await _not_stored(caller, provider, received, at=at)
    if not new:
        return []
    contact_ids = await _note_writers(caller, new, at=at)
    await _open_windows(caller, new, identities, contact_ids)
    rows = await _insert(caller, provider, new, contact_ids, at=at)
    await messaging.announce_messages(rows)
    await webhooks.publish_many([received_event(row) for row in rows], at=at)
    if any(row["settle_at"] is not None for row in rows):
        await wake(Job.FETCH_RECEIVED_MEDIA)
    await _apply_opt_outs(caller, rows, identities, keywords, at=at)
    await after_commit(lambda: _count(rows))
    return rows


async def _keywords_said(
    caller: Caller, received: Sequence[ReceivedMessage]
) -> dict[str, contacts.OptOutKeyword]:
    """The opt-out and opt-in keywords that people wrote, by the platform's id of the message."""
    keywords = await contacts.stored_keywords(caller)
    found = {one.inbound.reference: keywords.find(_said(one.inbound)) for one in received}
    return without_none(found)


async def _not_stored(
    caller: Caller, provider: str, received: Sequence[ReceivedMessage], *, at: datetime
) -> list[ReceivedMessage]:
    """The messages that are new, each once."""
    references = [one.inbound.reference for one in received]
    rows = await db.fetch(STORED, caller.organization_id, caller.env, provider, references)
    known = set(column(rows, "provider_reference"))
    new = {
        one.inbound.reference: _in_time(one, at=at)
        for one in received
        if one.inbound.reference not in known
    }
    return list(new.values())


async def _open_windows(
    caller: Caller,
    new: Sequence[ReceivedMessage],
    identities: Mapping[str, bytes],
    contact_ids: Mapping[str, str],
) -> None:
    seen = [
        InboundSeen(
            caller.organization_id,
            caller.env,
            one.sender.id,
            identities[one.inbound.reference],
            one.inbound.at,
            contact_ids.get(one.inbound.sender),
            one.inbound.sender.removeprefix("+"),
        )
        for one in new
    ]
    await note_inbound(seen)


async def _apply_opt_outs(
    caller: Caller,
    rows: Sequence[StoredMessage],
    identities: Mapping[str, bytes],
    keywords: Mapping[str, contacts.OptOutKeyword],
    *,
    at: datetime,
) -> None:
    """Close or open the channel of those who wrote a keyword."""
    replies = [
        contacts.KeywordReply(
            identities[reference],
            row["channel"],
            keywords[reference],
            row["delivered_at"] or row["created_at"],
        )
        for row in rows
        if (reference := row["provider_reference"] or "") in keywords
    ]
    await contacts.apply_keyword_replies(caller, replies, at=at)


async def _count(rows: Sequence[StoredMessage]) -> None:
    for row in rows:
        RECEIVED.labels(row["channel"], row["env"]).add()


def _in_time(received_message: ReceivedMessage, *, at: datetime) -> ReceivedMessage:
    """The platform's clock may be ahead of ours; a window that opens in the future would stay open
    too long.
    """
    inbound = received_message.inbound
    return (
        received_message
        if inbound.at <= at
        else replace(received_message, inbound=replace(inbound, at=at))
    )


def _identity(caller: Caller, one: ReceivedMessage) -> bytes:
    return identity_of(
        one.channel, caller.organization_id, one.inbound.sender, unified=caller.unifies_ninth_digit
    )


async def _note_writers(
    caller: Caller, received: Sequence[ReceivedMessage], *, at: datetime
) -> Mapping[str, str]:
    """Create the contacts that are missing, note that all of them wrote, and answer contact ids by
    sender.

    An Instagram id is no phone, which is what a contact is known by: its sender stays without one.
    """
    owner = (caller.organization_id, caller.env)
    said = {
        sender: contacts.Interaction(phone, one.inbound.at, one.inbound.profile_name)
        for one in sorted(received, key=lambda one: one.inbound.at)
        if one.channel is Channel.WHATSAPP and (phone := _phone(sender := one.inbound.sender))
    }
    ids = dict(await contacts.record_interactions(*owner, list(said.values()), at=at))
    missing = {one.phone: one for one in said.values() if one.phone not in ids}
    if missing:
        fresh = {contacts.phone_identity(caller, phone): phone for phone in missing}
        news = [
            contacts.NewContact(phone=phone, source=contacts.Source.WEBHOOK)
            for phone in fresh.values()
        ]
        await contacts.register(caller, news, at=at, skip_clashes=True)
        ids |= await contacts.record_interactions(*owner, list(missing.values()), at=at)
    return {sender: ids[one.phone] for sender, one in said.items() if one.phone in ids}


def _phone(sender: str) -> str | None:
    """The sender as a phone; None for what only the platform takes for one."""
    try:
        return parse_phone(sender)
    except (NotAPhone, MaskedValue):
        return None


async def _insert(
    caller: Caller,
    provider: str,
    received: Sequence[ReceivedMessage],
    contact_ids: Mapping[str, str],
    *,
    at: datetime,
) -> list[StoredMessage]:
    answered = await db.fetch(
        ANSWERED,
        caller.organization_id,
        caller.env,
        provider,
        [one.inbound.reply_to for one in received if one.inbound.reply_to],
    )
    originals = pairs_of(answered, "provider_reference", "id")
    values = [_values(caller, provider, one, contact_ids, originals, at=at) for one in received]
    return list(await messaging.store_messages(COLUMNS, values, once=True))


def _values(
    caller: Caller,
    provider: str,
    received_message: ReceivedMessage,
    contact_ids: Mapping[str, str],
    originals: Mapping[str, str],
    *,
    at: datetime,
) -> tuple[object, ...]:
    sender, inbound = received_message.sender, received_message.inbound
    is_number = isinstance(sender, Number)
    return (
        caller.organization_id,
        caller.env,
        provider,
        caller.request_id,
        at,
        at,
        Direction.INBOUND,
        Status.DELIVERED,
        0,
        "normal",
        False,
        0,
        new_id("msg"),
        received_message.channel.value,
        inbound.reference,
        inbound.sender,
        sender.id if is_number else None,
        None if is_number else sender.id,
        inbound.type,
        inbound.payload,
        contact_ids.get(inbound.sender),
        link_origin(inbound.referral, _text(inbound)),
        originals.get(inbound.reply_to or ""),
        inbound.at,
        at if _has_file(inbound) else None,
    )


def _text(inbound: InboundMessage) -> str | None:
    text = inbound.payload.get("text") if inbound.type == "text" else None
    return text if isinstance(text, str) else None


WORDS = {"text": ("text",), "interactive": ("text", "title")}
"""Where the words of a message stand in its payload, by its type."""


def _said(inbound: InboundMessage) -> str | None:
    """The words of a text, or of the button or row that was tapped."""
    names = WORDS.get(inbound.type, ())
    return next(
        (said for name in names if isinstance(said := inbound.payload.get(name), str)), None
    )


def _has_file(inbound: InboundMessage) -> bool:
    return inbound.type == "media" and bool(value_of(inbound.payload.get("media"), "id"))


# One after the other for each person, whoever applies: the same word may come twice at once.
LOCK = """
SELECT pg_advisory_xact_lock(key) FROM (
    SELECT hashtextextended('inbound ' || $1 || $2 || encode(p.identity, 'hex'), 0) AS key
    FROM unnest($3::bytea[]) AS p (identity) ORDER BY 1) AS ordered
"""

STORED = """
SELECT provider_reference FROM messages
WHERE organization_id = $1 AND env = $2 AND provider = $3 AND provider_reference = ANY ($4) AND direction = 'inbound'
"""

ANSWERED = """
SELECT id, provider_reference FROM messages
WHERE provider = $3 AND provider_reference = ANY ($4) AND provider <> 'svc-sandbox'
  AND organization_id = $1 AND env = $2
"""

COLUMNS = (
    "organization_id",
    "env",
    "provider",
    "request_id",
    "created_at",
    "updated_at",
    "direction",
    "status",
    "coins",
    "priority",
    "force",
    "attempts",
    "id",
    "channel",
    "provider_reference",
    "recipient",
    "number_id",
    "instagram_account_id",
    "type",
    "content",
    "contact_id",
    "link_origin",
    "in_reply_to",
    "delivered_at",
    "settle_at",
)
