"""A journey on its way."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from core import journeys
from core.foundation import pubsub
from core.foundation.security.caller import Caller
from core.read_models.journeys import JOURNEY
from core.read_models.live.stream import stream
from core.read_models.query_compiler import Selection, read_records
from core.read_models.query_compiler.record_factory import SelectedRecord

MIN_INTERVAL_SECONDS = 1.0
"""Between two tellings: a million contacts on their way are one record a second."""


async def journey_progress(
    caller: Caller, id: str, selection: Selection, *, cut_off: pubsub.OnCutOff
) -> AsyncIterator[SelectedRecord]:
    """The journey, whenever contacts entered, went on or left, when its messages got further or were
    followed, and when its status changed; at most once a second. Raises Forbidden and NotFound.
    """
    await journeys.get_journey(caller, id)

    def wanted(notice: pubsub.ReceivedNotice) -> bool:
        return notice.topic == pubsub.Topic.JOURNEY and notice.id == id

    read = partial(_read, caller, selection)
    return stream(caller, wanted, read, cut_off=cut_off, rest=MIN_INTERVAL_SECONDS)


async def _read(caller: Caller, selection: Selection, ids: Sequence[str]) -> list[SelectedRecord]:
    found = await read_records(caller, JOURNEY, list(ids), selection)
    return [record for record in found if record is not None]
