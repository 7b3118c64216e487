"""Replies of recipients (MO): stored and charged once, published, listed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from core import contacts, messaging, organizations, smpp, wallet, webhooks
from core.foundation.absent import without_none
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import HasColumns, column
from core.foundation.database.transactions import transaction
from core.foundation.database.where import Where, end_of
from core.foundation.errors import NotFound
from core.foundation.ids import new_id
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Env, Scope
from core.foundation.settings import current
from core.foundation.validation.inputs import SINCE, UNTIL, Input, SkipPage, UtcTime
from core.messaging import Channel, Direction, Status, hours
from core.providers import sandbox
from core.providers.contracts import InboundReply
from core.sms.inputs import MAX_TEXT_LENGTH
from core.sms.record import SMS_REPLY, SmsReplyPage, SmsReplyRecord

KIND = "reply"


class ReplyFilter(SkipPage):
    """Which replies to list, newest first."""

    in_reply_to: str | None = Field(default=None, description="The SMS that was answered")
    from_: UtcTime | None = Field(default=None, alias="from", description=SINCE)
    to: UtcTime | None = Field(default=None, description=UNTIL)


class SandboxReply(Input):
    """A reply made up by the caller, to exercise its own handling."""

    in_reply_to: Annotated[str, StringConstraints(min_length=1, max_length=30)] = Field(
        description="The SMS of the sandbox that is answered"
    )
    body: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_LENGTH)] = Field(
        description="What the recipient writes"
    )


async def list_replies(caller: Caller, filter: ReplyFilter) -> WrittenPage[SmsReplyPage]:
    """A page of replies, newest first."""
    caller.require(Scope.SMS_READ)
    where = Where.visible_to(caller)
    where.narrow("channel = 'sms' AND direction = 'inbound'")
    kept = Where([*where.values], list(where.conditions))
    if filter.in_reply_to is not None:
        where.narrow("in_reply_to = {}", filter.in_reply_to)
    where.narrow_period("created_at", filter.from_, filter.to)
    total = _total(where, kept, filter)
    return await newest_records(
        caller, SMS_REPLY, "messages", where, filter, select=SELECT, total=total
    )


def _total(where: Where, kept: Where, filter: ReplyFilter) -> str | None:
    """From the counts that are `kept`, which know their period alone; None where the messages must
    be counted.
    """
    if filter.in_reply_to is not None:
        return None
    if filter.from_ is None and filter.to is None:
        return f"SELECT coalesce(sum(delta), 0)::bigint FROM message_counts WHERE {kept}"
    return hours.count_between(where, kept, [Channel.SMS], filter.from_, end_of(filter.to))


async def get_reply(caller: Caller, id: str) -> SmsReplyRecord:
    """One reply of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.SMS_READ)
    row = await db.fetchrow(
        "SELECT * FROM messages WHERE organization_id = $1 AND env = $2 AND id = $3 "
        "AND channel = 'sms' AND direction = 'inbound'",
        caller.organization_id,
        caller.env,
        id,
    )
    if row is None:
        raise NotFound
    return SMS_REPLY.make_for(caller, row)


async def reply_in_sandbox(caller: Caller, new: SandboxReply) -> SmsReplyRecord:
    """Let the recipient of a sandbox SMS answer: stored, charged and published as a real reply.

    Raises NotFound for a live key and for a message that is not one of the caller's.
    """
    caller.require(Scope.SMS_SEND)
    if caller.env != "test":
        raise NotFound
    at = now()
    async with transaction():
        original = await db.fetchrow(
            "SELECT * FROM messages WHERE organization_id = $1 AND env = $2 AND id = $3 "
            "AND channel = 'sms' AND direction = 'outbound'",
            caller.organization_id,
            caller.env,
            new.in_reply_to,
        )
        if original is None:
            raise NotFound
        reply = InboundReply(
            new_id("sbx"), original["id"], None, original["recipient"], new.body, at
        )
        context = await _reply_context(
            caller.organization_id, "test", [reply], request_id=caller.request_id
        )
        stored = await _store(context, sandbox.PROVIDER, [(reply, original)], at=at)
    return SMS_REPLY.make_for(caller, stored[0])


async def receive_replies(
    organization_id: str, provider: str, replies: Sequence[InboundReply], *, at: datetime
) -> None:
    """Store, charge and publish replies of a live provider, each once; park those whose message is
    unknown.
    """
    async with transaction():
        unknown = await apply_replies(organization_id, provider, replies, at=at)
        bodies = [reply_to_json(replies[place]) for place in sorted(unknown)]
        await messaging.keep_unmatched(organization_id, "live", provider, KIND, bodies, at=at)


async def apply_replies(
    organization_id: str, provider: str, replies: Sequence[InboundReply], *, at: datetime
) -> set[int]:
    """Store the replies whose message is known. Answers the places of the others."""
    context = await _reply_context(organization_id, "live", replies)
    rows = await messaging.lock_matching(
        organization_id,
        "live",
        Channel.SMS,
        provider,
        [(reply.message_id, reply.reference) for reply in replies],
    )
    known = [(reply, row) for reply, row in zip(replies, rows, strict=True) if row is not None]
    await _store(context, provider, known, at=at)
    return {place for place, row in enumerate(rows) if row is None}


def reply_to_json(reply: InboundReply) -> dict[str, object]:
    """A reply as JSON."""
    return {**asdict(reply), "received_at": reply.received_at.isoformat()}


def reply_from_json(body: dict[str, Any]) -> InboundReply:
    """The reply again."""
    return InboundReply(**{**body, "received_at": datetime.fromisoformat(body["received_at"])})


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """Who stores the replies of an organization, and what the texts among them ask for by being one
    of its words.
    """

    caller: Caller
    keywords_said: Mapping[str, contacts.OptOutKeyword]


