"""Dynamic segments over REST: statuses, shapes and masks. (Every answer is also held to the OpenAPI
document.)
"""

from typing import Any

import httpx
import pytest

from core.foundation.security.caller import Scope
from core.segments.leaves import FIELDS
from core.segments.models import Segment
from tests.factories.stored_contacts import stored_contact, stored_contacts
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields
from tests.rest_api.speaking import a_client, speak_as, speak_from_the_other_side

SEGMENTS = "/v2/segments"
PREVIEW = f"{SEGMENTS}/preview"
VIP = {"field": "tag", "operator": "is", "value": "vip"}
NEW = {"field": "tag", "operator": "is", "value": "new"}
LEAF = {"kind": "leaf", "filter": VIP}
TOO_DEEP = {
    "kind": "not",
    "child": {"kind": "not", "child": {"kind": "not", "child": {"kind": "not", "child": LEAF}}},
}


async def a_segment(
    rest: httpx.AsyncClient, name: str = "VIP", *filters: dict[str, Any]
) -> dict[str, Any]:
    answer = await rest.post(SEGMENTS, json={"name": name, "filters": list(filters) or [VIP]})
    assert answer.status_code == 200
    record: dict[str, Any] = answer.json()
    return record


async def test_a_segment_is_stored_read_changed_listed_and_deleted(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    await stored_contacts(caller, [{"tags": ["vip"]}, {"tags": ["vip", "new"]}, {}])

    stored = await a_segment(rest)
    address = f"{SEGMENTS}/{stored['id']}"
    read = await rest.get(address)
    changed = await rest.patch(address, json={"filterTree": {"kind": "leaf", "filter": NEW}})
    listed = await rest.get(SEGMENTS)
    deleted = await rest.delete(address)

    assert (stored["name"], stored["filters"], stored["size"]) == ("VIP", [VIP], 2)
    assert stored["organizationId"] == caller.organization_id
    assert stored["inUse"] == {"journeys": 0, "dispatches": 0}
    assert read.json() == stored
    assert {"name": "VIP", "filters": [VIP], "size": 1}.items() <= changed.json().items()
    assert listed.json() == {"items": [changed.json()], "total": 1}
    assert (deleted.status_code, deleted.content) == (204, b"")
    the_problem(await rest.get(address), 404)
    the_problem(await rest.delete(address), 404)


async def test_a_name_that_is_taken_is_a_conflict(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    await a_segment(rest)
    other = await a_segment(rest, "Other")

    the_problem(await rest.post(SEGMENTS, json={"name": "VIP", "filters": [NEW]}), 409)
    the_problem(await rest.patch(f"{SEGMENTS}/{other['id']}", json={"name": "VIP"}), 409)

    assert (await rest.get(f"{SEGMENTS}/{other['id']}")).json() == other


async def test_a_preview_tells_how_many_and_ten_ids_and_stores_nothing(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    made = await stored_contacts(
        caller,
        [{"tags": ["vip"], "name": "Zulmira", "email": "zulmira@example.com"} for _ in range(12)],
    )

    answer = await rest.post(PREVIEW, json={"filters": [VIP], "filterTree": LEAF})

    found = answer.json()
    assert (answer.status_code, found["count"], found["partial"]) == (200, 12, False)
    assert len(set(found["sample"]) & set(made)) == 10
    must_not_hold(answer, ["Zulmira", "zulmira", "+55"])
    assert await Segment.all().count() == 0


VALUES: dict[str, Any] = {
    "tag": "vip",
    "attribute": "Recife",
    "optIn": "granted",
    "channel": "sms",
    "event": {"name": "purchase", "count": 2, "withinDays": 30},
    "list": "lst_000000000000000000000",
    "company": "emp_000000000000000000000",
    "clicked": "november",
    "card": {"status": "aberto", "diasNaEtapa": 7},
}


def value_for(operator: str, plain: Any) -> Any:
    """One that the operator takes; `plain` is the one that `is` takes for the field."""
    several, moment, number = [plain], "2026-11-21T12:00:00Z", 10.5
    return {
        "exists": None,
        "notExists": None,
        "in": several,
        "notIn": several,
        "before": moment,
        "after": moment,
        "withinDays": 30,
        "notWithinDays": 30,
        "between": [1, 2],
        **dict.fromkeys(("gt", "gte", "lt", "lte"), number),
    }.get(operator, plain)


@pytest.mark.parametrize("kind", ["filters", "leaf", "and", "or", "not"])
async def test_every_operator_of_every_field_works_in_every_kind_of_node(
    rest: httpx.AsyncClient, kind: str
) -> None:
    caller = await a_client(rest)
    await stored_contact(caller)
    plain = {**VALUES, "segment": (await a_segment(rest, "Below"))["id"]}

    for field, operators in FIELDS.items():
        for operator in operators:
            filter = {
                "field": f"{field}.city" if field == "attribute" else field,
                "operator": operator,
                "value": value_for(operator, plain.get(field)),
            }
            leaf = {"kind": "leaf", "filter": filter}
            node = {
                "filters": {"filters": [filter]},
                "leaf": {"filterTree": leaf},
                "and": {"filterTree": {"kind": "and", "children": [leaf, leaf]}},
                "or": {
                    "filterTree": {"kind": "or", "children": [leaf, {"kind": "not", "child": leaf}]}
                },
                "not": {"filterTree": {"kind": "not", "child": leaf}},
            }[kind]
            answer = await rest.post(PREVIEW, json=node)
            assert answer.status_code == 200, (filter, answer.text)
            negative = operator in ("isNot", "notIn", "notExists", "notWithinDays")
            matches = {"or": True, "not": not negative}.get(kind, negative)
            assert answer.json()["count"] == int(matches), filter


@pytest.mark.parametrize(
    ("filter", "wrong"),
    [
        ({}, [("", "required")]),
        ({"filters": []}, [("/filters", "too_few")]),
        ({"filters": [VIP] * 51}, [("/filters", "FILTRO_COMPLEXO")]),
        (
            {"filters": [{"field": "cpf", "operator": "is"}, {**VIP, "operator": "near"}]},
            [("/filters/0/field", "not_allowed"), ("/filters/1/operator", "not_allowed")],
        ),
        ({"filterTree": {"kind": "xor"}}, [("/filterTree/kind", "not_allowed")]),
        ({"filterTree": {"kind": "not", "child": TOO_DEEP}}, [("/filterTree", "FILTRO_COMPLEXO")]),
        (
            {"filterTree": {"kind": "and", "children": [LEAF] * 51}},
            [("/filterTree/children", "wrong_type")],
        ),
        ({"filters": [VIP], "conditions": 1}, [("/conditions", "unknown_field")]),
        ({"filters": [{**VIP, "value": "7731\x00"}]}, [("/filters/0/value", "nul")]),
        (
            {"filters": [{"field": "attribute.x", "operator": "gt", "value": [7731]}]},
            [("/filters/0/value", "wrong_type")],
        ),
    ],
)
async def test_a_faulty_filter_is_refused_by_every_operation_that_takes_one(
    rest: httpx.AsyncClient, filter: dict[str, Any], wrong: list[tuple[str, str]]
) -> None:
    await a_client(rest)
    stored = await a_segment(rest)
    answers = [
        await rest.post(PREVIEW, json=filter),
        await rest.post(SEGMENTS, json={"name": "Faulty", **filter}),
    ]
    if filter:
        answers.append(await rest.patch(f"{SEGMENTS}/{stored['id']}", json=filter))

    for answer in answers:
        problem = the_problem(answer, 422)
        assert wrong_fields(problem) == [("pointer", *field) for field in wrong]
        if wrong[0][1].isupper():
            assert problem["meta"] == {"code": wrong[0][1]}
        must_not_hold(answer, ["7731"])
    assert (await rest.get(SEGMENTS)).json()["items"] == [stored]


async def test_a_tree_of_five_levels_is_not_too_deep(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    assert (await rest.post(PREVIEW, json={"filterTree": TOO_DEEP})).json()["count"] == 0


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"name": None}, [("/name", "wrong_type")]),
        ({"name": " "}, [("/name", "too_short")]),
        (
            {"name": "x" * 121, "description": "x" * 501},
            [("/description", "too_long"), ("/name", "too_long")],
        ),
        ({"filters": None}, [("/filters", "required"), ("/filterTree", "required")]),
        ({"size": 1}, [("/size", "unknown_field")]),
    ],
)
async def test_a_faulty_change_is_refused_and_changes_nothing(
    rest: httpx.AsyncClient, changes: dict[str, Any], wrong: list[tuple[str, str]]
) -> None:
    await a_client(rest)
    stored = await a_segment(rest)

    answer = await rest.patch(f"{SEGMENTS}/{stored['id']}", json=changes)

    assert {(where, code) for _, where, code in wrong_fields(the_problem(answer, 422))} == set(
        wrong
    )
    assert (await rest.get(f"{SEGMENTS}/{stored['id']}")).json() == stored


