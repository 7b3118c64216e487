"""Segments over GraphQL: the values of REST, and who matches them now."""

from typing import Any

import pytest

from core import segments
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.segments import Segment
from core.segments.references import MAX_LEVELS
from tests.factories.contacts import a_contact
from tests.factories.journeys import a_journey
from tests.factories.organizations import a_caller
from tests.support.connections import other_sides, walked
from tests.support.graphql import as_rest, ask, bare, data_of, every_field
from tests.support.plans import rows_read
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

MATCHING = """query($first: Int!) { segments(first: 20) {
  nodes { id contacts(first: $first) { nodes { id } pageInfo { hasNextPage } totalCount } } } }"""


def tagged(tag: str) -> dict[str, Any]:
    return {"field": "tag", "operator": "is", "value": tag}


def in_segment(id: str) -> dict[str, Any]:
    return {"field": "segment", "operator": "is", "value": id}


async def a_segment(caller: Caller, name: str, *filters: dict[str, Any], **fields: Any) -> str:
    body = {"name": name, **({"filters": list(filters)} if filters else {}), **fields}
    id: str = (await segments.create_segment(caller, segments.NewSegment.model_validate(body)))[
        "id"
    ]
    return id


async def a_chain(caller: Caller, length: int) -> str:
    """A segment on a segment on a segment, as one comes about when those below are changed; the id
    of the last.
    """
    filters = [tagged("vip")]
    for place in range(length):
        id, at = new_id("seg"), now()
        await Segment.create(
            id=id,
            **owned_by(caller),
            name=f"Chain {place}",
            filters=filters,
            created_at=at,
            updated_at=at,
        )
        filters = [in_segment(id)]
    return id


async def matching(caller: Caller, first: int = 9) -> dict[str, list[str]]:
    """The contacts of each segment, by its id."""
    shown = await data_of(caller, MATCHING, first=first)
    return {
        one["id"]: [node["id"] for node in one["contacts"]["nodes"]]
        for one in shown["segments"]["nodes"]
    }


async def test_every_field_of_a_segment_is_the_one_of_rest() -> None:
    caller = await a_caller("test")
    await a_contact(caller, tags=["vip"])
    flat = await a_segment(caller, "VIP", tagged("vip"), description="Who buys")
    tree = await a_segment(
        caller,
        "Nobody",
        filterTree={"kind": "not", "child": {"kind": "leaf", "filter": tagged("vip")}},
    )
    uncounted = await a_chain(caller, 1)

    for id in (flat, tree, uncounted):
        shown = await data_of(caller, f'{{ segment(id: "{id}") {{ {every_field("Segment")} }} }}')
        assert as_rest("Segment", shown["segment"]) == await segments.get_segment(caller, id)


async def test_segments_are_walked_from_either_end_newest_first() -> None:
    caller = await a_caller("test")
    made = [await a_segment(caller, f"Segment {place}", tagged("vip")) for place in range(5)]

    assert await walked(caller, "segments") == made[::-1]
    assert await walked(caller, "segments", backward=True) == made[::-1]


async def test_segments_are_found_by_a_part_of_their_name() -> None:
    caller = await a_caller("test")
    id = await a_segment(caller, "Manhã", tagged("vip"))
    await a_segment(caller, "Tarde", tagged("vip"))

    shown = await data_of(caller, '{ segments(first: 9, filter: {q: "MANHA"}) { nodes { id } } }')

    assert shown["segments"]["nodes"] == [{"id": id}]


async def test_what_uses_the_segments_of_a_page_is_looked_up_once_for_all_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller("test")
    ids = [await a_segment(caller, f"Segment {place}", tagged("vip")) for place in range(7)]
    for segment in (ids[0], ids[0], ids[1]):
        await a_journey(caller, gatilho={"segmentId": segment, "ao": "entrar"})
    query = "{ segments(first: 9) { nodes { id inUse { journeys dispatches } } } }"
    shown = (await data_of(caller, query))["segments"]["nodes"]
    await db.execute("SET LOCAL enable_seqscan = off")

    read = await rows_read(data_of(caller, query), "journeys", monkeypatch)

    uses = {one["id"]: (one["inUse"]["journeys"], one["inUse"]["dispatches"]) for one in shown}
    assert uses == {**dict.fromkeys(ids, (0, 0)), ids[0]: (2, 0), ids[1]: (1, 0)}
    assert read <= 6, "each of the three once, and its place in an index"


