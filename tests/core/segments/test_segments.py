"""Storing, changing, counting and deleting segments, and segments built on segments."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from core import journeys, segments
from core.foundation.clock import now
from core.foundation.errors import Conflict, Forbidden, NotFound, ServiceError, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.segments import Filter, NewSegment, Segment, SegmentChanges, SegmentFilter
from core.segments.compile import LEAVES
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact, stored_contacts

VIP = {"field": "tag", "operator": "is", "value": "vip"}
NEW = {"field": "tag", "operator": "is", "value": "new"}
TREE = {"kind": "leaf", "filter": NEW}


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


def segment(name: str = "VIP", *filters: Mapping[str, Any]) -> NewSegment:
    return NewSegment.model_validate(
        {"name": name, "filters": list(filters or [VIP])}, by_alias=True
    )


def in_segment(id: str) -> dict[str, Any]:
    return {"field": "segment", "operator": "is", "value": id}


async def names_of(caller: Caller, **filter: object) -> list[str]:
    page = await segments.list_segments(caller, SegmentFilter.model_validate(filter))
    return [item["name"] for item in page["items"]]


async def test_a_segment_is_stored_and_counted(caller: Caller) -> None:
    await stored_contacts(caller, [{"tags": ["vip"]}, {"tags": ["vip"]}, {}])

    stored = await segments.create_segment(caller, segment())

    assert stored["filters"] == [VIP]
    assert stored["size"] == 2
    assert stored["sizeAt"]
    assert stored["organizationId"] == caller.organization_id
    assert stored["createdById"] == caller.account_id
    assert stored["inUse"] == {"journeys": 0, "dispatches": 0}
    assert await segments.get_segment(caller, stored["id"]) == stored


async def test_a_name_is_taken_once_per_organization_and_environment(caller: Caller) -> None:
    await segments.create_segment(caller, segment())

    with pytest.raises(Conflict):
        await segments.create_segment(caller, segment())

    assert await names_of(caller) == ["VIP"]
    await segments.create_segment(
        await a_caller("live", organization_id=caller.organization_id), segment()
    )


async def test_only_what_is_sent_changes(caller: Caller) -> None:
    await stored_contact(caller, tags=["new"])
    stored = await segments.create_segment(caller, segment())

    renamed = await segments.change_segment(
        caller, stored["id"], SegmentChanges(name="Top", description="x")
    )
    assert (renamed["name"], renamed["description"], renamed["filters"]) == ("Top", "x", [VIP])
    assert renamed["size"] == 0

    refiltered = await segments.change_segment(
        caller, stored["id"], SegmentChanges(filter_tree=TREE)
    )
    assert (refiltered["name"], refiltered["filters"], refiltered["filterTree"]) == (
        "Top",
        [VIP],
        TREE,
    )
    assert refiltered["size"] == 1

    cleared = await segments.change_segment(
        caller, stored["id"], SegmentChanges(filter_tree=None, description=None)
    )
    assert cleared.keys().isdisjoint({"filterTree", "description"})
    assert cleared["size"] == 0


async def test_a_segment_keeps_a_filter(caller: Caller) -> None:
    stored = await segments.create_segment(caller, segment())

    with pytest.raises(ValidationFailed) as refused:
        await segments.change_segment(caller, stored["id"], SegmentChanges(filters=None))

    assert {error.where for error in refused.value.errors} == {"/filters", "/filterTree"}
    assert await segments.get_segment(caller, stored["id"]) == stored


async def test_a_segment_cannot_take_the_name_of_another(caller: Caller) -> None:
    await segments.create_segment(caller, segment())
    other = await segments.create_segment(caller, segment("Other"))

    with pytest.raises(Conflict):
        await segments.change_segment(
            caller, other["id"], SegmentChanges(name="VIP", description="x")
        )

    assert await segments.get_segment(caller, other["id"]) == other


async def test_a_deleted_segment_is_gone_and_its_name_is_free(caller: Caller) -> None:
    stored = await segments.create_segment(caller, segment())

    await journeys.delete_segment(caller, stored["id"])

    with pytest.raises(NotFound):
        await segments.get_segment(caller, stored["id"])
    with pytest.raises(NotFound):
        await journeys.delete_segment(caller, stored["id"])
    await segments.create_segment(caller, segment())


async def test_segments_are_shown_newest_first_and_page_by_page(caller: Caller) -> None:
    for name in ("São João", "Natal", "Páscoa"):
        await segments.create_segment(caller, segment(name))

    assert await names_of(caller) == ["Páscoa", "Natal", "São João"]
    assert await names_of(caller, q="SAO") == ["São João"]
    assert await names_of(caller, q="%") == []
    first = await segments.list_segments(caller, SegmentFilter(limit=2))
    rest = await segments.list_segments(caller, SegmentFilter(limit=2, cursor=first["nextCursor"]))
    assert [item["name"] for item in rest["items"]] == ["São João"]
    assert (first["total"], rest["total"], "nextCursor" in rest) == (3, 3, False)


@pytest.mark.parametrize("env", ["test", "live"])
async def test_a_segment_of_others_is_not_there(caller: Caller, env: str) -> None:
    stored = await segments.create_segment(caller, segment())
    same = caller.organization_id if env == "live" else None
    stranger = await a_caller("live" if env == "live" else "test", organization_id=same)

    for attempt in (
        segments.get_segment(stranger, stored["id"]),
        segments.change_segment(stranger, stored["id"], SegmentChanges(name="Mine")),
        journeys.delete_segment(stranger, stored["id"]),
    ):
        with pytest.raises(NotFound):
            await attempt
    with pytest.raises(ValidationFailed):
        await segments.create_segment(stranger, segment("On theirs", in_segment(stored["id"])))
    assert await names_of(stranger) == []
    assert await segments.get_segment(caller, stored["id"]) == stored


async def test_every_use_case_needs_its_scope(caller: Caller) -> None:
    stored = await segments.create_segment(caller, segment())
    stranger = await a_caller(
        scopes=frozenset({Scope.SMS_READ}), organization_id=caller.organization_id
    )
    reader = await a_caller(
        scopes=frozenset({Scope.CONTACTS_READ}), organization_id=caller.organization_id
    )

    for attempt in (
        segments.get_segment(stranger, stored["id"]),
        segments.list_segments(stranger, SegmentFilter()),
        segments.preview(stranger, Filter(filters=[VIP])),
        segments.create_segment(reader, segment("More")),
        segments.change_segment(reader, stored["id"], SegmentChanges(name="More")),
        journeys.delete_segment(reader, stored["id"]),
    ):
        with pytest.raises(Forbidden):
            await attempt
    assert await names_of(caller) == ["VIP"]


async def test_a_segment_may_be_built_on_another(caller: Caller) -> None:
    both = await stored_contact(caller, tags=["vip", "new"])
    await stored_contacts(caller, [{"tags": ["vip"]}, {"tags": ["new"]}])
    vip = await segments.create_segment(caller, segment())
    top = await segments.create_segment(caller, segment("Top", in_segment(vip["id"]), NEW))

    assert (await segments.preview(caller, Filter(filters=[in_segment(top["id"])])))["sample"] == [
        both
    ]

    await journeys.delete_segment(caller, vip["id"])
    with pytest.raises(ValidationFailed):
        await segments.preview(caller, Filter(filters=[in_segment(vip["id"])]))
    assert (await segments.preview(caller, Filter(filters=[in_segment(top["id"])])))["count"] == 0


async def test_a_segment_cannot_be_built_on_itself(caller: Caller) -> None:
    below = await segments.create_segment(caller, segment("below"))
    above = await segments.create_segment(caller, segment("above", in_segment(below["id"])))

    for circle in (below["id"], above["id"]):
        with pytest.raises(ValidationFailed) as refused:
            await segments.change_segment(
                caller, below["id"], SegmentChanges(filters=[in_segment(circle)])
            )
        assert refused.value.meta == {"code": "VINCULO_INVALIDO"}
    assert await segments.get_segment(caller, below["id"]) == below


async def test_a_circle_that_two_writers_made_at_once_has_no_contacts(caller: Caller) -> None:
    await stored_contact(caller, tags=["vip"])
    below = await segments.create_segment(caller, segment("below"))
    above = await segments.create_segment(caller, segment("above", in_segment(below["id"])))
    await Segment.filter(id=below["id"]).update(filters=[in_segment(above["id"])])

    assert (await segments.preview(caller, Filter(filters=[in_segment(above["id"])])))["count"] == 0


async def test_segments_stand_at_most_five_on_each_other(caller: Caller) -> None:
    id = (await segments.create_segment(caller, segment("0")))["id"]
    for level in range(1, 5):
        id = (await segments.create_segment(caller, segment(str(level), in_segment(id))))["id"]
    await segments.create_segment(caller, segment("5", in_segment(id)))

    sixth = (await segments.list_segments(caller, SegmentFilter(limit=1)))["items"][0]["id"]
    with pytest.raises(ValidationFailed):
        await segments.create_segment(caller, segment("6", in_segment(sixth)))


async def test_segments_on_segments_come_to_at_most_five_hundred_conditions(caller: Caller) -> None:
    fifty = await segments.create_segment(caller, segment("fifty", *[VIP] * 50))
    await segments.create_segment(caller, segment("nine of them", *[in_segment(fifty["id"])] * 9))

    with pytest.raises(ValidationFailed) as refused:
        await segments.create_segment(
            caller, segment("ten of them", *[in_segment(fifty["id"])] * 10)
        )

    assert refused.value.meta == {"code": "FILTRO_COMPLEXO"}


async def test_a_preview_counts_all_and_shows_ten(caller: Caller) -> None:
    await stored_contacts(caller, [{"tags": ["vip"]} for _ in range(12)])

    found = await segments.preview(caller, Filter(filters=[VIP]))

    assert found["count"] == 12
    assert len(set(found["sample"])) == 10
    assert found["partial"] is False
    assert await names_of(caller) == []


async def test_a_preview_that_takes_too_long_is_an_estimate(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stored_contacts(caller, [{}, {}, {}])
    monkeypatch.setattr("core.segments.evaluate.EVALUATION_TIMEOUT", 0.02)
    monkeypatch.setitem(LEAVES, "tag", lambda *_: "pg_sleep(5)::text = ''")

    found = await segments.preview(caller, Filter(filters=[VIP]))

    assert found["partial"] is True
    assert found["sample"] == []
    assert isinstance(found["count"], int)
    # The limit ended with the preview.
    monkeypatch.undo()
    assert (await segments.preview(caller, Filter(filters=[VIP])))["partial"] is False


async def test_a_segment_that_cannot_be_counted_in_time_is_stored_without_a_size(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stored_contact(caller)
    monkeypatch.setattr("core.segments.evaluate.EVALUATION_TIMEOUT", 0.02)
    monkeypatch.setitem(LEAVES, "tag", lambda *_: "pg_sleep(5)::text = ''")

    stored = await segments.create_segment(caller, segment())

    assert stored.keys().isdisjoint({"size", "sizeAt"})


async def test_old_sizes_are_counted_again(caller: Caller) -> None:
    stored = await segments.create_segment(caller, segment())
    await stored_contact(caller, tags=["vip"])

    assert await segments.recount_stale(at=now()) == 0
    later = now() + timedelta(hours=2)
    assert await segments.recount_stale(at=later) == 1
    assert await segments.recount_stale(at=later) == 0
    assert (await segments.get_segment(caller, stored["id"]))["size"] == 1


@pytest.mark.usefixtures("real_commits")
async def test_of_two_segments_that_want_one_name_at_once_one_gets_it() -> None:
    caller = await a_caller()

    outcomes = await asyncio.gather(
        *(segments.create_segment(caller, segment()) for _ in range(6)), return_exceptions=True
    )

    assert sum(isinstance(outcome, dict) for outcome in outcomes) == 1
    assert {type(outcome) for outcome in outcomes if isinstance(outcome, ServiceError)} == {
        segments.SegmentNameTaken
    }
