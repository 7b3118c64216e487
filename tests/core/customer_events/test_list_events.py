"""Listing events of a period."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import customer_events
from core.customer_events import CustomerEventFilter, NewCustomerEvent
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def happened(
    caller: Caller, id: str, *, hours: int, name: str = "purchase", who: str = "crm-1"
) -> None:
    await customer_events.record_event(
        caller,
        NewCustomerEvent(
            name=name,
            event_id=id,
            contact=customer_events.EventContact(external_id=who),
            occurred_at=AT + timedelta(hours=hours),
        ),
    )


async def page(caller: Caller, **filter: Any) -> dict[str, Any]:
    period = {"from": AT - timedelta(days=1), "to": AT + timedelta(days=1)}
    return dict(
        await customer_events.list_events(
            caller, CustomerEventFilter.model_validate({**period, **filter})
        )
    )


def ids(found: dict[str, Any]) -> list[str]:
    return [item["eventId"] for item in found["items"]]


async def test_events_of_the_period_come_newest_first(caller: Caller) -> None:
    for hours in (-25, -24, 0, 24, 25):
        await happened(caller, str(hours), hours=hours)

    assert ids(await page(caller)) == ["24", "0", "-24"]


async def test_events_are_found_by_name_and_contact(caller: Caller) -> None:
    contact = await stored_contact(caller, external_id="crm-1")
    await happened(caller, "a", hours=0)
    await happened(caller, "b", hours=1, name="visit")
    await happened(caller, "c", hours=2, who="unknown")

    assert ids(await page(caller, name="visit")) == ["b"]
    assert ids(await page(caller, contactId=contact)) == ["b", "a"]
    assert ids(await page(caller, contactId="cnt_x")) == []


async def test_pages_follow_each_other(caller: Caller) -> None:
    for number in range(5):
        await happened(caller, str(number), hours=number // 2)

    first = await page(caller, limit=2)
    second = await page(caller, limit=2, cursor=first["nextCursor"])
    third = await page(caller, limit=2, cursor=second["nextCursor"])

    assert sorted(ids(first) + ids(second) + ids(third)) == ["0", "1", "2", "3", "4"]
    assert "nextCursor" not in third
    assert len((await page(caller, limit=1000))["items"]) == 5
    with pytest.raises(ValidationFailed):
        await page(caller, cursor="nonsense")


async def test_events_of_others_are_not_there(caller: Caller) -> None:
    await happened(caller, "a", hours=0)

    for stranger in (
        await a_caller(),
        await a_caller("live", organization_id=caller.organization_id),
    ):
        assert ids(await page(stranger)) == []


async def test_listing_needs_its_scope(caller: Caller) -> None:
    stranger = await a_caller(
        scopes=frozenset({Scope.SMS_READ}), organization_id=caller.organization_id
    )

    with pytest.raises(Forbidden):
        await page(stranger)
