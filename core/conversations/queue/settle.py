"""Settlement of hand-overs and pre-send failures: status, money, events, another try.

Only a message that is still `sending` is settled, under its row lock: whoever comes second changes
nothing. Locks are taken in one order everywhere: queue rows, messages, pairs, wallets.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core import wallet
from core.conversations.events import publish_moves
from core.conversations.queue.queued_messages import QueuedMessage, enqueue
from core.conversations.queue.retry_policy import next_try
from core.conversations.reasons import FailureReason, reason_of
from core.conversations.windows import PairState, is_open
from core.foundation.database import db
from core.foundation.database.transactions import after_commit, transaction
from core.foundation.observability.metrics import Counter
from core.foundation.settings import current
from core.messaging import Status, announce_messages, remember_references
from core.providers.platform import Acceptance, Rejection, TemporaryFailure

HANDED_OVER = Counter(
    "svc_conversations_handed_over_total",
    "Conversational messages by what became of handing them over: taken, declined, later or stopped.",
    ("channel", "env", "outcome"),
)
PAIR_PAUSE = timedelta(seconds=6)
"""How long a sender and a person rest after each message."""


@dataclass(frozen=True, slots=True)
class PreSendFailure:
    """Not handed over at all, for a reason of ours."""

    reason: FailureReason
    error: str
    code: str | None = None


Verdict = Acceptance | Rejection | TemporaryFailure | PreSendFailure
"""What became of handing a message over, or of not doing so."""

OUTCOMES: dict[type[Verdict], str] = {
    Acceptance: "taken",
    Rejection: "declined",
    TemporaryFailure: "later",
    PreSendFailure: "stopped",
}
"""The labels of the metric."""


@dataclass(frozen=True, slots=True)
class ConversationSettlement:
    """What became of one message. `queued`: the row that it was queued by."""

    queued: QueuedMessage
    verdict: Verdict
    at: datetime

    @property
    def message_id(self) -> str:
        return self.queued.message_id


@dataclass(frozen=True, slots=True)
class _NextState:
    status: Status
    reason: str | None = None
    error: str | None = None
    code: str | None = None
    reference: str | None = None
    due_at: datetime | None = None


async def settle(settlements: Sequence[ConversationSettlement]) -> list[Exception | None]:
    """Settle messages in one transaction, with their money and what is told of them."""
    if not settlements:
        return []
    at = max(settlement.at for settlement in settlements)
    by_id = {settlement.message_id: settlement for settlement in settlements}
    async with transaction():
        found = await db.fetch(LOCK, list(by_id))
        rows = {row["id"]: row for row in found if row["status"] == Status.SENDING}
        by_id |= _without_erased_people(by_id, found)
        ends = {id: _end(by_id[id].verdict, row, at=by_id[id].at) for id, row in rows.items()}
        pairs = await _note_pairs([by_id[id] for id in rows], ends)
        prices = await _pay(rows, ends, by_id, pairs, at=at)
        moved = await db.fetch(MOVE, *db.columns(_columns(ends, prices, by_id), 8))
        await enqueue(_retries(by_id, ends))
        await remember_references(_overtaken_references(by_id, rows))
        await publish_moves([row for row in moved if row["status"] != Status.QUEUED], at=at)
        await announce_messages(moved)
        await after_commit(lambda: _count([(row, by_id[row["id"]].verdict) for row in moved]))
    return [None] * len(settlements)


def _without_erased_people(
    by_id: Mapping[str, ConversationSettlement], found: Sequence[db.Row]
) -> dict[str, ConversationSettlement]:
    return {row["id"]: _without_the_person(by_id[row["id"]]) for row in found if is_erased(row)}


def _retries(
    by_id: Mapping[str, ConversationSettlement], ends: Mapping[str, _NextState]
) -> list[QueuedMessage]:
    """The queue rows of what is to be tried again."""
    due = [(id, end.due_at) for id, end in ends.items() if end.due_at is not None]
    return [replace(by_id[id].queued, due_at=due_at) for id, due_at in due]


def _overtaken_references(
    by_id: Mapping[str, ConversationSettlement], settled: Container[str]
) -> list[tuple[str, str]]:
    """The references of messages that a delivery report settled before the answer did."""
    return [
        (id, one.verdict.reference)
        for id, one in by_id.items()
        if id not in settled and isinstance(one.verdict, Acceptance) and one.verdict.reference
    ]


def is_erased(row: db.Row) -> bool:
    """Whether the person of an outbound message was erased since: nothing may be written back of
    it.
    """
    return bool(row["content"] == {})


def _without_the_person(settlement: ConversationSettlement) -> ConversationSettlement:
    """The platform's ids of messages, and its form of an address, hold the phone."""
    verdict = settlement.verdict
    return (
        replace(settlement, verdict=Acceptance(""))
        if isinstance(verdict, Acceptance)
        else settlement
    )


