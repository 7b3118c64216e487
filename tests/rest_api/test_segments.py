"""Dynamic segments over REST: statuses, shapes and masks. (Every answer is also held to the OpenAPI
document.)
"""

from typing import Any

import httpx
import pytest

from core.segments.leaves import FIELDS
from core.segments.models import Segment
from tests.factories.stored_contacts import stored_contact, stored_contacts
from tests.rest_api.problem_answers import must_not_hold, the_problem
from tests.rest_api.speaking import a_client

SEGMENTS = "/v2/segments"
PREVIEW = f"{SEGMENTS}/preview"
VIP = {"field": "tag", "operator": "is", "value": "vip"}
NEW = {"field": "tag", "operator": "is", "value": "new"}
LEAF = {"kind": "leaf", "filter": VIP}


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
