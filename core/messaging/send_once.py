"""The idempotent executor of a send: one effect per key, the first answer for its repeats."""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar, cast

from core import idempotency
from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.foundation.security.caller import Caller
from core.messaging.accept_outcomes import (
    AcceptedSend,
    AcceptOutcome,
    AwaitingProvider,
    InProgress,
    OutcomePending,
)
from core.messaging.models import Channel
from core.messaging.send_request import Record
from core.messaging.sends import count_refused_send, count_send


class KeyedSend(Protocol):
    """A send with a key, whatever its channel knows of it."""

    @property
    def caller(self) -> Caller: ...

    @property
    def at(self) -> datetime: ...


Send = TypeVar("Send", bound=KeyedSend)
Send_contra = TypeVar("Send_contra", bound=KeyedSend, contravariant=True)


Accept = Callable[[Sequence[Send]], Awaitable[Sequence[AcceptOutcome | Exception]]]
"""Accepts many sends: what became of each, in their order."""


class BatchedAccept(Protocol[Send_contra]):
    """Where sends are accepted, many at a time."""

    def submit(self, item: Send_contra) -> Coroutine[Any, Any, AcceptOutcome]: ...


class QuotableInput(Protocol):
    """What a caller sent, which may name a quote."""

    @property
    def quote_id(self) -> str | None: ...


class QuotableSend(KeyedSend, Protocol):
    """A send whose price may be that of a quote."""

    @property
    def new(self) -> QuotableInput: ...


Quotable = TypeVar("Quotable", bound=QuotableSend)


class BatchedAcceptance(Generic[Quotable]):
    """Accepts sends, many at a time: those that name a quote apart from the others, which wait for
    none. `concurrency`: batches under way, at 2 the halves of many callers.
    """

    def __init__(
        self, accept: Accept[Quotable], accept_quoted: Accept[Quotable], *, concurrency: int = 1
    ) -> None:
        self._plain: Combiner[Quotable, AcceptOutcome] = Combiner(
            accept, concurrency=concurrency, halves=concurrency > 1
        )
        self._quoted: Combiner[Quotable, AcceptOutcome] = Combiner(accept_quoted)

    def submit(self, item: Quotable) -> Coroutine[Any, Any, AcceptOutcome]:
        """What became of this one."""
        batches = self._plain if item.new.quote_id is None else self._quoted
        return batches.submit(item)


HandOver = Callable[[Send], Awaitable[Record]]
"""Asks the provider, outside any transaction, and settles: answers the unmasked record or raises
the refusal.
"""

Again = Callable[[Caller, str], Awaitable[Record]]
"""The unmasked present state of an earlier message, as the answer to a repeated request."""


async def send_once(
    channel: Channel,
    request: Send,
    *,
    acceptance: BatchedAccept[Send],
    again: Again,
    hand_over: HandOver[Send] | None = None,
) -> AcceptedSend:
    """Accept a send, have it handed over where that is still to be done, and count what became of
    it. It waits a while for another send with the same key; no connection is held meanwhile.
    `hand_over`: None for sends whose answer is known when they are accepted.

    The record is unmasked: masking it for the caller is the channel's.
    """
    try:
        accepted = await _finish(request, acceptance, hand_over, again)
    except Exception as refusal:
        count_refused_send(channel, request.caller.env, refusal)
        raise
    if accepted.replayed:
        idempotency.note_replay()
    count_send(
        channel, request.caller.env, "replayed" if accepted.replayed else accepted.record["status"]
    )
    return accepted


async def _finish(
    request: Send, acceptance: BatchedAccept[Send], hand_over: HandOver[Send] | None, again: Again
) -> AcceptedSend:
    outcome = await acceptance.submit(request)
    if isinstance(outcome, InProgress):
        outcome = await _wait_for_first(request, acceptance, outcome)
    match outcome:
        case AcceptedSend():
            return outcome
        case AwaitingProvider(allowance=allowance):
            assert hand_over is not None, "its answer is known when it is accepted"
            return AcceptedSend(await hand_over(request), allowance=allowance)
        case OutcomePending(message_id=message_id):
            return AcceptedSend(await again(request.caller, message_id), replayed=True)


async def _wait_for_first(
    request: Send, acceptance: BatchedAccept[Send], outcome: InProgress
) -> AcceptedSend | AwaitingProvider | OutcomePending:
    async def ask() -> AcceptedSend | AwaitingProvider | OutcomePending | None:
        nonlocal outcome
        if outcome.elsewhere:
            await idempotency.pause()
        # As of now: the lease of the other one may have ended meanwhile.
        again = await acceptance.submit(cast(Send, replace(cast(Any, request), at=now())))
        if isinstance(again, InProgress):
            outcome = again
            return None
        return again

    return await idempotency.wait_for_first(ask)
