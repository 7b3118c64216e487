"""Every operator of every field, over the same few contacts."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from core import lists, segments
from core.customer_events.models import CustomerEvent
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.segments import Filter
from tests.factories.messages import a_message
from tests.factories.organizations import a_caller
from tests.factories.short_links import a_link
from tests.factories.stored_contacts import stored_contact

EVERYBODY = {"ana", "bia", "cid", "nil"}


class People:
    """Ana, Bia and Cid, who have values; Nil, who has none; and strangers who have the same values."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.ids: dict[str, str] = {}

    async def settle(self) -> None:
        at = now()
        people: dict[str, dict[str, Any]] = {
            "ana": {
                "tags": ["vip", "new"],
                "attributes": {
                    "city": "São Paulo",
                    "score": 10,
                    "active": True,
                    "sizes": ["M", "G"],
                    "due": "2026-12-01",
                },
                "opt_in_status": "granted",
                "last_interaction_at": at - timedelta(days=2),
                "company_id": "emp_a",
            },
            "bia": {
                "tags": ["new"],
                "attributes": {
                    "city": "Recife",
                    "score": 2.5,
                    "active": False,
                    "due": "2026-11-01",
                },
                "opt_in_status": "denied",
                "last_interaction_at": at - timedelta(days=20),
                "company_id": "emp_b",
            },
            "cid": {
                "tags": ["old"],
                "attributes": {"city": 7, "score": "10", "active": None},
                "opt_in_status": "unknown",
            },
            "nil": {},
        }
        for name, fields in people.items():
            self.ids[name] = await stored_contact(self.caller, **fields)
        for stranger in (
            await a_caller(),
            await a_caller("live", organization_id=self.caller.organization_id),
        ):
            await stored_contact(stranger, **people["ana"])

    async def matching(self, *filters: dict[str, Any]) -> set[str]:
        """Who matches all of these, by name."""
        return await self.of(Filter.model_validate({"filters": list(filters)}, by_alias=True))

    async def of(self, filter: Filter) -> set[str]:
        found = await segments.preview(self.caller, filter)
        assert (found["count"], found["partial"]) == (len(found["sample"]), False)
        names = {id: name for name, id in self.ids.items()}
        return {names[id] for id in found["sample"]}


@pytest.fixture
async def people(clean_slate: None) -> People:
    people = People(await a_caller())
    await people.settle()
    return people


