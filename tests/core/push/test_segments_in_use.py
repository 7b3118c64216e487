"""A segment says how many pushes wait for it; when it is deleted, they fail."""

from datetime import timedelta

import pytest

from core import journeys, push, segments
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.wallet import Wallet
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, a_dispatch, drained, queue_of
from tests.support.graphql import data_of

pytestmark = pytest.mark.usefixtures("clean_slate")


VIP = {"name": "Vip", "filters": [{"field": "tag", "operator": "is", "value": "vip"}]}


async def a_segment(caller: Caller) -> str:
    """The id of a segment of everybody who is `vip`."""
    return str(
        (await segments.create_segment(caller, segments.NewSegment.model_validate(VIP)))["id"]
    )


async def a_tagged_contact(caller: Caller) -> str:
    """The id of a contact that is `vip`."""
    return str((await a_contact(caller, tags=["vip"]))["id"])


async def test_a_segment_is_in_use_as_long_as_a_dispatch_to_it_waits() -> None:
    caller = await a_caller("test")
    id = await a_segment(caller)
    tomorrow = (now() + timedelta(days=1)).isoformat()
    dispatch = await a_dispatch(caller, segment=id, scheduledAt=tomorrow)

    async def shown() -> list[int]:
        one = await segments.get_segment(caller, id)
        (listed,) = (await segments.list_segments(caller, segments.SegmentFilter()))["items"]
        changed = await segments.change_segment(
            caller, id, segments.SegmentChanges.model_validate({"name": "Vip 2"})
        )
        asked = await data_of(caller, f'{{ segment(id: "{id}") {{ inUse {{ dispatches }} }} }}')
        told = [one, listed, changed, asked["segment"]]
        return [record["inUse"]["dispatches"] for record in told]

    assert await shown() == [1, 1, 1, 1]
    await push.cancel_push(caller, dispatch["id"])
    assert await shown() == [0, 0, 0, 0]


@pytest.mark.parametrize("later", [True, False], ids=["scheduled", "not begun"])
async def test_what_waits_for_a_segment_that_is_deleted_fails_and_costs_nothing(
    later: bool,
) -> None:
    caller = await a_caller("test")
    id, other = (
        await a_segment(caller),
        await a_dispatch(caller, scheduledAt="2999-01-01T12:00:00Z"),
    )
    await a_device(caller, contactId=await a_tagged_contact(caller))
    when = {"scheduledAt": "2999-01-01T12:00:00Z"} if later else {}
    dispatch = await a_dispatch(caller, segment=id, **when)
    assert dispatch["billing"]["reservedCoins"] == 20

    await journeys.delete_segment(caller, id)

    failed = await push.get_push(caller, dispatch["id"])
    assert (failed["status"], failed["billing"]["reservedCoins"]) == ("failed", 0)
    assert "completedAt" in failed
    assert [status for status, _ in (await queue_of(dispatch["id"])).values()] == ["dropped"]
    assert (await push.get_push(caller, other["id"]))["status"] == "scheduled"
    assert (await drained(caller, dispatch["id"]))["status"] == "failed"
    assert (await Wallet.get(organization_id=caller.organization_id, env="test")).held == 0


async def test_what_has_begun_goes_on_when_its_segment_is_deleted() -> None:
    caller = await a_caller("test")
    id = await a_segment(caller)
    await a_device(caller, contactId=await a_tagged_contact(caller))
    dispatch = await a_dispatch(caller, segment=id)
    assert await push.start_due(at=now()) == 1

    await journeys.delete_segment(caller, id)

    assert (await drained(caller, dispatch["id"]))["status"] == "sent"
