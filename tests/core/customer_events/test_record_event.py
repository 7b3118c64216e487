"""Recording an event: once, for the right contact, attributed to the last message that touched it."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from core import customer_events
from core.customer_events import CustomerEvent, NewCustomerEvent
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body
from core.webhooks import WebhookEvent
from tests.factories.messages import a_message
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact, stored_contacts
from tests.support.plans import forget_statistics, rows_read

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


def event(**changes: Any) -> NewCustomerEvent:
    body = {
        "name": "purchase",
        "eventId": "order-1",
        "contact": {"externalId": "crm-1"},
        "occurredAt": wire_time(AT),
    }
    return read_body(NewCustomerEvent, orjson.dumps({**body, **changes}))


async def record(caller: Caller, **changes: Any) -> dict[str, Any]:
    return dict(await customer_events.record_event(caller, event(**changes)))


async def a_touch(
    caller: Caller, contact_id: str, *, hours: float, status: str = "delivered", **columns: Any
) -> str:
    """A message sent so many hours before the event."""
    id = await a_message(caller)
    sent_at = AT - timedelta(hours=hours)
    changes = {
        "contact_id": contact_id,
        "status": status,
        "sent_at": sent_at,
        "created_at": sent_at,
        **columns,
    }
    places = ", ".join(f"{column} = ${place}" for place, column in enumerate(changes, start=2))
    await db.execute(f"UPDATE messages SET {places} WHERE id = $1", id, *changes.values())
    return id


@pytest.mark.parametrize("channel", ["whatsapp", "instagram"])
async def test_a_message_of_a_conversation_is_a_touch_until_it_fails(
    caller: Caller, channel: str
) -> None:
    contact = await stored_contact(caller, external_id="crm-1")
    touch = await a_touch(caller, contact, hours=3, channel=channel, campaign_id="outono")
    aside = await a_touch(caller, contact, hours=2, status="archived", channel=channel)
    await a_touch(caller, contact, hours=1, status="archived", channel=channel, failed_at=AT)
    await a_touch(
        caller, contact, hours=0.5, status="delivered", channel=channel, direction="inbound"
    )

    assert (await record(caller))["attribution"] | {"sentAt": None} == {
        "messageId": aside,
        "channel": channel,
        "sentAt": None,
        "horasAteOEvento": 2.0,
    }
    before = await record(
        caller, eventId="order-2", occurredAt=wire_time(AT - timedelta(hours=2.5))
    )
    assert (before["attribution"]["messageId"], before["attribution"]["campaignId"]) == (
        touch,
        "outono",
    )


async def test_an_event_at_the_time_that_a_message_shows_is_attributed_to_it(
    caller: Caller,
) -> None:
    contact = await stored_contact(caller, external_id="crm-1")
    sent = (AT - timedelta(hours=1)).replace(microsecond=123_999)
    touch = await a_touch(caller, contact, hours=0, sent_at=sent, created_at=sent)

    recorded = await record(caller, occurredAt=wire_time(sent))

    shown = {
        name: recorded["attribution"][name] for name in ("messageId", "sentAt", "horasAteOEvento")
    }
    assert shown == {"messageId": touch, "sentAt": recorded["occurredAt"], "horasAteOEvento": 0.0}


async def test_an_event_is_stored_with_all_that_was_sent(caller: Caller) -> None:
    contact = await stored_contact(caller, external_id="crm-1")

    recorded = await record(
        caller, value=99.9, currency="USD", properties={"sku": "A-1", "items": 2}
    )

    assert recorded == {
        "id": recorded["id"],
        "name": "purchase",
        "eventId": "order-1",
        "contactId": contact,
        "contactExternalId": "crm-1",
        "occurredAt": "2026-01-20T12:00:00.000Z",
        "value": 99.9,
        "currency": "USD",
        "properties": {"sku": "A-1", "items": 2},
        "attribution": None,
        "duplicate": False,
    }


async def test_a_value_is_in_reais_and_now_unless_something_else_is_said(caller: Caller) -> None:
    before = now()

    recorded = await record(caller, value=10, occurredAt=None)

    assert recorded["currency"] == "BRL"
    assert wire_time(before) <= recorded["occurredAt"] <= wire_time(now())


async def test_an_event_without_a_value_has_no_currency(caller: Caller) -> None:
    assert (await record(caller)).keys().isdisjoint({"value", "currency"})


async def test_a_currency_that_was_sent_is_kept(caller: Caller) -> None:
    assert (await record(caller, currency="USD"))["currency"] == "USD"


async def test_an_event_publishes_nothing(caller: Caller) -> None:
    await record(caller)

    assert await WebhookEvent.all().count() == 0


async def test_an_event_may_lie_at_the_beginning_of_time(caller: Caller) -> None:
    await stored_contact(caller, external_id="crm-1")

    recorded = await record(caller, occurredAt="0001-01-01T00:00:00Z")

    assert recorded["occurredAt"] == "0001-01-01T00:00:00.000Z"
    assert recorded["attribution"] is None


async def test_a_message_that_did_not_arrive_counts_as_long_as_it_was_sent(caller: Caller) -> None:
    contact = await stored_contact(caller, external_id="crm-1")
    id = await a_touch(caller, contact, hours=1, status="undelivered")

    assert (await record(caller))["attribution"]["messageId"] == id


@pytest.mark.parametrize("channel", ["whatsapp", "sms", "rcs", "email"])
async def test_a_message_of_any_channel_counts(caller: Caller, channel: str) -> None:
    contact = await stored_contact(caller, external_id="crm-1")
    await a_touch(caller, contact, hours=1, channel=channel)

    assert (await record(caller))["attribution"]["channel"] == channel


async def test_a_message_to_the_phone_that_did_not_carry_the_contact_is_not_attributed(
    caller: Caller,
) -> None:
    await stored_contact(caller, external_id="crm-1", phone="+5511987650005")
    id = await a_message(caller)
    await db.execute(
        "UPDATE messages SET sent_at = $2, created_at = $2 WHERE id = $1",
        id,
        AT - timedelta(hours=1),
    )

    assert (await record(caller))["attribution"] is None


async def test_the_same_event_again_is_a_duplicate_and_stored_once(caller: Caller) -> None:
    first = await record(caller, value=1)

    again = await record(caller, value=2, name="other")

    assert again == {**first, "duplicate": True}
    assert await CustomerEvent.all().count() == 1
    for other in (await a_caller(), await a_caller("live", organization_id=caller.organization_id)):
        assert (await record(other))["duplicate"] is False


@pytest.mark.parametrize("identifier", ["contactId", "externalId", "phone", "email"])
async def test_a_contact_is_found_by_any_of_its_identifiers(
    caller: Caller, identifier: str
) -> None:
    known = {"phone": "+5511987654321", "external_id": "crm-1", "email": "Ana@Example.com"}
    contact = await stored_contact(caller, **known)
    sent = {
        "contactId": contact,
        "externalId": "crm-1",
        "phone": "(11) 8765-4321",
        "email": "ana@example.COM",
    }

    recorded = await record(caller, contact={identifier: sent[identifier]})

    assert (recorded["contactId"], recorded["contactExternalId"]) == (contact, "crm-1")


async def test_identifiers_of_one_contact_agree_and_unknown_ones_do_not_matter(
    caller: Caller,
) -> None:
    contact = await stored_contact(caller, phone="+5511987654321", email="shared@example.com")
    await stored_contact(caller, email="shared@example.com")

    whole = {
        "contactId": contact,
        "phone": "+5511987654321",
        "email": "shared@example.com",
        "externalId": "unknown",
    }

    assert (await record(caller, contact=whole))["contactId"] == contact


async def test_identifiers_of_different_contacts_are_refused(caller: Caller) -> None:
    await stored_contact(caller, external_id="crm-1")
    other = await stored_contact(caller, phone="+5511987654321", email="other@example.com")

    for contact in (
        {"externalId": "crm-1", "contactId": other},
        {"externalId": "crm-1", "phone": "+5511987654321"},
        {"externalId": "crm-1", "email": "other@example.com"},
    ):
        with pytest.raises(ValidationFailed) as refused:
            await record(caller, contact=contact)
        assert {error.where for error in refused.value.errors} == {
            f"/contact/{name}" for name in contact
        }
        assert refused.value.meta == {"code": "CONTATOS_DIFERENTES"}
    assert await CustomerEvent.all().count() == 0


async def test_an_email_of_several_contacts_names_none(caller: Caller) -> None:
    await stored_contact(caller, email="shared@example.com")
    await stored_contact(caller, email="shared@example.com")

    with pytest.raises(ValidationFailed) as refused:
        await record(caller, contact={"email": "shared@example.com"})

    assert refused.value.meta == {"code": "CONTATO_AMBIGUO"}
    assert await CustomerEvent.all().count() == 0


async def test_one_of_many_contacts_is_found_by_its_key_before_anybody_has_counted_them(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    (id, *_) = await stored_contacts(caller, [{}] * 500)
    new = NewCustomerEvent.model_validate(
        {"name": "purchase", "eventId": "e1", "contact": {"contactId": id}}
    )

    await forget_statistics("contacts")
    read = await rows_read(customer_events.record_event(caller, new), "contacts", monkeypatch)

    assert read <= 4


async def test_an_unknown_contact_is_no_error(caller: Caller) -> None:
    stranger = await a_caller()
    await stored_contact(stranger, external_id="crm-1")

    recorded = await record(caller)

    assert "contactId" not in recorded
    assert recorded["contactExternalId"] == "crm-1"
    assert recorded["attribution"] is None


async def test_an_event_is_attributed_to_the_last_message_before_it(caller: Caller) -> None:
    contact = await stored_contact(caller, external_id="crm-1")
    await a_touch(caller, contact, hours=30)
    last = await a_touch(caller, contact, hours=2.5, campaign_id="november")
    await a_touch(caller, contact, hours=-1)

    recorded = await record(caller)

    assert recorded["attribution"] == {
        "messageId": last,
        "channel": "sms",
        "campaignId": "november",
        "sentAt": "2026-01-20T09:30:00.000Z",
        "horasAteOEvento": 2.5,
    }


@pytest.mark.parametrize(
    ("hours", "window", "touched"),
    [
        (168, None, True),
        (168.01, None, False),
        (2, 2, True),
        (2.01, 2, False),
        (720, 720, True),
        (0, None, True),
    ],
)
async def test_the_window_includes_its_end(
    caller: Caller, hours: float, window: int | None, touched: bool
) -> None:
    contact = await stored_contact(caller, external_id="crm-1")
    await a_touch(caller, contact, hours=hours)

    recorded = await record(
        caller, **({} if window is None else {"attributionWindowHours": window})
    )

    assert (recorded["attribution"] is not None) == touched


async def test_what_did_not_touch_the_contact_is_not_attributed(caller: Caller) -> None:
    contact = await stored_contact(caller, external_id="crm-1")
    other = await stored_contact(caller)
    await a_touch(caller, contact, hours=1, status="failed")
    await a_touch(caller, contact, hours=1, direction="inbound")
    await a_touch(caller, contact, hours=1, sent_at=None)
    await a_touch(caller, other, hours=1)
    live = await a_caller("live", organization_id=caller.organization_id)
    await a_touch(live, contact, hours=1)

    assert (await record(caller))["attribution"] is None


async def test_an_attribution_stands_when_later_messages_come(caller: Caller) -> None:
    contact = await stored_contact(caller, external_id="crm-1")
    first = await record(caller)
    await a_touch(caller, contact, hours=1)

    assert (await record(caller))["attribution"] is None
    assert first["attribution"] is None


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"name": ""}, "/name"),
        ({"eventId": ""}, "/eventId"),
        ({"contact": {}}, "/contact"),
        ({"contact": {"phone": "12"}}, "/contact/phone"),
        ({"contact": {"phone": "+5511*****4321"}}, "/contact/phone"),
        ({"contact": {"email": "a***@example.com"}}, "/contact/email"),
        ({"contact": {"cpf": "1"}}, "/contact/cpf"),
        ({"value": "10"}, "/value"),
        ({"value": 1e13}, "/value"),
        ({"currency": "brl"}, "/currency"),
        ({"currency": "XXX"}, "/currency"),
        ({"properties": {"a b": 1}}, "/properties/a b"),
        ({"properties": {"a": {"b": 1}}}, "/properties/a"),
        ({"attributionWindowHours": 0}, "/attributionWindowHours"),
        ({"attributionWindowHours": 721}, "/attributionWindowHours"),
        ({"occurredAt": "soon"}, "/occurredAt"),
    ],
)
def test_a_faulty_field_is_named(changes: dict[str, Any], where: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        event(**changes)

    assert [error.where for error in refused.value.errors] == [where]


def test_the_callers_clock_may_run_five_minutes_before_ours() -> None:
    event(occurredAt=wire_time(now() + timedelta(minutes=4)))

    with pytest.raises(ValidationFailed):
        event(occurredAt=wire_time(now() + timedelta(minutes=6)))


async def test_recording_needs_its_scope(caller: Caller) -> None:
    reader = await a_caller(
        scopes=frozenset({Scope.CONTACTS_READ}), organization_id=caller.organization_id
    )

    with pytest.raises(Forbidden):
        await record(reader)

    assert await CustomerEvent.all().count() == 0


@pytest.mark.usefixtures("real_commits")
async def test_the_same_event_arriving_together_is_stored_once() -> None:
    caller = await a_caller()
    await stored_contact(caller, external_id="crm-1")

    recorded = await asyncio.gather(*(record(caller) for _ in range(8)))

    assert sorted(one["duplicate"] for one in recorded) == [False] + [True] * 7
    assert len({one["id"] for one in recorded}) == 1
    assert await CustomerEvent.all().count() == 1
