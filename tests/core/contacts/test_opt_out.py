"""Recording who asked not to receive messages."""

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from core import contacts, sms
from core.contacts import Contact, ContactDenial
from core.contacts.errors import ConsentInTheFuture
from core.contacts.models import ContactConsent
from core.foundation.clock import wire_time
from core.foundation.database.tenancy import owned_by
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body
from core.sms.errors import SmsRecipientOptedOut
from tests.core.contacts.conftest import as_session, strangers
from tests.factories.contacts import a_contact, a_denial, a_phone, changed_contact, read_contact
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.support.sql_tables import rows_of
from tests.support.told import audited, events

NOBODY: dict[str, list[str]] = {"contactIds": [], "externalIds": []}
LONG_AGO = "2020-01-02T03:04:05.000Z"


def wish(**body: Any) -> contacts.OptOut:
    return read_body(contacts.OptOut, orjson.dumps(body))


async def opt_out(caller: Caller, **body: Any) -> Any:
    return await contacts.opt_out(caller, wish(**body))


async def statuses(caller: Caller) -> list[str]:
    return [
        str(contact.opt_in_status.value)
        for contact in await Contact.visible_to(caller).order_by("created_at", "id")
    ]


async def test_people_are_named_by_any_of_their_identifiers(caller: Caller) -> None:
    made = [
        await a_contact(caller, externalId=f"crm-{n}", email=f"p{n}@example.com") for n in range(5)
    ]

    done = await opt_out(
        caller,
        phones=[made[0]["phone"]],
        contactIds=[made[1]["id"]],
        externalIds=["crm-2"],
        emails=["P3@Example.com"],
        motivo="Too many",
        fonte="call centre",
    )

    assert done == {
        "registrados": 4,
        "jaEstavam": 0,
        "notFoundCount": 0,
        "notFound": NOBODY,
        "suprimidosSemContato": 0,
    }
    assert await statuses(caller) == ["denied"] * 4 + ["unknown"]
    opt_in = (await read_contact(caller, made[0]["id"]))["optIn"]
    assert (opt_in["revokedReason"], opt_in["source"]) == ("Too many", "call centre")


async def test_every_contact_leaves_a_ledger_entry_an_audit_entry_and_an_event(
    caller: Caller,
) -> None:
    made = await a_contact(caller, optIn={"status": "granted"})

    await opt_out(
        caller,
        contactIds=[made["id"]],
        canal="sms",
        em=LONG_AGO,
        motivo="Asked",
        fonte="call centre",
    )

    entry = await ContactConsent.get(status="denied")
    assert (entry.contact_id, entry.channel, wire_time(entry.at), entry.date_informed) == (
        made["id"],
        "sms",
        LONG_AGO,
        True,
    )
    assert (entry.reason, entry.source) == ("Asked", "call centre")
    assert (await audited(caller.organization_id, "contact.consent_changed"))[-1]["facts"] == {
        "from": "granted",
        "to": "denied",
        "dataInformada": True,
        "em": LONG_AGO,
        "canal": "sms",
    }
    (event,) = await events(caller.organization_id, "contact.opted_out")
    assert (event["data"]["channel"], event["data"]["at"]) == ("sms", LONG_AGO)


async def test_one_channel_leaves_the_consent_as_it_was(caller: Caller) -> None:
    made = await a_contact(caller, optIn={"status": "granted"})

    assert (await opt_out(caller, contactIds=[made["id"]], canal="whatsapp"))["registrados"] == 1

    assert await read_contact(caller, made["id"]) == made
    assert [denial.channel for denial in await rows_of(ContactDenial)] == ["whatsapp"]


async def test_all_channels_are_more_than_one_and_one_is_contained_in_all(caller: Caller) -> None:
    made = await a_contact(caller)
    done = [
        (await opt_out(caller, contactIds=[made["id"]], canal=channel))["registrados"]
        for channel in ("sms", "sms", "email", "todos", "todos", "push")
    ]

    assert done == [1, 0, 1, 1, 0, 0]
    assert (await opt_out(caller, contactIds=[made["id"]]))["jaEstavam"] == 1
    assert await statuses(caller) == ["denied"]


