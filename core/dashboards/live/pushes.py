"""A dispatch on its way."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from core import push
from core.dashboards.live.stream import Record, stream
from core.dashboards.pushes import PUSH
from core.dashboards.reading import Asked, read_records
from core.foundation import pubsub
from core.foundation.security.caller import Caller


async def push_progress(
    caller: Caller, id: str, asked: Asked, *, cut_off: pubsub.OnCutOff
) -> AsyncIterator[Record]:
    """The dispatch, whenever it got further: devices accepted, failed and opened, its start and its
    end. Raises Forbidden and NotFound.
    """
    await push.get_push(caller, id)

    def wanted(notice: pubsub.ReceivedNotice) -> bool:
        return notice.topic == pubsub.Topic.PUSH and notice.id == id

    return stream(caller, wanted, partial(_read, caller, asked), cut_off=cut_off)


async def _read(caller: Caller, asked: Asked, ids: Sequence[str]) -> list[Record]:
    return [
        record
        for record in await read_records(caller, PUSH, list(ids), asked)
        if record is not None
    ]
