"""Messages whose status changes."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from core.foundation import pubsub
from core.foundation.database import db
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller
from core.read_models.live.stream import stream
from core.read_models.messages import MESSAGE, readable_channels
from core.read_models.query_compiler import Arguments, Selection, read_records
from core.read_models.query_compiler.record_factory import SelectedRecord

Version = tuple[str, str]
"""The status of a message, and when it changed."""

REMEMBERED = 1_000
"""Messages of which a stream knows what it told last: notices of the same one come within moments
of each other.
"""


async def messages_changed(
    caller: Caller, filter: Arguments, selection: Selection, *, cut_off: pubsub.OnCutOff
) -> AsyncIterator[SelectedRecord]:
    """Every message that meets the filter, whenever its status changes, as it is when it is told:
    of changes that are read late, the last one, once.

    Raises Forbidden and ValidationFailed, now rather than with the first message.
    """
    MESSAGE.add_filter(Where([]), caller, filter)
    channels = set(readable_channels(caller))
    if filter.get("channel") is not None:
        channels &= set(filter["channel"])
    direction = filter.get("direction")
    selection.fields |= dict.fromkeys(("status", "updatedAt"))

    def wanted(notice: pubsub.ReceivedNotice) -> bool:
        facts = notice.facts
        return (
            notice.topic == pubsub.Topic.MESSAGE
            and facts.get("channel") in channels
            and direction in (None, facts.get("direction"))
        )

    return stream(caller, wanted, partial(_read, caller, filter, selection, {}), cut_off=cut_off)


async def _read(
    caller: Caller,
    filter: Arguments,
    selection: Selection,
    told: dict[str, Version],
    ids: Sequence[str],
) -> list[SelectedRecord]:
    matching = await _matching(caller, filter, ids)
    records = await read_records(caller, MESSAGE, matching, selection) if matching else []
    return [record for record in records if record is not None and _is_news(told, record)]


def _is_news(told: dict[str, Version], record: SelectedRecord) -> bool:
    """Whether the message has changed since it was told last. It need not have: the first of two
    notices that come late tells already what the second is about.
    """
    id, version = str(record["id"]), (str(record["status"]), str(record["updatedAt"]))
    before = told.pop(id, None)
    told[id] = version
    if len(told) > REMEMBERED:
        del told[next(iter(told))]
    return version != before


async def _matching(caller: Caller, filter: Arguments, ids: Sequence[str]) -> Sequence[str]:
    """Those of the ids whose messages meet the filter, in their order."""
    if all(value is None for value in filter.values()):
        return ids
    where = Where(
        [caller.organization_id, caller.env, ids],
        ["organization_id = $1 AND env = $2 AND id = ANY ($3)"],
    )
    MESSAGE.add_filter(where, caller, filter)
    rows = await db.fetch(f"SELECT id FROM messages {MESSAGE.alias} WHERE {where}", *where.values)
    found = {row["id"] for row in rows}
    return [id for id in ids if id in found]