@pytest.mark.parametrize(
    ("field", "operator", "value", "expected"),
    [
        ("tag", "is", "vip", {"ana"}),
        ("tag", "is", "VIP", set()),
        ("tag", "isNot", "vip", {"bia", "cid", "nil"}),
        ("tag", "in", ["vip", "old"], {"ana", "cid"}),
        ("tag", "notIn", ["vip", "old"], {"bia", "nil"}),
        ("tag", "exists", None, {"ana", "bia", "cid"}),
        ("tag", "notExists", None, {"nil"}),
        ("attribute.city", "is", "Recife", {"bia"}),
        ("attribute.city", "is", 7, {"cid"}),
        ("attribute.city", "is", "recife", set()),
        ("attribute.city", "isNot", "Recife", {"ana", "cid", "nil"}),
        ("attribute.city", "in", ["Recife", 7], {"bia", "cid"}),
        ("attribute.city", "contains", "PAULO", {"ana"}),
        ("attribute.city", "contains", "sao", {"ana"}),
        ("attribute.city", "contains", "%", set()),
        ("attribute.city", "startsWith", "re", {"bia"}),
        ("attribute.city", "startsWith", "cife", set()),
        ("attribute.sizes", "contains", "M", {"ana"}),
        ("attribute.sizes", "contains", "P", set()),
        ("attribute.active", "is", True, {"ana"}),
        ("attribute.active", "is", False, {"bia"}),
        ("attribute.active", "exists", None, {"ana", "bia"}),
        ("attribute.active", "notExists", None, {"cid", "nil"}),
        ("attribute.score", "is", 10, {"ana"}),
        ("attribute.score", "is", 10.0, {"ana"}),
        ("attribute.score", "is", "10", {"cid"}),
        ("attribute.score", "gt", 2.5, {"ana"}),
        ("attribute.score", "gte", 2.5, {"ana", "bia"}),
        ("attribute.score", "lt", 10, {"bia"}),
        ("attribute.score", "lte", 10, {"ana", "bia"}),
        ("attribute.score", "between", [2, 3], {"bia"}),
        ("attribute.score", "between", [3, 2], set()),
        ("attribute.score", "gt", "1", {"cid"}),
        ("attribute.due", "lt", "2026-11-30", {"bia"}),
        ("attribute.due", "between", ["2026-11-15", "2026-12-31"], {"ana"}),
        ("attribute.nobody's", "is", "x", set()),
        ("attribute.nobody's", "isNot", "x", EVERYBODY),
        ("optIn", "is", "granted", {"ana"}),
        ("optIn", "isNot", "denied", {"ana", "cid", "nil"}),
        ("optIn", "in", ["granted", "denied"], {"ana", "bia"}),
        ("lastInteraction", "withinDays", 10, {"ana"}),
        ("lastInteraction", "notWithinDays", 10, {"bia", "cid", "nil"}),
        ("lastInteraction", "exists", None, {"ana", "bia"}),
        ("lastInteraction", "notExists", None, {"cid", "nil"}),
        ("lastInteraction", "after", "2000-01-01", {"ana", "bia"}),
        ("lastInteraction", "before", "2000-01-01T00:00:00-03:00", set()),
        ("company", "is", "emp_a", {"ana"}),
        ("company", "isNot", "emp_a", {"bia", "cid", "nil"}),
        ("company", "in", ["emp_a", "emp_b"], {"ana", "bia"}),
        ("company", "notIn", ["emp_a"], {"bia", "cid", "nil"}),
        ("company", "exists", None, {"ana", "bia"}),
        ("company", "notExists", None, {"cid", "nil"}),
    ],
)
async def test_an_operator_finds_whom_it_should(
    people: People, field: str, operator: str, value: Any, expected: set[str]
) -> None:
    filter = {"field": field, "operator": operator, **({} if value is None else {"value": value})}

    assert await people.matching(filter) == expected
    tree = {"kind": "not", "child": {"kind": "leaf", "filter": filter}}
    assert await people.of(Filter.model_validate({"filterTree": tree})) == EVERYBODY - expected


async def test_nobody_wrote_before_or_after_the_time_that_is_shown_of_it(people: People) -> None:
    wrote = await db.fetchval(
        "UPDATE contacts SET last_interaction_at = date_trunc('milliseconds', last_interaction_at) "
        "+ interval '999 microseconds' WHERE id = $1 RETURNING last_interaction_at",
        people.ids["ana"],
    )
    moment = timedelta(milliseconds=1)

    async def found(operator: str, at: datetime) -> bool:
        filter = {"field": "lastInteraction", "operator": operator, "value": wire_time(at)}
        return "ana" in await people.matching(filter)

    assert [await found("after", at) for at in (wrote - moment, wrote, wrote + moment)] == [
        True,
        False,
        False,
    ]
    assert [await found("before", at) for at in (wrote - moment, wrote, wrote + moment)] == [
        False,
        False,
        True,
    ]


async def test_an_attribute_may_be_named_by_key(people: People) -> None:
    assert await people.matching(
        {"field": "attribute", "key": "city", "operator": "is", "value": "Recife"}
    ) == {"bia"}


async def test_conditions_of_an_array_all_hold(people: People) -> None:
    new = {"field": "tag", "operator": "is", "value": "new"}
    granted = {"field": "optIn", "operator": "is", "value": "granted"}

    assert await people.matching(new) == {"ana", "bia"}
    assert await people.matching(new, granted) == {"ana"}


async def test_a_tree_joins_and_negates(people: People) -> None:
    def leaf(field: str, value: str) -> dict[str, Any]:
        return {"kind": "leaf", "filter": {"field": field, "operator": "is", "value": value}}

    tree = {
        "kind": "or",
        "children": [
            {
                "kind": "and",
                "children": [leaf("tag", "new"), {"kind": "not", "child": leaf("tag", "vip")}],
            },
            leaf("optIn", "unknown"),
        ],
    }

    assert await people.of(Filter.model_validate({"filterTree": tree})) == {"bia", "cid", "nil"}


