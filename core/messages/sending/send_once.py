"""One effect per key: a send, the wait for its twin, or the earlier answer."""

import asyncio
from collections.abc import Awaitable, Callable

from core import idempotency
from core.foundation.caller import Caller
from core.foundation.clock import now
from core.messages.models import Channel
from core.messages.sending.draft import Draft, Held, Outcome, Record, Taken, UnderWay, Unsettled
from core.messages.sending.write_down import take
from core.messages.sends import count_refused_send, count_send

IN_FLIGHT_SECONDS = 10.0
POLL_SECONDS = 0.1
MOST_WAITERS = 16

_waiters = 0

HandOver = Callable[[Draft], Awaitable[Record]]
"""Asks the provider, outside any transaction, and settles: answers the unmasked record or raises the refusal."""

Again = Callable[[Caller, str], Awaitable[Record]]
"""The unmasked present state of an earlier message, as the answer to a repeated request."""


def key_use(caller: Caller, route: str, key: str, body: dict[str, object]) -> idempotency.KeyUse:
    """The caller's use of an Idempotency-Key on a route (`rcs.send`). Raises InvalidKey."""
    if not idempotency.is_key(key):
        raise idempotency.InvalidKey
    return idempotency.KeyUse(caller.organization_id, caller.env, route, key, idempotency.hash_of(body))


async def send_once(draft: Draft, *, hand_over: HandOver, again: Again) -> Taken:
    """Take a send in, have it handed over where that is still to be done, and count what became of it.

    The record is unmasked: masking it for the caller is the channel's.
    """
    channel, env = Channel(draft.message.channel), draft.caller.env
    try:
        taken = await _finished(draft, hand_over, again)
    except Exception as refusal:
        count_refused_send(channel, env, refusal)
        raise
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
    """Wait for another send with the same key; no connection and no transaction is held meanwhile."""
    global _waiters
    if _waiters >= MOST_WAITERS:
        raise idempotency.StillUnderWay
    _waiters += 1
    try:
        clock = asyncio.get_running_loop().time
        deadline = clock() + IN_FLIGHT_SECONDS
        while clock() < deadline:
            await asyncio.sleep(POLL_SECONDS)
            # As of now: the lease of the other one may have ended meanwhile.
            outcome: Outcome = await take(draft, at=now())
            if not isinstance(outcome, UnderWay):
                return outcome
        raise idempotency.StillUnderWay
    finally:
        _waiters -= 1
