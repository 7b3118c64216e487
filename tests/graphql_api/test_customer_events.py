"""Customer events over GraphQL: the values of REST, whose they are and which message came before
them.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import customer_events
from core.foundation.security.caller import Caller, Scope
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message
from tests.support.connections import other_sides, walked
from tests.support.graphql import as_rest, ask, bare, data_of, every_field

pytestmark = pytest.mark.usefixtures("clean_slate")

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)
FOUND = "query($filter: CustomerEventFilter) { customerEvents(first: 9, filter: $filter) { nodes { eventId } } }"


async def happened(caller: Caller, id: str, *, hours: float = 0, **fields: Any) -> dict[str, Any]:
    body = {"name": "purchase", "eventId": id, "contact": {"externalId": "crm-1"}, **fields}
    occurred_at = AT + timedelta(hours=hours)
    return dict(
        await customer_events.record_event(
            caller,
            customer_events.NewCustomerEvent.model_validate({**body, "occurredAt": occurred_at}),
        )
    )


async def found(caller: Caller, **filter: Any) -> list[str]:
    return [
        node["eventId"]
        for node in (await data_of(caller, FOUND, filter=filter))["customerEvents"]["nodes"]
    ]


async def in_rest(caller: Caller) -> list[dict[str, Any]]:
    filter = {"from": AT - timedelta(days=30), "to": AT + timedelta(days=30)}
    page = await customer_events.list_events(
        caller, customer_events.CustomerEventFilter.model_validate(filter)
    )
    items: list[dict[str, Any]] = page["items"]
    return items


async def test_every_field_of_an_event_is_the_one_of_rest() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, externalId="crm-1")
    await stored_message(
        caller, AT - timedelta(hours=2.5), contact_id=contact["id"], campaign_id="november"
    )
    await happened(caller, "order-1", value=259.9, properties={"items": 3, "shop": "Centro"})
    await happened(caller, "order-2", hours=1, currency="USD", value=0.0001)
    await happened(caller, "visit", hours=2, name="visit", contact={"externalId": "nobody"})

    shown = await data_of(
        caller, f"{{ customerEvents(first: 9) {{ nodes {{ {every_field('CustomerEvent')} }} }} }}"
    )

    expected = await in_rest(caller)
    assert [touch is not None for touch in (one["attribution"] for one in expected)] == [
        False,
        True,
        True,
    ]
    # What is null is not compared but for the attribution, which REST spells out.
    assert [
        {"attribution": None, **as_rest("CustomerEvent", one)}
        for one in shown["customerEvents"]["nodes"]
    ] == expected


async def test_events_are_walked_from_either_end_the_latest_first() -> None:
    caller = await a_caller("test")
    late = await happened(caller, "late", hours=2)
    early = await happened(caller, "early")
    same = sorted(
        [(await happened(caller, f"same-{place}", hours=1))["id"] for place in range(4)],
        reverse=True,
    )

    expected = [late["id"], *same, early["id"]]
    assert await walked(caller, "customerEvents") == expected
    assert await walked(caller, "customerEvents", backward=True) == expected


async def test_events_are_found_by_name_contact_and_period_with_both_its_ends() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, externalId="crm-1")
    await happened(caller, "first")
    await happened(caller, "visit", hours=1, name="visit", contact={"externalId": "crm-2"})
    await happened(caller, "last", hours=2)
    instants = [(AT + timedelta(hours=hours)).isoformat() for hours in range(3)]

    assert await found(caller) == ["last", "visit", "first"]
    assert await found(caller, name="visit") == ["visit"]
    assert await found(caller, contactId=contact["id"]) == ["last", "first"]
    assert await found(caller, occurredAt={"from": instants[1]}) == ["last", "visit"]
    assert await found(caller, occurredAt={"from": instants[1], "to": instants[1]}) == ["visit"]
    assert await found(caller, occurredAt={"to": instants[1]}, contactId=contact["id"]) == ["first"]
    assert await found(caller, name="nothing") == []


async def test_an_event_shows_its_contact_and_the_message_it_is_attributed_to() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, externalId="crm-1", name="Maria")
    message = await stored_message(caller, AT - timedelta(hours=1), contact_id=contact["id"])
    await happened(caller, "of-nobody", contact={"externalId": "nobody"})
    await happened(caller, "order", hours=1)

    shown = await data_of(
        caller,
        "{ customerEvents(first: 9) { nodes { contact { id name } attributedMessage { __typename id } } } }",
    )

    assert shown["customerEvents"]["nodes"] == [
        {
            "contact": {"id": contact["id"], "name": "Maria"},
            "attributedMessage": {"__typename": "SmsMessage", "id": message},
        },
        {"contact": None, "attributedMessage": None},
    ]


async def test_without_the_scope_of_messages_only_the_message_is_missing() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, externalId="crm-1")
    message = await stored_message(caller, AT - timedelta(hours=1), contact_id=contact["id"])
    await happened(caller, "order")

    content = await ask(
        bare(caller, Scope.CONTACTS_READ),
        "{ customerEvents(first: 1) { nodes { attribution { messageId } attributedMessage { id } } } }",
    )

    (shown,) = content["data"]["customerEvents"]["nodes"]
    assert shown == {"attribution": {"messageId": message}, "attributedMessage": None}
    (error,) = content["errors"]
    assert error["extensions"]["meta"] == {"escopoExigido": "sms:read"}


async def test_a_contact_shows_its_events_and_nobody_elses() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller, externalId="crm-1")
    for place in range(3):
        await happened(caller, f"order-{place}", hours=place)
    await happened(caller, "visit", hours=9, name="visit")
    await happened(caller, "of-another", contact={"externalId": "crm-2"})

    shown = await data_of(
        caller,
        """query($id: ID!) { contact(id: $id) {
          two: customerEvents(first: 2) { nodes { eventId } pageInfo { hasNextPage } totalCount }
          oldest: customerEvents(last: 1, filter: {name: "purchase"}) { nodes { eventId } } } }""",
        id=contact["id"],
    )

    assert shown["contact"]["two"] == {
        "nodes": [{"eventId": "visit"}, {"eventId": "order-2"}],
        "pageInfo": {"hasNextPage": True},
        "totalCount": 4,
    }
    assert shown["contact"]["oldest"]["nodes"] == [{"eventId": "order-0"}]


async def test_events_need_the_scope_of_contacts() -> None:
    caller = await a_caller("test")
    await happened(caller, "order")

    content = await ask(
        bare(caller, Scope.SMS_READ), "{ me { env } customerEvents(first: 1) { totalCount } }"
    )

    assert content["data"] == {"me": {"env": "TEST"}, "customerEvents": None}
    (error,) = content["errors"]
    assert error["extensions"]["meta"] == {"escopoExigido": "contacts:read"}


async def test_events_of_another_organization_and_environment_are_not_there() -> None:
    caller = await a_caller("test")
    await happened(caller, "order")

    for other in await other_sides(caller):
        assert await walked(other, "customerEvents") == []
