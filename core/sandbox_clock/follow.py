"""Following the clock of a sandbox: a stream for one caller, the clock read anew when it is told."""

from collections.abc import AsyncIterator
from typing import Any

from core.foundation import pubsub
from core.foundation.records import keys_of
from core.foundation.security.caller import Caller
from core.sandbox_clock.record import ClockRecord
from core.sandbox_clock.set_clock import get_clock


async def follow_clock(
    caller: Caller, *, cut_off: pubsub.OnCutOff
) -> AsyncIterator[dict[str, Any]]:
    """The clock of the caller's sandbox whenever it was set, or has come further, every field of it.
    Raises Forbidden, and NotFound in production; the stream raises pubsub.NoticesLost.
    """
    await get_clock(caller)
    return _told(caller, cut_off)


async def _told(caller: Caller, cut_off: pubsub.OnCutOff) -> AsyncIterator[dict[str, Any]]:
    owner = (caller.organization_id, caller.env)
    async with pubsub.hub().listening(*owner, wanted=_is_of_clock, cut_off=cut_off) as listener:
        while True:
            await listener.burst()
            yield dict.fromkeys(keys_of(ClockRecord)) | await get_clock(caller)


def _is_of_clock(notice: pubsub.ReceivedNotice) -> bool:
    return notice.topic == pubsub.Topic.CLOCK
