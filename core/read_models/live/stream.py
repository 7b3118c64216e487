"""From notices to records."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from core.foundation import pubsub
from core.foundation.security.caller import Caller
from core.read_models.query_compiler.record_factory import SelectedRecord


async def stream(
    caller: Caller,
    wanted: Callable[[pubsub.ReceivedNotice], bool],
    read: Callable[[Sequence[str]], Awaitable[Sequence[SelectedRecord]]],
    *,
    cut_off: pubsub.OnCutOff,
    rest: float = 0,
) -> AsyncIterator[SelectedRecord]:
    """The records of the notices that are wanted, each burst of them by one read. Between two reads
    are at least `rest` seconds. Raises pubsub.NoticesLost.
    """
    owner = (caller.organization_id, caller.env)
    async with pubsub.hub().listening(*owner, wanted=wanted, cut_off=cut_off) as listener:
        while True:
            for record in await read([notice.id for notice in await listener.burst()]):
                yield record
            if rest:
                await asyncio.sleep(rest)
