"""A segment says how many pushes to it are not over yet."""

from datetime import timedelta

import pytest

from core import push, segments
from core.foundation.clock import now
from tests.factories.organizations import a_caller
from tests.factories.push import a_dispatch
from tests.support.graphql import data_of

pytestmark = pytest.mark.usefixtures("clean_slate")


async def test_a_segment_is_in_use_as_long_as_a_dispatch_to_it_waits() -> None:
    caller = await a_caller("test")
    new = segments.NewSegment.model_validate(
        {"name": "Vip", "filters": [{"field": "tag", "operator": "is", "value": "vip"}]}
    )
    id = (await segments.create_segment(caller, new))["id"]
    tomorrow = (now() + timedelta(days=1)).isoformat()
    dispatch = await a_dispatch(caller, segment=id, scheduledAt=tomorrow)

    async def shown() -> list[int]:
        one = await segments.get_segment(caller, id)
        (listed,) = (await segments.list_segments(caller, segments.SegmentFilter()))["items"]
        changed = await segments.change_segment(caller, id, segments.SegmentChanges.model_validate({"name": "Vip 2"}))
        asked = await data_of(caller, f'{{ segment(id: "{id}") {{ inUse {{ dispatches }} }} }}')
        told = [one, listed, changed, asked["segment"]]
        return [record["inUse"]["dispatches"] for record in told]

    assert await shown() == [1, 1, 1, 1]
    await push.cancel_push(caller, dispatch["id"])
    assert await shown() == [0, 0, 0, 0]
