"""One effect per key: a send, the wait for its twin, or the earlier answer."""

from collections.abc import Awaitable, Callable

from core import idempotency
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.messages.models import Channel
from core.messages.sending.draft import Draft, Held, Record, Taken, UnderWay, Unsettled
from core.messages.sending.write_down import take
from core.messages.sends import count_refused_send, count_send

HandOver = Callable[[Draft], Awaitable[Record]]
"""Asks the provider, outside any transaction, and settles: answers the unmasked record or raises
the refusal.
"""

Again = Callable[[Caller, str], Awaitable[Record]]
"""The unmasked present state of an earlier message, as the answer to a repeated request."""


async def send_once(draft: Draft, *, hand_over: HandOver, again: Again) -> Taken:
    """Take a send in, have it handed over where that is still to be done, and count what became of
    it.

    The record is unmasked: masking it for the caller is the channel's.
    """
    channel, env = Channel(draft.message.channel), draft.caller.env
    try:
        taken = await _finished(draft, hand_over, again)
    except Exception as refusal:
        count_refused_send(channel, env, refusal)
        raise
    if taken.replayed:
        idempotency.note_replay()
    count_send(channel, env, "replayed" if taken.replayed else taken.record["status"])
    return taken


async def _finished(draft: Draft, hand_over: HandOver, again: Again) -> Taken:
    outcome = await take(draft, at=draft.message.created_at)
    if isinstance(outcome, UnderWay):
        outcome = await _after_the_other(draft)
    match outcome:
        case Taken():
            return outcome
        case Held():
            return Taken(await hand_over(draft))
        case Unsettled(message_id=message_id):
            return Taken(await again(draft.caller, message_id), replayed=True)


async def _after_the_other(draft: Draft) -> Taken | Held | Unsettled:
    async def ask() -> Taken | Held | Unsettled | None:
        await idempotency.pause()
        # As of now: the lease of the other one may have ended meanwhile.
        outcome = await take(draft, at=now())
        return None if isinstance(outcome, UnderWay) else outcome

    return await idempotency.after_the_twin(ask)