async def test_repeating_it_changes_nothing(caller: Caller) -> None:
    made = await a_contact(caller, email="ana@example.com")
    stranger = a_phone()
    everybody = {"phones": [made["phone"], stranger], "emails": ["ana@example.com"]}
    await opt_out(caller, **everybody, em=LONG_AGO, motivo="First")
    before = (
        await read_contact(caller, made["id"]),
        await rows_of(ContactDenial).order_by("id").values(),
    )

    again = await opt_out(caller, **everybody, motivo="Second")

    assert (again["registrados"], again["jaEstavam"], again["suprimidosSemContato"]) == (0, 1, 1)
    after = (
        await read_contact(caller, made["id"]),
        await rows_of(ContactDenial).order_by("id").values(),
    )
    assert after == before
    assert await ContactConsent.all().count() == 1
    assert len(await events(caller.organization_id, "contact.opted_out")) == 1


async def test_one_person_named_three_times_is_counted_once(caller: Caller) -> None:
    made = await a_contact(caller, externalId="crm-1")

    done = await opt_out(
        caller,
        phones=[made["phone"], made["phone"]],
        contactIds=[made["id"]] * 2,
        externalIds=["crm-1"],
    )

    assert (done["registrados"], done["jaEstavam"]) == (1, 0)


async def test_an_email_of_a_family_denies_them_all(caller: Caller) -> None:
    for _ in range(2):
        await a_contact(caller, email="family@example.com")

    assert (await opt_out(caller, emails=["family@example.com"]))["registrados"] == 2


async def test_unknown_phones_and_emails_are_kept_and_unknown_ids_are_told(caller: Caller) -> None:
    id = new_id("cnt")

    done = await opt_out(
        caller,
        phones=[a_phone()],
        emails=["nobody@example.com"],
        contactIds=[id, id, "nonsense"],
        externalIds=["crm-9"],
    )

    assert done == {
        "registrados": 0,
        "jaEstavam": 0,
        "notFoundCount": 3,
        "notFound": {"contactIds": [id, "nonsense"], "externalIds": ["crm-9"]},
        "suprimidosSemContato": 2,
    }
    assert await rows_of(ContactDenial).count() == 2
    assert await ContactConsent.all().count() == 0


async def test_at_most_a_hundred_of_each_kind_are_named(caller: Caller) -> None:
    ids = [str(number) for number in range(150)]

    done = await opt_out(caller, contactIds=ids, externalIds=ids)

    assert done["notFoundCount"] == 300
    assert done["notFound"] == {"contactIds": ids[:100], "externalIds": ids[:100]}


async def test_contacts_of_others_are_unknown_and_stay_as_they_are(caller: Caller) -> None:
    for stranger in await strangers(caller):
        theirs = await a_contact(stranger, externalId="crm-1", email="p@example.com")

        done = await opt_out(
            caller,
            contactIds=[theirs["id"]],
            externalIds=["crm-1"],
            phones=[theirs["phone"]],
            emails=["p@example.com"],
        )

        assert (done["registrados"], done["notFoundCount"], done["suprimidosSemContato"]) == (
            0,
            2,
            2,
        )
        assert await statuses(stranger) == ["unknown"]
        assert await rows_of(ContactDenial).filter(**owned_by(stranger)).count() == 0


async def test_an_address_stays_denied_when_its_contact_gets_another_one(caller: Caller) -> None:
    made = await a_contact(caller, email="ana@example.com")
    await opt_out(caller, emails=["ana@example.com"])
    await changed_contact(caller, made["id"], email="new@example.com")

    assert (await a_contact(caller, email="ana@example.com"))["optIn"]["status"] == "denied"


