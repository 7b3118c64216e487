"""The idempotent executor of a send: one effect per key, the first answer for its repeats."""

from collections.abc import Awaitable, Callable

from core import idempotency
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.messaging.accept import accept
from core.messaging.accept_outcomes import (
    AcceptedSend,
    AwaitingProvider,
    InProgress,
    OutcomePending,
)
from core.messaging.models import Channel
from core.messaging.send_request import Record, SendRequest
from core.messaging.sends import count_refused_send, count_send

HandOver = Callable[[SendRequest], Awaitable[Record]]
"""Asks the provider, outside any transaction, and settles: answers the unmasked record or raises
the refusal.
"""

Again = Callable[[Caller, str], Awaitable[Record]]
"""The unmasked present state of an earlier message, as the answer to a repeated request."""


async def send_once(request: SendRequest, *, hand_over: HandOver, again: Again) -> AcceptedSend:
    """Accept a send, have it handed over where that is still to be done, and count what became of
    it.

    The record is unmasked: masking it for the caller is the channel's.
    """
    channel, env = Channel(request.message.channel), request.caller.env
    try:
        accepted = await _finish(request, hand_over, again)
    except Exception as refusal:
        count_refused_send(channel, env, refusal)
        raise
    if accepted.replayed:
        idempotency.note_replay()
    count_send(channel, env, "replayed" if accepted.replayed else accepted.record["status"])
    return accepted


async def _finish(request: SendRequest, hand_over: HandOver, again: Again) -> AcceptedSend:
    outcome = await accept(request, at=request.message.created_at)
    if isinstance(outcome, InProgress):
        outcome = await _wait_for_first(request)
    match outcome:
        case AcceptedSend():
            return outcome
        case AwaitingProvider():
            return AcceptedSend(await hand_over(request))
        case OutcomePending(message_id=message_id):
            return AcceptedSend(await again(request.caller, message_id), replayed=True)


async def _wait_for_first(request: SendRequest) -> AcceptedSend | AwaitingProvider | OutcomePending:
    async def ask() -> AcceptedSend | AwaitingProvider | OutcomePending | None:
        await idempotency.pause()
        # As of now: the lease of the other one may have ended meanwhile.
        outcome = await accept(request, at=now())
        return None if isinstance(outcome, InProgress) else outcome

    return await idempotency.wait_for_first(ask)
