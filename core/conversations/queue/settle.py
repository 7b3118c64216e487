"""How conversational messages are settled: status, price by the window, pairs, events, another try."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from core import messaging
from core.conversations.events import publish_moves
from core.conversations.queue.retry_policy import next_try
from core.conversations.reasons import FailureReason, reason_of
from core.conversations.windows import PairState, is_open
from core.foundation.database import db
from core.foundation.database.transactions import after_commit
from core.foundation.observability.metrics import Counter
from core.messaging import (
    Indeterminate,
    Money,
    NextState,
    Settlement,
    Status,
    StoredMessage,
    timeouts,
)
from core.messaging.queue.rows import QueuedMessage
from core.providers.platform import PlatformAcceptance, Rejection, TemporaryFailure

HANDED_OVER = Counter(
    "svc_conversations_handed_over_total",
    (
        "Conversational messages by what became of handing them over: taken, "
        "declined, later or stopped."
    ),
    ("channel", "env", "outcome"),
)
PAIR_PAUSE = timedelta(seconds=6)
"""How long a sender and a person rest after each message."""

NOTHING_HEARD = (
    "The platform was handed the message and never said what became of it; it may have arrived."
)


@dataclass(frozen=True, slots=True)
class PreSendFailure:
    """Not handed over at all, for a reason of ours."""

    reason: FailureReason
    error: str
    code: str | None = None


Verdict = PlatformAcceptance | Rejection | TemporaryFailure | PreSendFailure | Indeterminate
"""What became of handing a message over, or of not doing so."""

OUTCOMES: dict[type[Verdict], str] = {
    PlatformAcceptance: "taken",
    Rejection: "declined",
    TemporaryFailure: "later",
    PreSendFailure: "stopped",
}
"""The labels of the metric."""


def settlement_of(queued: QueuedMessage, verdict: Verdict, at: datetime) -> Settlement[Verdict]:
    """What became of a message that was queued by this row."""
    return Settlement(queued.message_id, verdict, at, queued)


def is_erased(row: StoredMessage) -> bool:
    """Whether the person of an outbound message was erased since: nothing may be written back of
    it.
    """
    return bool(row["content"] == {})


def _next_state(one: Settlement[Verdict], row: StoredMessage) -> NextState:
    match one.verdict:
        case PlatformAcceptance(reference=reference):
            # The platform's ids of messages hold the phone.
            known = None if is_erased(row) else reference or None
            return NextState(Status.SENT, money=Money.CAPTURE, reference=known)
        case PreSendFailure(reason=reason, error=error, code=code):
            return NextState(Status.FAILED, reason, Money.RELEASE, error=error, code=code)
        case Rejection(code=code, error=error):
            return _failed(code, error)
        case TemporaryFailure(code=code, error=error, retry_after=seconds):
            again = next_try(row["attempts"] or 0, at=one.at, retry_after=seconds)
            if again is None:
                return _failed(code, error)
            return NextState(Status.QUEUED, error=error, code=code, queue_at=again)
        case Indeterminate():
            return NextState(
                Status.FAILED,
                FailureReason.INDETERMINATE,
                settle_at=one.at + timeouts.HOLD_TTL,
                error=NOTHING_HEARD,
            )


def _failed(code: str | None, error: str | None) -> NextState:
    return NextState(Status.FAILED, reason_of(code), Money.RELEASE, error=error, code=code)


async def _prices(batch: messaging.Batch[Verdict]) -> dict[str, int]:
    """What left costs what is held; or nothing, where the person wrote in between. Pairs are locked
    before wallets.
    """
    pairs = await _note_pairs(batch)
    return {
        row["id"]: 0 if _is_free(row, batch, pairs.get(row["id"])) else row["coins"]
        for row in batch.captured
    }


def _is_free(row: StoredMessage, batch: messaging.Batch[Verdict], pair: PairState | None) -> bool:
    at = batch.settlements[row["id"]].at
    return pair is not None and is_open(pair.last_inbound_at, at=at)


async def _note_pairs(batch: messaging.Batch[Verdict]) -> dict[str, PairState]:
    """Remember how the platform writes an address, and let pairs rest that it found too busy;
    answer the pairs of the messages.
    """
    told = {
        id: (*_pair_of(one.queued), _address(one, batch.rows[id]), _rests_until(one, batch))
        for id, one in batch.settlements.items()
        if one.queued is not None
    }
    changed = {key[:4]: key for key in told.values() if key[4] is not None or key[5] is not None}
    await db.execute_for(changed, NOTE, *db.columns([changed[key] for key in sorted(changed)], 6))
    rows = await db.fetch_for(
        told, PAIRS, *db.columns([(id, *key[:4]) for id, key in told.items()], 5)
    )
    return {row["id"]: PairState(row["last_inbound_at"], row["platform_address"]) for row in rows}


def _pair_of(queued: QueuedMessage) -> tuple[str, str, str, bytes]:
    return queued.organization_id, queued.env, queued.sender_id, queued.identity


def _address(one: Settlement[Verdict], row: StoredMessage) -> str | None:
    """The platform's form of the address; it holds the phone."""
    if not isinstance(one.verdict, PlatformAcceptance) or is_erased(row):
        return None
    return one.verdict.address


def _rests_until(one: Settlement[Verdict], batch: messaging.Batch[Verdict]) -> datetime | None:
    too_busy = isinstance(one.verdict, TemporaryFailure) and one.verdict.pair
    return batch.states[one.message_id].queue_at if too_busy else None


async def _tell(rows: Sequence[StoredMessage], at: datetime) -> None:
    await publish_moves(rows, at=at)


async def settle(settlements: Sequence[Settlement[Verdict]]) -> list[messaging.Result]:
    """Settle messages in one transaction, with their money and what is told of them."""
    return await messaging.settle(POLICY, settlements)


async def _count(batch: messaging.Batch[Verdict]) -> None:
    await after_commit(partial(_add, batch.rows, batch.settlements))


async def _add(
    rows: Mapping[str, StoredMessage], settlements: Mapping[str, Settlement[Verdict]]
) -> None:
    for id, one in settlements.items():
        if (outcome := OUTCOMES.get(type(one.verdict))) is not None:
            HANDED_OVER.labels(rows[id]["channel"], rows[id]["env"], outcome).add()


POLICY: messaging.ChannelPolicy[Verdict] = messaging.ChannelPolicy(
    open=Status.SENDING, next_state=_next_state, tell=_tell, prices=_prices, count=_count
)

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