async def _reply_context(
    organization_id: str,
    env: Env,
    replies: Sequence[InboundReply],
    *,
    request_id: str | None = None,
) -> ReplyContext:
    """Read the organization's words before anything is locked: who leaves is held apart from
    contacts in the making.
    """
    caller = await organizations.service_caller(organization_id, env, request_id=request_id)
    keywords = await contacts.stored_keywords(caller)
    keywords_said = {
        reply.provider_id: keyword for reply in replies if (keyword := keywords.find(reply.body))
    }
    if keywords_said:
        await contacts.lock_opt_outs(caller, opting_out=True)
    return ReplyContext(caller, keywords_said)


async def _apply_opt_out_words(
    context: ReplyContext, stored: Sequence[db.Row], *, at: datetime
) -> None:
    """Close and open the channel for those who asked for it. Of the phone that wrote: which message
    is answered, the provider alone knows.
    """
    heard = [
        contacts.KeywordReply(
            contacts.phone_identity(context.caller, row["recipient"]),
            Channel.SMS,
            keyword,
            row["delivered_at"],
        )
        for row in stored
        if (keyword := context.keywords_said.get(row["provider_reference"]))
    ]
    await contacts.apply_keyword_replies(context.caller, heard, at=at)


async def _store(
    context: ReplyContext,
    provider: str,
    replies: Sequence[tuple[InboundReply, db.Row]],
    *,
    at: datetime,
) -> list[db.Row]:
    """Insert those that are new, charge, publish and apply the opt-out words of only these, and
    note that their contacts wrote.
    """
    owner = (context.caller.organization_id, context.caller.env)
    once = {reply.provider_id: (reply, row) for reply, row in replies}
    stored = await _insert(owner, provider, list(once.values()), at=at)
    await messaging.announce_messages(stored)
    await _charge(owner, column(stored, "id"), at=at)
    await _publish(owner, stored, {row["id"]: row["metadata"] for _, row in once.values()}, at=at)
    await _tell_accounts(stored, {row["id"]: row for _, row in once.values()}, at=at)
    await _apply_opt_out_words(context, stored, at=at)
    return list(stored)


async def _tell_accounts(
    stored: Sequence[db.Row], originals: Mapping[str, db.Row], *, at: datetime
) -> None:
    """Those of SMPP whose messages were answered."""
    by_time = sorted(stored, key=lambda row: row["delivered_at"])
    answered = [(row, originals[row["in_reply_to"]]) for row in by_time]
    await smpp.keep_replies(
        [
            smpp.ReplyToSmpp(
                row["organization_id"],
                row["env"],
                row["id"],
                original["smpp_account_id"],
                row["recipient"].removeprefix("+")[:20],
                original["sender_id"] or "",
                at,
            )
            for row, original in answered
            if original["smpp_account_id"] is not None
        ]
    )


async def _insert(
    owner: wallet.Owner,
    provider: str,
    replies: Sequence[tuple[InboundReply, HasColumns]],
    *,
    at: datetime,
) -> Sequence[db.Row]:
    written = [contacts.Interaction(reply.sender, reply.received_at) for reply, _ in replies]
    writers = await contacts.record_interactions(*owner, written, at=at)
    values = [
        (
            *owner,
            Channel.SMS,
            Direction.INBOUND,
            Status.DELIVERED,
            provider,
            0,
            at,
            at,
            new_id("msg"),
            reply.provider_id,
            row["id"],
            row["route"],
            reply.sender,
            {"text": reply.body},
            reply.received_at,
            row["contact_id"] or writers.get(reply.sender),
            row["campaign_id"],
        )
        for reply, row in replies
    ]
    return await messaging.store_messages(COLUMNS, values, once=True)


async def _publish(
    owner: wallet.Owner, stored: Sequence[db.Row], sent_with: Mapping[str, Any], *, at: datetime
) -> None:
    """sms.received, with the metadata that each answered message was sent with."""
    await webhooks.publish_many(
        [
            webhooks.NewEvent(
                *owner, "sms.received", reply_event(row, sent_with[row["in_reply_to"]]), at
            )
            for row in stored
        ],
        at=at,
    )


async def _charge(owner: wallet.Owner, ids: Sequence[str], *, at: datetime) -> None:
    """An inbound message cannot be refused: what the wallet does not cover is owed."""
    if not ids or not current().charges:
        return
    price = await wallet.reply_price(owner[0])
    balances = await wallet.lock_balances({owner})
    if owner not in balances:
        return
    available = balances[owner].available
    transfers = []
    for id in ids:
        paid = min(price, available)
        available -= paid
        transfers += wallet.charge_for_reply(owner, id, paid=paid, owed=price - paid)
    await wallet.warn(await wallet.book(transfers, at=at), at=at)


def reply_event(row: db.Row, metadata: dict[str, Any] | None) -> dict[str, Any]:
    """The `data` of sms.received, unmasked; `metadata` is what the message that was answered was
    sent with.
    """
    reply = SMS_REPLY.make(row, unmasked=True)
    record = {name: value for name, value in reply.items() if name != "createdAt"}
    more = {"metadata": metadata, "contactId": row["contact_id"], "campaignId": row["campaign_id"]}
    return record | without_none(more)


SELECT = f"SELECT {SMS_REPLY.columns} FROM messages"

COLUMNS = (
    "organization_id",
    "env",
    "channel",
    "direction",
    "status",
    "provider",
    "coins",
    "created_at",
    "updated_at",
    "id",
    "provider_reference",
    "in_reply_to",
    "route",
    "recipient",
    "content",
    "delivered_at",
    "contact_id",
    "campaign_id",
)
