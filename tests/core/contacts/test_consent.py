"""What people consented to: its dates, its moves, its proof."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from core import contacts
from core.contacts import Contact, ContactDenial
from core.contacts.errors import (
    ConsentBeforeRevocation,
    ConsentCannotBeForgotten,
    ConsentInTheFuture,
)
from core.contacts.models import ContactConsent
from core.foundation.clock import now, wire_time
from core.foundation.database.tenancy import owned_by
from core.foundation.security.caller import Caller
from tests.core.contacts.conftest import as_session, strangers
from tests.factories.contacts import a_contact, a_denial, a_phone, changed_contact, read_contact
from tests.support.sql_tables import rows_of
from tests.support.told import audited, events

LONG_AGO = "2020-01-02T03:04:05.000Z"
LATER = "2021-01-01T00:00:00.000Z"


def wire(minutes: int) -> str:
    return wire_time(now() + timedelta(minutes=minutes))


async def ledger(caller: Caller) -> list[ContactConsent]:
    return await ContactConsent.visible_to(caller).order_by("id")


async def facts(caller: Caller) -> list[dict[str, Any]]:
    return [
        entry["facts"] for entry in await audited(caller.organization_id, "contact.consent_changed")
    ]


@pytest.mark.parametrize(("status", "date"), [("granted", "at"), ("denied", "revokedAt")])
async def test_the_date_of_a_consent_is_the_time_of_the_server(
    caller: Caller, status: str, date: str
) -> None:
    before = now()

    made = await a_contact(caller, optIn={"status": status})

    told = datetime.fromisoformat(made["optIn"][date])
    assert before - timedelta(milliseconds=1) <= told <= now()
    assert made["optIn"][date] == made["createdAt"]
    assert set(made["optIn"]) == {"status", date}
    assert [fact["dataInformada"] for fact in await facts(caller)] == [False]


@pytest.mark.parametrize(("status", "date"), [("granted", "at"), ("denied", "revokedAt")])
async def test_a_key_may_tell_the_date_of_an_old_consent(
    caller: Caller, status: str, date: str
) -> None:
    made = await a_contact(caller, optIn={"status": status, date: LONG_AGO, "source": "form"})

    assert made["optIn"] == {"status": status, date: LONG_AGO, "source": "form"}
    (fact,) = await facts(caller)
    assert fact == {"from": "unknown", "to": status, "dataInformada": True, "em": LONG_AGO}
    (entry,) = await ledger(caller)
    assert (wire_time(entry.at), entry.date_informed) == (LONG_AGO, True)


@pytest.mark.parametrize(("status", "date"), [("granted", "at"), ("denied", "revokedAt")])
async def test_in_a_session_dates_in_the_body_do_not_count(
    caller: Caller, status: str, date: str
) -> None:
    for told in (LONG_AGO, "2999-01-01T00:00:00Z"):
        made = await a_contact(as_session(caller), optIn={"status": status, date: told})
        assert made["optIn"][date] == made["createdAt"]

    assert [fact["dataInformada"] for fact in await facts(caller)] == [False, False]


async def test_who_was_created_as_denied_keeps_the_date_of_the_old_grant(caller: Caller) -> None:
    opt_in = {"status": "denied", "at": LONG_AGO, "revokedAt": LATER, "revokedReason": "Moved away"}

    made = await a_contact(caller, optIn=opt_in)

    assert made["optIn"] == opt_in
    assert (await a_contact(as_session(caller), optIn=opt_in))["optIn"].keys() == {
        "status",
        "revokedAt",
        "revokedReason",
    }


@pytest.mark.parametrize(
    ("opt_in", "where"),
    [
        ({"status": "granted", "at": 6}, "/optIn/at"),
        ({"status": "denied", "revokedAt": 6}, "/optIn/revokedAt"),
        ({"status": "denied", "at": 6}, "/optIn/at"),
    ],
)
async def test_a_date_beyond_five_minutes_from_now_is_refused(
    caller: Caller, opt_in: dict[str, Any], where: str
) -> None:
    sent = {
        name: wire(value) if isinstance(value, int) else value for name, value in opt_in.items()
    }
    made = await a_contact(caller)

    for create in (True, False):
        with pytest.raises(ConsentInTheFuture) as refused:
            await (
                a_contact(caller, optIn=sent)
                if create
                else changed_contact(caller, made["id"], optIn=sent)
            )
        assert refused.value.meta == {"code": "DATA_DO_CONSENTIMENTO_NO_FUTURO"}
        assert [error.where for error in refused.value.errors] == [where]

    assert await ledger(caller) == []
    assert await Contact.visible_to(caller).count() == 1


async def test_the_clock_of_a_caller_may_be_five_minutes_ahead(caller: Caller) -> None:
    soon = wire(4)

    assert (await a_contact(caller, optIn={"status": "granted", "at": soon}))["optIn"]["at"] == soon


async def test_a_date_with_another_offset_is_shown_in_utc(caller: Caller) -> None:
    made = await a_contact(caller, optIn={"status": "granted", "at": "2020-01-01T21:00:00-03:00"})

    assert made["optIn"]["at"] == "2020-01-02T00:00:00.000Z"


async def test_who_consented_to_nothing_has_no_date(caller: Caller) -> None:
    made = await a_contact(
        caller, optIn={"status": "unknown", "at": "2999-01-01T00:00:00Z", "source": "form"}
    )

    assert made["optIn"] == {"status": "unknown", "source": "form"}
    assert await ledger(caller) == []
    assert await facts(caller) == []


async def test_the_ledger_has_the_proof_of_every_move(caller: Caller) -> None:
    proof = {"source": "shop", "ip": "203.0.113.7", "userAgent": "Mozilla/5.0"}
    made = await a_contact(caller, optIn={"status": "granted", **proof})
    await changed_contact(
        caller, made["id"], optIn={"status": "denied", "revokedReason": "Too many"}
    )
    await changed_contact(
        caller, made["id"], optIn={"status": "granted", "source": "phone", "at": wire(1)}
    )

    entries = await ledger(caller)

    assert [(entry.status, entry.source, entry.reason) for entry in entries] == [
        ("granted", "shop", None),
        ("denied", "shop", "Too many"),
        ("granted", "phone", None),
    ]
    assert {
        (entry.contact_id, entry.channel, entry.request_id, entry.credential_id)
        for entry in entries
    } == {(made["id"], "todos", "req_of_the_test", "key_of_the_test")}
    assert (entries[0].ip, entries[0].user_agent) == ("203.0.113.7", "Mozilla/5.0")


async def test_a_denial_sets_the_date_and_the_reason_and_tells_subscribers(caller: Caller) -> None:
    made = await a_contact(
        caller, phone="+5511987654321", optIn={"status": "granted", "source": "form"}
    )

    opt_in = {
        "status": "denied",
        "revokedAt": LATER,
        "revokedReason": "Too many",
        "source": "phone",
    }
    after = await changed_contact(caller, made["id"], optIn=opt_in)

    assert after["optIn"] == {**opt_in, "at": made["optIn"]["at"]}
    (event,) = await events(caller.organization_id, "contact.opted_out")
    assert event["data"] == {
        "id": made["id"],
        "env": "test",
        "phone": "+5511987654321",
        "channel": "todos",
        "reason": "Too many",
        "source": "phone",
        "at": LATER,
    }
    (denial,) = await rows_of(ContactDenial).filter(**owned_by(caller))
    assert (denial.channel, wire_time(denial.denied_at), denial.reason) == (
        "todos",
        LATER,
        "Too many",
    )


async def test_a_grant_tells_no_subscriber(caller: Caller) -> None:
    await a_contact(caller, optIn={"status": "granted"})

    assert await events(caller.organization_id, "contact.opted_out") == []


@pytest.mark.parametrize(
    "opt_in",
    [
        {"status": "granted"},
        {"status": "granted", "source": "form"},
        {"status": "granted", "at": "2022-01-01T00:00:00Z"},
        {"status": "granted", "source": "", "at": "2022-01-01T00:00:00Z"},
        {"status": "granted", "source": "form", "at": "2020-12-31T23:59:59Z"},
        {"status": "granted", "source": "form", "at": LONG_AGO},
    ],
)
async def test_who_denied_grants_again_only_with_source_and_a_later_date(
    caller: Caller, opt_in: dict[str, Any]
) -> None:
    made = await a_contact(caller, optIn={"status": "denied", "revokedAt": LATER})

    with pytest.raises(ConsentBeforeRevocation) as refused:
        await changed_contact(caller, made["id"], optIn=opt_in, name="Ana")

    assert refused.value.meta == {"code": "CONSENTIMENTO_ANTERIOR_A_REVOGACAO"}
    assert await read_contact(caller, made["id"]) == made
    assert len(await ledger(caller)) == await rows_of(ContactDenial).count() == 1


async def test_a_later_grant_ends_the_denials_of_every_channel(caller: Caller) -> None:
    made = await a_contact(caller, email="ana@example.com")
    for channel in ("sms", "email", "todos"):
        await a_denial(caller, made["phone"], channel)

    after = await changed_contact(
        caller, made["id"], optIn={"status": "granted", "source": "form", "at": wire(1)}
    )

    assert set(after["optIn"]) == {"status", "source", "at"}
    assert await rows_of(ContactDenial).count() == 0


async def test_in_a_session_a_source_is_enough_to_grant_again(caller: Caller) -> None:
    made = await a_contact(caller, optIn={"status": "denied"})
    session = as_session(caller)

    with pytest.raises(ConsentBeforeRevocation):
        await changed_contact(session, made["id"], optIn={"status": "granted"})
    after = await changed_contact(
        session, made["id"], optIn={"status": "granted", "source": "on the phone"}
    )

    assert after["optIn"]["status"] == "granted"


@pytest.mark.parametrize("status", ["granted", "denied"])
async def test_a_consent_is_not_forgotten(caller: Caller, status: str) -> None:
    made = await a_contact(caller, optIn={"status": status})

    with pytest.raises(ConsentCannotBeForgotten):
        await changed_contact(caller, made["id"], optIn={"status": "unknown"})

    assert await read_contact(caller, made["id"]) == made


@pytest.mark.parametrize("status", ["granted", "denied"])
async def test_the_status_that_stands_keeps_its_proof(caller: Caller, status: str) -> None:
    made = await a_contact(
        caller, optIn={"status": status, "source": "form", "at": LONG_AGO, "revokedAt": LATER}
    )

    again = {
        "status": status,
        "source": "other",
        "at": wire(1),
        "revokedAt": wire(1),
        "revokedReason": "x",
    }
    assert await changed_contact(caller, made["id"], optIn=again) == made

    assert len(await ledger(caller)) == 1


async def test_a_closed_channel_opens_again_by_a_later_grant_with_its_source(
    caller: Caller,
) -> None:
    made = await a_contact(caller, optIn={"status": "granted", "source": "form"})
    await a_denial(caller, made["phone"], "sms")

    for careless in (
        {"status": "granted"},
        {"status": "granted", "source": "crm", "at": made["optIn"]["at"]},
    ):
        assert await changed_contact(caller, made["id"], optIn=careless) == made
        assert await rows_of(ContactDenial).count() == 1
    later = wire(1)
    after = await changed_contact(
        caller, made["id"], optIn={"status": "granted", "source": "call", "at": later}
    )

    assert after["optIn"] == {"status": "granted", "source": "call", "at": later}
    assert await rows_of(ContactDenial).count() == 0
    assert [(entry.channel, entry.status) for entry in await ledger(caller)] == [
        ("todos", "granted"),
        ("sms", "denied"),
        ("todos", "granted"),
    ]


async def test_who_denied_before_there_was_a_contact_starts_denied(caller: Caller) -> None:
    phone = a_phone()
    await contacts.opt_out(
        caller, contacts.OptOut(phones=[phone], reason="Asked by phone", source="call centre")
    )
    told = await events(caller.organization_id, "contact.opted_out")

    made = await a_contact(caller, phone=phone, optIn={"status": "granted"})

    assert made["optIn"]["status"] == "denied"
    assert (made["optIn"]["revokedReason"], made["optIn"]["source"]) == (
        "Asked by phone",
        "call centre",
    )
    (fact,) = await facts(caller)
    assert (fact["to"], fact["herdada"]) == ("denied", True)
    assert await events(caller.organization_id, "contact.opted_out") == told == []


async def test_an_email_that_denied_before_denies_too(caller: Caller) -> None:
    await contacts.opt_out(caller, contacts.OptOut(emails=["Ana@example.com"]))

    assert (await a_contact(caller, email="ana@Example.com"))["optIn"]["status"] == "denied"


async def test_a_denial_on_one_channel_leaves_the_consent_of_a_new_contact(caller: Caller) -> None:
    phone = a_phone()
    await a_denial(caller, phone, "sms")

    assert (await a_contact(caller, phone=phone))["optIn"] == {"status": "unknown"}
    assert await rows_of(ContactDenial).count() == 1


async def test_a_new_contact_brings_a_grant_that_is_later_than_the_denial(caller: Caller) -> None:
    phone = a_phone()
    await contacts.opt_out(
        caller, contacts.OptOut(phones=[phone], at=datetime.fromisoformat(LONG_AGO))
    )

    made = await a_contact(
        caller, phone=phone, optIn={"status": "granted", "source": "form", "at": LATER}
    )

    assert made["optIn"] == {"status": "granted", "source": "form", "at": LATER}
    assert await rows_of(ContactDenial).count() == 0


async def test_denials_of_others_do_not_count(caller: Caller) -> None:
    phone = a_phone()
    for stranger in await strangers(caller):
        await a_denial(stranger, phone)

    assert (await a_contact(caller, phone=phone))["optIn"]["status"] == "unknown"