async def test_each_segment_shows_who_matches_it_now_newest_first() -> None:
    caller = await a_caller("test")
    vips = [(await a_contact(caller, tags=["vip"]))["id"] for _ in range(3)]
    both = (await a_contact(caller, tags=["vip", "new"]))["id"]
    vip = await a_segment(caller, "VIP", tagged("vip"))
    new = await a_segment(caller, "New", tagged("new"))
    inside = await a_segment(caller, "New VIP", in_segment(vip), in_segment(new))
    nobody = await a_segment(caller, "Nobody", tagged("nobody"))

    expected = {vip: [both, *vips[::-1]], new: [both], inside: [both], nobody: []}
    assert await matching(caller) == expected

    late = (await a_contact(caller, tags=["new"]))["id"]
    assert await matching(caller) == {**expected, new: [late, both]}


async def test_pages_of_segments_contacts_have_their_own_totals_and_ends() -> None:
    caller = await a_caller("test")
    for _ in range(3):
        await a_contact(caller, tags=["vip"])
    await a_segment(caller, "VIP", tagged("vip"))
    await a_segment(caller, "Nobody", tagged("nobody"))

    nobody, vip = [
        one["contacts"] for one in (await data_of(caller, MATCHING, first=2))["segments"]["nodes"]
    ]

    assert (len(vip["nodes"]), vip["pageInfo"], vip["totalCount"]) == (2, {"hasNextPage": True}, 3)
    assert (len(nobody["nodes"]), nobody["pageInfo"], nobody["totalCount"]) == (
        0,
        {"hasNextPage": False},
        0,
    )


async def test_contacts_of_many_segments_are_read_together() -> None:
    caller = await a_caller("test")
    await a_contact(caller, tags=["vip"])
    vip = await a_segment(caller, "VIP", tagged("vip"))
    async with statements() as of_one:
        await matching(caller)
    for place in range(9):
        await a_segment(caller, f"Segment {place}", tagged("vip"))
    async with statements() as of_ten:
        found = await matching(caller)

    assert len(found) == 10
    assert set(map(len, found.values())) == {1}
    assert len(of_ten) == len(of_one) == 3
    assert vip in found


async def test_there_may_be_more_segments_than_one_statement_reads() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, tags=["vip"])
    made = [await a_segment(caller, f"Segment {place}", tagged("vip")) for place in range(17)]

    assert await matching(caller) == {id: [contact["id"]] for id in made}


async def test_a_segment_that_stands_on_too_many_others_hides_only_its_own_contacts() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, tags=["vip"])
    too_long = await a_chain(caller, MAX_LEVELS + 2)
    vip = await a_segment(caller, "VIP", tagged("vip"))

    content = await ask(
        caller, "{ segments(first: 2) { nodes { id contacts(first: 1) { nodes { id } } } } }"
    )

    assert content["data"]["segments"]["nodes"] == [
        {"id": vip, "contacts": {"nodes": [{"id": contact["id"]}]}},
        {"id": too_long, "contacts": None},
    ]
    (error,) = content["errors"]
    assert error["extensions"]["code"] == "VALIDATION_ERROR"


async def test_a_page_that_cannot_be_is_refused_for_the_contacts_alone() -> None:
    caller = await a_caller("test")
    id = await a_segment(caller, "VIP", tagged("vip"))

    content = await ask(caller, MATCHING, first=0)

    assert content["data"]["segments"]["nodes"] == [{"id": id, "contacts": None}]
    (error,) = content["errors"]
    assert error["extensions"]["code"] == "VALIDATION_ERROR"


async def test_segments_need_the_scope_of_contacts() -> None:
    caller = await a_caller("test")
    id = await a_segment(caller, "VIP", tagged("vip"))
    query = f'{{ me {{ env }} segment(id: "{id}") {{ id }} segments(first: 1) {{ totalCount }} }}'

    content = await ask(bare(caller, Scope.CRM_READ), query)

    assert content["data"] == {"me": {"env": "TEST"}, "segment": None, "segments": None}
    assert [error["extensions"]["meta"] for error in content["errors"]] == [
        {"escopoExigido": "contacts:read"}
    ] * 2


async def test_segments_of_another_organization_and_environment_are_not_there() -> None:
    caller = await a_caller("test")
    id = await a_segment(caller, "VIP", tagged("vip"))

    for other in await other_sides(caller):
        assert (await data_of(other, f'{{ segment(id: "{id}") {{ id }} }}'))["segment"] is None
        assert await walked(other, "segments") == []