async def test_a_segment_that_leads_back_to_itself_or_nowhere_is_refused(
    rest: httpx.AsyncClient,
) -> None:
    await a_client(rest)
    below = await a_segment(rest, "Below")
    above = await a_segment(
        rest, "Above", {"field": "segment", "operator": "is", "value": below["id"]}
    )
    nowhere = {"field": "segment", "operator": "is", "value": "seg_000000000000000000000"}
    circle = {"field": "segment", "operator": "is", "value": above["id"]}

    for answer in (
        await rest.patch(f"{SEGMENTS}/{below['id']}", json={"filters": [circle]}),
        await rest.post(SEGMENTS, json={"name": "Nowhere", "filters": [nowhere]}),
        await rest.post(PREVIEW, json={"filters": [nowhere]}),
    ):
        assert the_problem(answer, 422)["meta"] == {"code": "VINCULO_INVALIDO"}
    assert (await rest.get(f"{SEGMENTS}/{below['id']}")).json() == below


async def test_a_segment_that_others_are_built_on_may_go_and_they_find_nobody_in_it(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    await stored_contact(caller, tags=["vip"])
    below = await a_segment(rest, "Below")
    above = await a_segment(
        rest, "Above", {"field": "segment", "operator": "is", "value": below["id"]}
    )
    on_above = {"filters": [{"field": "segment", "operator": "is", "value": above["id"]}]}
    assert (await rest.post(PREVIEW, json=on_above)).json()["count"] == 1

    assert (await rest.delete(f"{SEGMENTS}/{below['id']}")).status_code == 204

    assert (await rest.post(PREVIEW, json=on_above)).json()["count"] == 0


async def test_a_body_that_is_no_json_is_a_wrong_body(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    stored = await a_segment(rest)

    for method, path in (
        ("POST", SEGMENTS),
        ("POST", PREVIEW),
        ("PATCH", f"{SEGMENTS}/{stored['id']}"),
    ):
        the_problem(await rest.request(method, path, content=b"{"), 422)
        the_problem(await rest.request(method, path, content=b'{"filterTree":' * 5000), 422)


async def test_segments_are_found_by_name_and_read_page_by_page(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    for name in ("São João", "Natal", "Páscoa"):
        await a_segment(rest, name)

    first = (await rest.get(SEGMENTS, params={"limit": "2"})).json()
    second = (await rest.get(SEGMENTS, params={"limit": "2", "cursor": first["nextCursor"]})).json()
    found = (await rest.get(SEGMENTS, params={"q": "sao", "limit": "9999"})).json()

    assert [item["name"] for item in first["items"] + second["items"]] == [
        "Páscoa",
        "Natal",
        "São João",
    ]
    assert (first["total"], found) == (3, {"items": second["items"], "total": 1})


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "skip=-1", "cursor=nonsense", "q=%00"])
async def test_a_wrong_parameter_is_named(rest: httpx.AsyncClient, query: str) -> None:
    await a_client(rest)

    ((kind, where, _),) = wrong_fields(the_problem(await rest.get(f"{SEGMENTS}?{query}"), 422))

    assert (kind, where) == ("parameter", query.partition("=")[0])


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_a_segment_of_others_is_not_there(rest: httpx.AsyncClient, whose: str) -> None:
    caller = await a_client(rest)
    await stored_contact(caller, tags=["vip"])
    stored = await a_segment(rest)
    await speak_from_the_other_side(rest, caller, whose)
    address = f"{SEGMENTS}/{stored['id']}"

    for answer in (
        await rest.get(address),
        await rest.patch(address, json={"name": "Mine"}),
        await rest.delete(address),
    ):
        the_problem(answer, 404)
    for strange in ("seg_x", "%00", "%ff"):
        the_problem(await rest.get(f"{SEGMENTS}/{strange}"), 404)
    assert (await rest.get(SEGMENTS)).json() == {"items": [], "total": 0}
    assert (await rest.post(PREVIEW, json={"filters": [VIP]})).json()["count"] == 0
    assert (await Segment.get()).name == "VIP"


async def test_segments_need_a_key_and_its_scope(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    address = f"{SEGMENTS}/{(await a_segment(rest))['id']}"

    async def writes() -> list[httpx.Response]:
        return [
            await rest.post(SEGMENTS, json={"name": "More", "filters": [VIP]}),
            await rest.patch(address, json={"name": "More"}),
            await rest.delete(address),
        ]

    async def reads() -> list[httpx.Response]:
        return [
            await rest.get(SEGMENTS),
            await rest.get(address),
            await rest.post(PREVIEW, json={"filters": [VIP]}),
        ]

    for needed, held, calls in (
        ("contacts:write", Scope.CONTACTS_READ, writes),
        ("contacts:read", Scope.CONTACTS_WRITE, reads),
    ):
        await speak_as(rest, organization_id=caller.organization_id, scopes=frozenset({held}))
        for answer in await calls():
            assert the_problem(answer, 403)["meta"] == {"escopoExigido": needed}
    del rest.headers["Authorization"]
    for answer in await writes() + await reads():
        the_problem(answer, 401)
    assert (await Segment.get()).name == "VIP"
