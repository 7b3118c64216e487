"""A dispatch on its way."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from core import push
from core.foundation import pubsub
from core.foundation.security.caller import Caller
from core.read_models.live.stream import stream
from core.read_models.pushes import PUSH
from core.read_models.query_compiler import Selection, read_records
from core.read_models.query_compiler.record_factory import SelectedRecord


async def push_progress(
    caller: Caller, id: str, selection: Selection, *, cut_off: pubsub.OnCutOff
) -> AsyncIterator[SelectedRecord]:
    """The dispatch, whenever it got further: devices accepted, failed and opened, its start and its
    end. Raises Forbidden and NotFound.
    """
    await push.get_push(caller, id)

    def wanted(notice: pubsub.ReceivedNotice) -> bool:
        return notice.topic == pubsub.Topic.PUSH and notice.id == id

    return stream(caller, wanted, partial(_read, caller, selection), cut_off=cut_off)


async def _read(caller: Caller, selection: Selection, ids: Sequence[str]) -> list[SelectedRecord]:
    return [
        record
        for record in await read_records(caller, PUSH, list(ids), selection)
        if record is not None
    ]