async def test_the_date_may_lie_in_the_past_and_hardly_in_the_future(caller: Caller) -> None:
    made = await a_contact(caller)

    with pytest.raises(ConsentInTheFuture) as refused:
        await opt_out(caller, contactIds=[made["id"]], em="2999-01-01T00:00:00Z")
    assert refused.value.errors[0].where == "/em"
    assert await statuses(caller) == ["unknown"]

    await opt_out(caller, contactIds=[made["id"]], em="0001-01-01T00:00:00Z")
    assert (await read_contact(caller, made["id"]))["optIn"][
        "revokedAt"
    ] == "0001-01-01T00:00:00.000Z"


async def test_in_a_session_the_date_is_now(caller: Caller) -> None:
    made = await a_contact(caller)

    await opt_out(as_session(caller), contactIds=[made["id"]], em="2999-01-01T00:00:00Z")

    entry = await ContactConsent.get()
    assert (entry.date_informed, entry.at <= datetime.now(UTC)) == (False, True)


async def test_without_the_scope_nobody_is_denied(caller: Caller) -> None:
    made = await a_contact(caller)
    reader = await a_caller(
        scopes=frozenset({Scope.CONTACTS_READ}), organization_id=caller.organization_id
    )

    with pytest.raises(Forbidden):
        await opt_out(reader, contactIds=[made["id"]])

    assert await rows_of(ContactDenial).count() == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "required"),
        ({"phones": [], "emails": []}, "required"),
        ({"contactIds": ["x"] * 10_001}, "too_many"),
        ({"contactIds": ["x"] * 5_000, "externalIds": ["x"] * 5_001}, "too_many"),
        ({"phones": ["+5511*****4321"]}, "VALOR_MASCARADO"),
        ({"emails": ["a***@example.com"]}, "VALOR_MASCARADO"),
        ({"phones": ["x"]}, "invalid_phone"),
        ({"contactIds": ["x"], "canal": "pombo"}, "not_allowed"),
        ({"contactIds": ["x"], "motivo": "x" * 201}, "too_long"),
    ],
)
def test_wishes_about_nobody_too_many_and_with_wrong_values_are_refused(
    body: dict[str, Any], code: str
) -> None:
    with pytest.raises(ValidationFailed) as refused:
        wish(**body)

    assert {error.code for error in refused.value.errors} == {code}


def test_ten_thousand_identifiers_are_allowed() -> None:
    wish(contactIds=["x"] * 4_000, externalIds=["x"] * 6_000)


@pytest.mark.parametrize("channel", ["todos", "sms"])
async def test_who_opted_out_is_not_sent_an_sms_on_premium(caller: Caller, channel: str) -> None:
    made = await a_contact(caller, optIn={"status": "granted"})
    await opt_out(caller, contactIds=[made["id"]], canal=channel)

    with pytest.raises(SmsRecipientOptedOut) as refused:
        await a_send(caller, to=made["phone"], route="premium")

    assert refused.value.meta == {"motivo": "opt_out"}
    assert (await sms.list_messages(caller, sms.SmsFilter()))["total"] == 0
    assert (await a_send(caller, to=made["phone"], route="otp"))["status"] == "sent"


async def test_a_denied_consent_counts_however_it_came_about(caller: Caller) -> None:
    created = await a_contact(caller, optIn={"status": "denied"})
    changed = await a_contact(caller)
    await changed_contact(caller, changed["id"], optIn={"status": "denied"})

    for made in (created, changed):
        with pytest.raises(SmsRecipientOptedOut):
            await a_send(caller, to=made["phone"])


async def test_who_granted_again_is_written_to_again(caller: Caller) -> None:
    made = await a_contact(caller)
    await a_denial(caller, made["phone"])
    session = as_session(caller)

    await changed_contact(
        session, made["id"], optIn={"status": "granted", "source": "on the phone"}
    )

    assert (await a_send(caller, to=made["phone"]))["status"] == "sent"
