"""Accepting sends: one or a thousand messages are held for, written and queued in a transaction.

A message that waits has a row in `waiting_messages`, written and removed in the transactions that
move its status: that row is the right to act on it. Whoever deletes it (the dispatcher, a
cancellation, an opt-out, an early report) decides what becomes of the message; whoever finds it
gone leaves the message alone.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from core import decisions, media, wallet
from core.conversations.sending.by_quote import QuotedSends
from core.conversations.sending.prepare import PreparedSend, prepare
from core.conversations.sending.send_request import AcceptedMessage, ConversationRequest, Outcome
from core.foundation.database.log_flush import flush_log
from core.foundation.database.transactions import after_commit, transaction
from core.foundation.errors import ServiceError
from core.foundation.jobs import Job, wake
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller
from core.foundation.turns import in_parts, in_turns, is_beside_light_requests, let_go
from core.messaging import (
    Channel,
    Direction,
    Status,
    WrittenRow,
    announce_messages,
    count_refused_send,
    count_send,
    write_messages,
)
from core.messaging.queue.pacing import FORCED, URGENCY
from core.messaging.queue.rows import QueuedMessage, enqueue

WRITE_BATCH_SIZE = 100
"""Messages in one statement: while the driver turns them into parameters, nothing else goes on."""
SMALL_WRITE_SIZE = 50
"""Beside light requests."""


async def accept_messages(
    caller: Caller,
    requests: Sequence[ConversationRequest],
    *,
    at: datetime,
    once_each: bool = False,
) -> list[Outcome]:
    """Write down what may be sent, with its price held; for each request its record, or why it is
    refused.

    One refused request never touches its neighbours. Where the balance does not cover them all, the
    first ones go. `once_each`: nobody is sent two of them. It asks for no scope: the use case that
    calls it does.
    """
    prepared = await prepare(caller, requests, at=at, once_each=once_each)
    async with transaction():
        quoted = await QuotedSends.of(caller, prepared, at=at)
        usable = await _with_files(caller, quoted.priced(prepared))
        affordable = await _hold(caller, usable, at=at)
        rows = await _write(
            caller, [one for one in affordable if isinstance(one, PreparedSend)], at=at
        )
        await quoted.use_up(affordable)
    outcomes: list[Outcome] = []
    taken: list[Channel] = []
    async for request, one in in_turns(zip(requests, affordable, strict=True)):
        if isinstance(one, PreparedSend):
            outcomes.append(AcceptedMessage(request.id, one.coins, rows.pop(request.id)))
            taken.append(request.channel)
        else:
            outcomes.append(one)
            count_refused_send(request.channel, caller.env, one)
    await after_commit(partial(_count, taken, caller.env))
    await let_go(prepared, usable, affordable)
    return outcomes


async def _with_files(
    caller: Caller, prepared: list[PreparedSend | ServiceError]
) -> list[PreparedSend | ServiceError]:
    """Refuse those whose file was let go meanwhile; the others keep theirs."""
    ids = {
        one.file.id for one in prepared if isinstance(one, PreparedSend) and one.file is not None
    }
    if not ids:
        return prepared
    gone = ids - await media.lock_files(caller, ids)
    return [
        media.MediaNotUsable(one.request.media_pointer)
        if isinstance(one, PreparedSend) and one.file is not None and one.file.id in gone
        else one
        for one in prepared
    ]


async def _count(taken: Sequence[Channel], env: str) -> None:
    for channel, sends in Counter(taken).items():
        count_send(channel, env, "queued", sends=sends)


async def _hold(
    caller: Caller, prepared: Sequence[PreparedSend | ServiceError], *, at: datetime
) -> list[PreparedSend | ServiceError]:
    """Hold the prices of all that the balance covers."""
    owner = (caller.organization_id, caller.env)
    if not any(isinstance(one, PreparedSend) and one.coins for one in prepared):
        return list(prepared)
    balance = (await wallet.lock_balances({owner})).get(owner)
    available = balance.available if balance else 0
    affordable: list[PreparedSend | ServiceError] = []
    transfers: list[wallet.Transfer] = []
    refused = False
    async for one in in_turns(prepared):
        if not isinstance(one, PreparedSend) or not one.coins:
            affordable.append(one)
        elif one.prepaid or one.coins <= available:
            available -= 0 if one.prepaid else one.coins
            transfers.append(_held(owner, one, caller.request_id))
            affordable.append(one)
        else:
            refused = True
            poor = wallet.InsufficientBalance(available=available, needed=one.coins)
            poor.looked_at = decisions.facts_of_rule(one.facts, Rule.PRICE)
            affordable.append(poor)
    booked: dict[wallet.Owner, wallet.Balance] = {}
    async for part in in_parts(transfers, WRITE_BATCH_SIZE, beside_light=WRITE_BATCH_SIZE):
        booked |= await wallet.book(part, at=at)
    if balance is not None:
        await wallet.warn(
            {owner: booked.get(owner, balance)}, refused={owner} if refused else (), at=at
        )
    return affordable


def _held(owner: wallet.Owner, one: PreparedSend, request_id: str | None) -> wallet.Transfer:
    """What is held for a message: from what may be spent, or from what is held for its quote."""
    held = wallet.hold(owner, one.request.id, one.coins, request_id, one.request.quote_id)
    return replace(held, source=wallet.Ledger.HELD) if one.prepaid else held


async def _write(
    caller: Caller, prepared: Sequence[PreparedSend], *, at: datetime
) -> dict[str, WrittenRow]:
    rows: dict[str, WrittenRow] = {}
    async for part in in_parts(prepared, WRITE_BATCH_SIZE, beside_light=SMALL_WRITE_SIZE):
        values = [_values(caller, one, at=at) async for one in in_turns(part)]
        await write_messages(COLUMNS, values)
        await enqueue([_waiting(caller, one, at=at) async for one in in_turns(part)])
        written = [WrittenRow(zip(COLUMNS, row, strict=True)) async for row in in_turns(values)]
        await announce_messages(written)
        rows.update((one.request.id, row) for one, row in zip(part, written, strict=True))
        if is_beside_light_requests():
            await flush_log()
    await media.keep_files(caller, {one.file.id for one in prepared if one.file is not None})
    if any(one.request.scheduled_at is None or one.request.scheduled_at <= at for one in prepared):
        await wake(Job.SEND_CONVERSATIONS)
    return rows


def _run_of(request: ConversationRequest) -> tuple[object, object]:
    journey = request.journey
    return (None, None) if journey is None else (journey.run, journey.step)


def _values(caller: Caller, one: PreparedSend, *, at: datetime) -> tuple[object, ...]:
    request = one.request
    return (
        caller.organization_id,
        caller.env,
        Direction.OUTBOUND,
        Status.QUEUED,
        0,
        at,
        at,
        caller.request_id,
        caller.account_id if caller.kind == "session" else None,
        request.id,
        request.channel,
        one.recipient,
        one.provider,
        one.coins,
        one.contact_id,
        request.campaign_id,
        one.content,
        request.number_id,
        request.instagram_account_id,
        request.template_id,
        request.batch_id,
        request.type,
        request.priority,
        request.force,
        request.reprocessed,
        list(request.template_vars) if request.template_id is not None else None,
        request.original_error,
        request.scheduled_at,
        request.reply_to,
        request.metadata,
        media.stored_copy(one.file) if one.file is not None else None,
        one.facts,
        request.quote_id,
        *_run_of(request),
    )


def _waiting(caller: Caller, one: PreparedSend, *, at: datetime) -> QueuedMessage:
    request = one.request
    return QueuedMessage(
        message_id=request.id,
        organization_id=caller.organization_id,
        env=caller.env,
        sender_id=request.sender_id,
        identity=one.identity,
        urgency=FORCED if request.force else URGENCY[request.priority],
        force=request.force,
        is_marketing=one.is_marketing,
        due_at=max(at, request.scheduled_at or at),
        created_at=at,
    )


COLUMNS = (
    "organization_id",
    "env",
    "direction",
    "status",
    "attempts",
    "created_at",
    "updated_at",
    "request_id",
    "sent_by_account_id",
    "id",
    "channel",
    "recipient",
    "provider",
    "coins",
    "contact_id",
    "campaign_id",
    "content",
    "number_id",
    "instagram_account_id",
    "template_id",
    "batch_id",
    "type",
    "priority",
    "force",
    "reprocessed",
    "template_vars",
    "original_error",
    "scheduled_at",
    "in_reply_to",
    "metadata",
    "media",
    "decision_facts",
    "quote_id",
    "journey_run",
    "journey_step",
)
