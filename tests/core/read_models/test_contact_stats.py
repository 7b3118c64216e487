"""Contacts over time: who came, and who agreed to messages or refused them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from core import contacts, privacy
from core.contacts import Contact
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body
from core.read_models.statistics import ContactStatsQuery, contact_stats
from tests.factories.contacts import a_contact, a_denial, a_phone, changed_contact
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)
DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)
PERIOD = {"from": "2026-01-20T00:00:00Z", "to": "2026-01-23T00:00:00Z"}
GRANTED = {"status": "granted", "source": "form"}


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def stats(caller: Caller, **fields: Any) -> dict[str, Any]:
    return await contact_stats(caller, read_body(ContactStatsQuery, orjson.dumps(fields)))


async def moves(caller: Caller) -> tuple[int, int]:
    """Opt-ins and opt-outs of the last 30 days."""
    totals = (await stats(caller))["totals"]
    return totals["optIns"], totals["optOuts"]


async def test_growth_is_told_for_every_bucket_with_the_number_at_its_end(caller: Caller) -> None:
    for at in (AT - 40 * DAY, AT, AT + 2 * DAY, AT + 2 * DAY, AT + 3 * DAY):
        await stored_contact(caller, created_at=at)

    answer = await stats(caller, **PERIOD)

    assert [(point["at"][:10], point["created"], point["total"]) for point in answer["points"]] == [
        ("2026-01-20", 1, 2), ("2026-01-21", 0, 2), ("2026-01-22", 2, 4),
    ]  # fmt: skip
    assert answer["totals"] == {"created": 3, "optIns": 0, "optOuts": 0, "total": 4}


async def test_the_period_holds_its_begin_and_not_its_end(caller: Caller) -> None:
    since, until = (datetime.fromisoformat(PERIOD[name]) for name in ("from", "to"))
    for at in (since - INSTANT, since, until - INSTANT, until):
        await stored_contact(caller, created_at=at)

    answer = await stats(caller, **PERIOD)

    assert [point["created"] for point in answer["points"]] == [1, 0, 1]
    assert answer["totals"]["total"] == 3


async def test_a_contact_counts_on_the_day_of_the_zone(caller: Caller) -> None:
    await stored_contact(caller, created_at=datetime(2026, 1, 21, 2, 59, tzinfo=UTC))

    points = (await stats(caller, **PERIOD, timezone="America/Sao_Paulo"))["points"]

    assert [(point["at"][:10], point["created"]) for point in points][:3] == [
        ("2026-01-19", 0), ("2026-01-20", 1), ("2026-01-21", 0),
    ]  # fmt: skip


async def test_agreeing_and_refusing_are_counted_each_time(caller: Caller) -> None:
    contact = await a_contact(caller, optIn=GRANTED)
    assert await moves(caller) == (1, 0)

    await a_denial(caller, contact["phone"], "sms")
    await a_denial(caller, contact["phone"])
    assert await moves(caller) == (1, 2)

    later = (await contacts.get_contact(caller, contact["id"]))["optIn"]["revokedAt"]
    after = datetime.fromisoformat(later) + timedelta(seconds=1)
    await changed_contact(caller, contact["id"], optIn={**GRANTED, "at": after.isoformat()})
    assert await moves(caller) == (2, 2)


async def test_an_old_consent_counts_when_it_was_recorded(caller: Caller) -> None:
    await a_contact(caller, optIn={**GRANTED, "at": "2020-01-01T00:00:00Z"})
    await a_contact(caller, optIn={"status": "denied", "revokedAt": "2020-01-01T00:00:00Z"})

    assert await moves(caller) == (1, 1)


async def test_a_denial_that_a_new_contact_inherits_is_not_another_one(caller: Caller) -> None:
    contact = await a_contact(caller)
    await a_denial(caller, contact["phone"])
    await privacy.erase_contact(caller, contact["id"])
    assert (await a_contact(caller, phone=contact["phone"]))["optIn"]["status"] == "denied"

    assert await moves(caller) == (0, 1)


async def test_an_address_of_nobody_has_no_contact_that_opted_out(caller: Caller) -> None:
    await a_denial(caller, a_phone())

    assert await moves(caller) == (0, 0)


async def test_contacts_of_others_do_not_count(caller: Caller) -> None:
    await a_contact(caller, optIn=GRANTED)
    await a_contact(caller, optIn={"status": "denied"})

    assert (await stats(caller))["totals"] == {"created": 2, "optIns": 1, "optOuts": 1, "total": 2}
    for stranger in (
        await a_caller(),
        await a_caller("live", organization_id=caller.organization_id),
    ):
        assert (await stats(stranger))["totals"] == {
            "created": 0,
            "optIns": 0,
            "optOuts": 0,
            "total": 0,
        }


async def test_an_erased_contact_does_not_count_any_more_but_what_it_said_does(
    caller: Caller,
) -> None:
    contact = await a_contact(caller, optIn=GRANTED)
    await privacy.erase_contact(caller, contact["id"])

    assert await Contact.visible_to(caller).count() == 0
    assert (await stats(caller))["totals"] == {"created": 0, "optIns": 1, "optOuts": 0, "total": 0}


async def test_the_scope_of_contacts_is_needed(caller: Caller) -> None:
    stranger = await a_caller(
        scopes=frozenset({Scope.SMS_READ}), organization_id=caller.organization_id
    )

    with pytest.raises(Forbidden) as refusal:
        await stats(stranger)
    assert refusal.value.meta == {"escopoExigido": "contacts:read"}


async def test_what_makes_no_sense_is_refused(caller: Caller) -> None:
    nonsense: list[dict[str, Any]] = [
        {"timezone": "Mars/Base"}, {"from": "9998-01-01T00:00:00Z"}, {"to": "0001-01-01T00:00:00Z"},
        {"from": "2020-01-01T00:00:00Z"}, {"filter": {}},
    ]  # fmt: skip
    for fields in nonsense:
        with pytest.raises(ValidationFailed):
            await stats(caller, **fields)