async def test_a_channel_is_one_that_somebody_was_reached_on_or_answered_on(people: People) -> None:
    for name, status, direction in (
        ("ana", "delivered", "outbound"),
        ("bia", "failed", "outbound"),
        ("cid", "delivered", "inbound"),
    ):
        id = await a_message(people.caller)
        await db.execute(
            "UPDATE messages SET contact_id = $2, status = $3, direction = $4 WHERE id = $1",
            id,
            people.ids[name],
            status,
            direction,
        )

    assert await people.matching({"field": "channel", "operator": "is", "value": "sms"}) == {
        "ana",
        "cid",
    }
    assert await people.matching({"field": "channel", "operator": "isNot", "value": "sms"}) == {
        "bia",
        "nil",
    }
    assert await people.matching(
        {"field": "channel", "operator": "in", "value": ["sms", "rcs"]}
    ) == {"ana", "cid"}
    assert await people.matching({"field": "channel", "operator": "is", "value": "rcs"}) == set()


async def test_an_event_is_one_that_happened_often_enough_and_lately(people: People) -> None:
    at = now()
    for name, days in (("ana", 1), ("ana", 2), ("ana", 40), ("bia", 40), ("cid", 1)):
        await CustomerEvent.create(
            id=new_id("cev"),
            **owned_by(people.caller),
            name="purchase" if name != "cid" else "visit",
            event_id=new_id("own"),
            contact_id=people.ids[name],
            occurred_at=at - timedelta(days=days),
            created_at=at,
        )

    async def with_event(**value: Any) -> set[str]:
        return await people.matching(
            {"field": "event", "operator": "is", "value": {"name": "purchase", **value}}
        )

    assert await with_event() == {"ana", "bia"}
    assert await with_event(withinDays=30) == {"ana"}
    assert await with_event(count=3) == {"ana"}
    assert await with_event(count=3, withinDays=30) == set()
    never = {"field": "event", "operator": "isNot", "value": {"name": "purchase"}}
    assert await people.matching(never) == {"cid", "nil"}


async def test_a_list_is_one_that_somebody_is_on(people: People) -> None:
    id = (await lists.create_list(people.caller, lists.NewList(name="VIP")))["id"]
    await lists.add_members(
        people.caller, id, lists.Members(contact_ids=[people.ids["ana"], people.ids["nil"]])
    )

    assert await people.matching({"field": "list", "operator": "is", "value": id}) == {"ana", "nil"}
    assert await people.matching({"field": "list", "operator": "isNot", "value": id}) == {
        "bia",
        "cid",
    }
    assert await people.matching({"field": "list", "operator": "in", "value": [id, "lst_x"]}) == {
        "ana",
        "nil",
    }
    assert await people.matching({"field": "list", "operator": "notIn", "value": [id]}) == {
        "bia",
        "cid",
    }
    assert await people.matching({"field": "list", "operator": "is", "value": "lst_x"}) == set()


async def test_clicks_count_by_campaign_and_time(people: People) -> None:
    for name, campaign, clicks, days in (
        ("ana", "november", 1, 1),
        ("bia", "october", 2, 40),
        ("cid", "november", 0, 1),
    ):
        message_id, _ = await a_link(people.caller, campaignId=campaign)
        await db.execute(
            "UPDATE messages SET contact_id = $2 WHERE id = $1", message_id, people.ids[name]
        )
        at = now() - timedelta(days=days)
        await db.execute(
            "UPDATE short_links SET clicks = $2, first_clicked_at = $3, last_clicked_at = $4 "
            "WHERE message_id = $1",
            *(message_id, clicks, at if clicks else None, at),
        )

    assert await people.matching({"field": "clicked", "operator": "exists"}) == {"ana", "bia"}
    assert await people.matching({"field": "clicked", "operator": "notExists"}) == {"cid", "nil"}
    assert await people.matching({"field": "clicked", "operator": "withinDays", "value": 30}) == {
        "ana"
    }
    assert await people.matching({"field": "clicked", "operator": "is", "value": "november"}) == {
        "ana"
    }
    assert await people.matching(
        {"field": "clicked", "operator": "isNot", "value": "november"}
    ) == {
        "bia",
        "cid",
        "nil",
    }
