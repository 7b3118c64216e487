"""The funnel of a campaign: how far its messages came, and what customers did after them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from core import customer_events
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body
from core.messaging import Status
from core.read_models.statistics import CampaignStatsQuery, campaign_stats
from core.short_links.follow import Click, count_clicks
from tests.factories.organizations import a_caller
from tests.factories.short_links import a_link, some_links
from tests.factories.stored_contacts import stored_contact
from tests.factories.stored_messages import stored_message, stored_reply

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)
STEPS = ("sent", "delivered", "read", "clicked", "converted")


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def stats(caller: Caller, campaign: str = "autumn") -> dict[str, Any]:
    return await campaign_stats(
        caller, read_body(CampaignStatsQuery, orjson.dumps({"campaignId": campaign}))
    )


def steps(record: dict[str, Any]) -> tuple[int, ...]:
    return tuple(record[step] for step in STEPS)


async def bought(
    caller: Caller, contact: str, event_id: str, value: float | None, currency: str = "BRL"
) -> None:
    await customer_events.record_event(
        caller,
        customer_events.NewCustomerEvent(
            name="purchase",
            event_id=event_id,
            contact=customer_events.EventContact(contact_id=contact),
            occurred_at=AT + timedelta(hours=1),
            value=value,
            currency=currency,
        ),
    )


async def test_each_step_counts_messages_and_the_people_behind_them(caller: Caller) -> None:
    ana, bia = [await stored_contact(caller) for _ in range(2)]
    for contact in (ana, ana, bia, None):
        await stored_message(caller, AT, campaign_id="autumn", contact_id=contact)
    await stored_message(
        caller, AT, campaign_id="autumn", contact_id=bia, status=Status.UNDELIVERED
    )
    await stored_message(caller, AT, campaign_id="autumn", status=Status.QUEUED)
    await stored_reply(caller, AT, campaign_id="autumn", contact_id=ana)
    await stored_message(caller, AT + timedelta(minutes=1), campaign_id="winter", contact_id=ana)
    await bought(caller, ana, "order-1", None)

    answer = await stats(caller)

    assert answer["campaignId"] == "autumn"
    assert steps(answer) == (
        5,
        4,
        0,
        0,
        0,
    )  # the purchase is the last touch's, of the other campaign
    assert steps(answer["contacts"]) == (2, 2, 0, 0, 0)
    assert steps(await stats(caller, "winter")) == (1, 1, 0, 0, 1)


async def test_a_message_that_was_read_had_arrived(caller: Caller) -> None:
    """No channel of today says so: the status is written as later ones will."""
    id = await stored_message(caller, AT, campaign_id="autumn")
    await db.execute("UPDATE messages SET status = 'read' WHERE id = $1", id)

    assert steps(await stats(caller)) == (1, 1, 1, 0, 0)


async def test_a_message_is_clicked_once_and_by_people_only(caller: Caller) -> None:
    contact = await stored_contact(caller)
    text = "https://shop.example.com/a https://shop.example.com/b"
    _, links = await some_links(caller, text, campaignId="autumn", contactId=contact)
    _, by_bot = await a_link(caller, campaignId="autumn", contactId=contact)
    assert (await stats(caller))["clicked"] == 0

    people = [Click(link.code, "Mozilla", bot=False, at=now()) for link in (*links, *links)]
    await count_clicks([*people, Click(by_bot.code, "bot", bot=True, at=now())])

    answer = await stats(caller)
    assert (answer["clicked"], answer["contacts"]["clicked"]) == (1, 1)


async def test_a_message_is_converted_once_and_the_values_of_its_events_are_summed_by_currency(
    caller: Caller,
) -> None:
    ana, bia = [await stored_contact(caller) for _ in range(2)]
    for contact in (ana, bia):
        await stored_message(caller, AT, campaign_id="autumn", contact_id=contact)
    await bought(caller, ana, "order-1", 99.9)
    await bought(caller, ana, "order-2", 0.1)
    await bought(caller, ana, "order-3", 7.25, "USD")
    await bought(caller, bia, "visit", None)

    answer = await stats(caller)

    assert (answer["converted"], answer["contacts"]["converted"], answer["events"]) == (2, 2, 4)
    assert answer["values"] == [
        {"currency": "BRL", "value": 100.0},
        {"currency": "USD", "value": 7.25},
    ]


async def test_a_campaign_without_messages_is_one_of_zeros(caller: Caller) -> None:
    answer = await stats(caller)

    assert steps(answer) == steps(answer["contacts"]) == (0, 0, 0, 0, 0)
    assert (answer["events"], answer["values"]) == (0, [])


async def test_what_others_did_under_the_same_name_does_not_count(caller: Caller) -> None:
    contact = await stored_contact(caller)
    _, link = await a_link(caller, campaignId="autumn", contactId=contact)
    await count_clicks([Click(link.code, "Mozilla", bot=False, at=now())])
    await stored_message(caller, AT, campaign_id="autumn", contact_id=contact)
    await bought(caller, contact, "order-1", 5)
    assert steps(await stats(caller)) == (2, 1, 0, 1, 1)

    for stranger in (
        await a_caller(),
        await a_caller("live", organization_id=caller.organization_id),
    ):
        answer = await stats(stranger)
        assert steps(answer) == steps(answer["contacts"]) == (0, 0, 0, 0, 0)
        assert (answer["events"], answer["values"]) == (0, [])


async def test_the_scope_of_campaigns_is_needed_and_opens_all_of_it(caller: Caller) -> None:
    await stored_message(caller, AT, campaign_id="autumn")
    reader = await a_caller(
        scopes=frozenset({Scope.CAMPAIGNS_READ}), organization_id=caller.organization_id
    )
    stranger = await a_caller(
        scopes=frozenset({Scope.SMS_READ, Scope.CONTACTS_READ}),
        organization_id=caller.organization_id,
    )

    assert steps(await stats(reader)) == (1, 1, 0, 0, 0)
    with pytest.raises(Forbidden) as refusal:
        await stats(stranger)
    assert refusal.value.meta == {"escopoExigido": "campaigns:read"}


async def test_a_name_that_no_campaign_can_have_is_refused(caller: Caller) -> None:
    for name in ("", "a\x00", "a" * 81):
        with pytest.raises(ValidationFailed) as refusal:
            await stats(caller, name)
        assert [error.where for error in refusal.value.errors] == ["/campaignId"]
