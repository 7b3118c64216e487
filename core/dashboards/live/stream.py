"""From notices to records."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from core.foundation import live
from core.foundation.caller import Caller

Record = dict[str, Any]
TooSlow = Callable[[], object]
"""Called when the reader falls too far behind; it is told nothing more then."""


async def stream(
    caller: Caller,
    wanted: Callable[[live.Heard], bool],
    read: Callable[[Sequence[str]], Awaitable[Sequence[Record]]],
    *,
    too_slow: TooSlow,
) -> AsyncIterator[Record]:
    """The records of the notices that are wanted, each burst of them by one read. Raises TooSlow."""
    owner = (caller.organization_id, caller.env)
    async with live.hub().listening(*owner, wanted=wanted, too_slow=too_slow) as listener:
        while True:
            for record in await read([notice.id for notice in await listener.burst()]):
                yield record
