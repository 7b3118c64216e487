"""Messages whose status changes."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from core.dashboards.live.stream import Record, TooSlow, stream
from core.dashboards.messages import MESSAGE, readable_channels
from core.dashboards.reading import Arguments, Asked, read_records
from core.foundation import db, live
from core.foundation.caller import Caller
from core.foundation.where import Where


async def messages_changed(
    caller: Caller, filter: Arguments, asked: Asked, *, too_slow: TooSlow
) -> AsyncIterator[Record]:
    """Every message that meets the filter, whenever its status changes, as it is when it is told.

    Raises Forbidden and ValidationFailed, now rather than with the first message.
    """
    MESSAGE.add_filter(Where([]), caller, filter)
    channels = set(readable_channels(caller))
    if filter.get("channel") is not None:
        channels &= set(filter["channel"])
    direction = filter.get("direction")

    def wanted(notice: live.Heard) -> bool:
        facts = notice.facts
        return (
            notice.topic == live.Topic.MESSAGE
            and facts.get("channel") in channels
            and direction in (None, facts.get("direction"))
        )

    return stream(caller, wanted, partial(_read, caller, filter, asked), too_slow=too_slow)


async def _read(caller: Caller, filter: Arguments, asked: Asked, ids: Sequence[str]) -> list[Record]:
    matching = await _matching(caller, filter, ids)
    records = await read_records(caller, MESSAGE, matching, asked) if matching else []
    return [record for record in records if record is not None]


async def _matching(caller: Caller, filter: Arguments, ids: Sequence[str]) -> Sequence[str]:
    """Those of the ids whose messages meet the filter, in their order."""
    if all(value is None for value in filter.values()):
        return ids
    where = Where([caller.organization_id, caller.env, ids], ["organization_id = $1 AND env = $2 AND id = ANY ($3)"])
    MESSAGE.add_filter(where, caller, filter)
    rows = await db.fetch(f"SELECT id FROM messages {MESSAGE.alias} WHERE {where}", *where.values)
    found = {row["id"] for row in rows}
    return [id for id in ids if id in found]