def _end(verdict: Verdict, row: db.Row, *, at: datetime) -> _NextState:
    match verdict:
        case Acceptance(reference=reference):
            return _NextState(Status.SENT, reference=reference or None)
        case PreSendFailure(reason=reason, error=error, code=code):
            return _NextState(Status.FAILED, reason, error, code)
        case Rejection(code=code, error=error):
            return _NextState(Status.FAILED, reason_of(code), error, code)
        case TemporaryFailure(code=code, error=error, retry_after=seconds):
            again = next_try(row["attempts"], at=at, retry_after=seconds)
            if again is None:
                return _NextState(Status.FAILED, reason_of(code), error, code)
            return _NextState(Status.QUEUED, None, error, code, due_at=again)


def _columns(
    ends: Mapping[str, _NextState],
    prices: Mapping[str, int],
    by_id: Mapping[str, ConversationSettlement],
) -> list[tuple[object, ...]]:
    return [
        (
            id,
            end.status,
            end.reason,
            end.error and end.error[:200],
            end.code and end.code[:20],
            end.reference,
            prices[id],
            by_id[id].at,
        )
        for id, end in ends.items()
    ]


async def _pay(
    rows: Mapping[str, db.Row],
    ends: Mapping[str, _NextState],
    by_id: Mapping[str, ConversationSettlement],
    pairs: Mapping[str, PairState],
    *,
    at: datetime,
) -> dict[str, int]:
    """Capture what left and release what will not, and what left for nothing: the person wrote in
    between. Answers the prices as they are now.
    """
    prices: dict[str, int] = {}
    transfers: list[wallet.Transfer] = []
    for id, row in rows.items():
        coins, status = row["coins"], ends[id].status
        pair = pairs.get(id)
        free = pair is not None and is_open(pair.last_inbound_at, at=by_id[id].at)
        prices[id] = 0 if status == Status.FAILED or (status == Status.SENT and free) else coins
        if coins and status != Status.QUEUED:
            book = wallet.capture if prices[id] else wallet.release
            transfers.append(
                book((row["organization_id"], row["env"]), id, coins, row["request_id"])
            )
    if transfers and current().charges:
        await wallet.lock_balances(
            {(transfer.organization_id, transfer.env) for transfer in transfers}
        )
        await wallet.warn(await wallet.book(transfers, at=at), at=at)
    return prices


async def _note_pairs(
    settlements: Sequence[ConversationSettlement], ends: Mapping[str, _NextState]
) -> dict[str, PairState]:
    """Remember how the platform writes an address, and let pairs rest that it found too busy;
    answer the pairs of the messages.
    """
    told = [
        (
            one.queued.organization_id,
            one.queued.env,
            one.queued.sender_id,
            one.queued.identity,
            one.verdict.address if isinstance(one.verdict, Acceptance) else None,
            ends[one.message_id].due_at
            if isinstance(one.verdict, TemporaryFailure) and one.verdict.pair
            else None,
        )
        for one in settlements
    ]
    changed = {key[:4]: key for key in told if key[4] is not None or key[5] is not None}
    if changed:
        # In one order, so that two writers do not wait for each other in a circle.
        await db.execute(NOTE, *db.columns([changed[key] for key in sorted(changed)], 6))
    keys = [(one.message_id, *key[:4]) for one, key in zip(settlements, told, strict=True)]
    rows = await db.fetch(PAIRS, *db.columns(keys, 5))
    return {row["id"]: PairState(row["last_inbound_at"], row["platform_address"]) for row in rows}


async def _count(moved: Sequence[tuple[db.Row, Verdict]]) -> None:
    for row, verdict in moved:
        HANDED_OVER.labels(row["channel"], row["env"], OUTCOMES[type(verdict)]).add()


LOCK = "SELECT * FROM messages WHERE id = ANY ($1) ORDER BY id FOR UPDATE"

MOVE = """
UPDATE messages m
SET status = e.status, reason = e.reason, coins = e.coins,
    last_error = CASE WHEN e.status = 'sent' THEN NULL ELSE e.error END,
    original_error = CASE WHEN e.status = 'sent' THEN m.original_error ELSE coalesce(m.original_error, e.error) END,
    upstream_code = CASE WHEN e.status = 'sent' THEN NULL ELSE e.code END,
    provider_reference = coalesce(e.reference, m.provider_reference),
    settle_at = NULL,
    sent_at = CASE WHEN e.status = 'sent' THEN e.at ELSE m.sent_at END,
    failed_at = CASE WHEN e.status = 'failed' THEN e.at ELSE m.failed_at END,
    updated_at = e.at
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::timestamptz[])
    AS e (id, status, reason, error, code, reference, coins, at)
WHERE m.id = e.id
RETURNING m.*
"""

NOTE = """
INSERT INTO conversation_pairs AS p
    (organization_id, env, sender_id, identity, platform_address, next_send_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::text[], $6::timestamptz[])
ON CONFLICT (organization_id, env, sender_id, identity) DO UPDATE
SET platform_address = coalesce(excluded.platform_address, p.platform_address),
    next_send_at = greatest(excluded.next_send_at, p.next_send_at)
"""

PAIRS = """
SELECT k.id, p.last_inbound_at, p.platform_address
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[])
    AS k (id, organization_id, env, sender_id, identity)
JOIN conversation_pairs p USING (organization_id, env, sender_id, identity)
"""
