"""Opening a channel again: later than the denial, with a source, one channel at a time; and seeing
what is closed.
"""

from typing import Any

import orjson
import pytest

from core import contacts
from core.contacts import ContactDenial
from core.contacts.errors import ConsentInTheFuture
from core.contacts.models import ContactConsent
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body
from tests.core.contacts.conftest import as_session, strangers
from tests.factories.contacts import (
    a_contact,
    a_denial,
    a_denial_of_email,
    a_phone,
    changed_contact,
)
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.support.graphql import data_of
from tests.support.sql_tables import rows_of
from tests.support.told import audited, events

BEFORE, DENIED_AT, AFTER = (
    "2024-01-01T00:00:00.000Z",
    "2024-02-01T00:00:00.000Z",
    "2024-03-01T00:00:00.000Z",
)
NOTHING = {
    "registrados": 0, "naoEstavam": 0, "anterioresARevogacao": 0, "anteriores": [], "fechadosParaTodos": 0,
    "notFoundCount": 0, "notFound": {"contactIds": [], "externalIds": []}, "liberadosSemContato": 0,
}  # fmt: skip


async def opt_in(caller: Caller, **body: Any) -> Any:
    whole = {"canal": "sms", "fonte": "central", "em": AFTER, **body}
    return await contacts.opt_in(caller, read_body(contacts.ChannelOptIn, orjson.dumps(whole)))


async def closed(caller: Caller, *channels: str, **fields: Any) -> Any:
    """A contact who closed these channels."""
    made = await a_contact(caller, **fields)
    for channel in channels:
        body = {
            "contactIds": [made["id"]],
            "canal": channel,
            "em": DENIED_AT,
            "motivo": "Pediu",
            "fonte": "loja",
        }
        await contacts.opt_out(caller, contacts.OptOut.model_validate(body))
    return made


async def seen(caller: Caller, id: str) -> list[str]:
    """The channels that the single read shows as closed."""
    return [one["canal"] for one in (await contacts.get_contact(caller, id))["optOuts"]]


# Seeing -------------------------------------------------------------------------------------------


async def test_what_a_contact_closed_stands_in_its_single_read(caller: Caller) -> None:
    made = await closed(caller, "sms")
    read = await contacts.get_contact(caller, made["id"])
    assert read["optOuts"] == [
        {"canal": "sms", "em": DENIED_AT, "motivo": "Pediu", "origem": "loja"}
    ]
    assert read["optIn"]["status"] == "unknown"
    assert (await contacts.get_contact(caller, (await a_contact(caller))["id"]))["optOuts"] == []


async def test_an_address_that_said_no_before_it_had_a_contact_closes_e_mail_alone(
    caller: Caller,
) -> None:
    await a_denial_of_email(caller, "ana@example.com", "email")
    await a_denial_of_email(caller, "bia@example.com", "sms")
    ana, bia = [await a_contact(caller, email=f"{name}@example.com") for name in ("ana", "bia")]
    assert await seen(caller, ana["id"]) == ["email"]
    assert await seen(caller, bia["id"]) == []


async def test_graphql_shows_the_opt_outs_of_a_page_of_contacts(caller: Caller) -> None:
    first, second = await closed(caller, "sms", "push"), await closed(caller)
    shown = await data_of(
        caller, "{ contacts(first: 2) { nodes { id optOuts { canal motivo origem } } } }"
    )
    by_id = {node["id"]: node["optOuts"] for node in shown["contacts"]["nodes"]}
    assert by_id == {
        first["id"]: [
            {"canal": name, "motivo": "Pediu", "origem": "loja"} for name in ("PUSH", "SMS")
        ],
        second["id"]: [],
    }


# Opening ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("channel", ["sms", "rcs", "email", "whatsapp", "push"])
async def test_one_channel_is_opened_and_no_other(caller: Caller, channel: str) -> None:
    others = {"sms", "rcs", "email", "whatsapp", "push"} - {channel}
    made = await closed(caller, channel, *sorted(others), email="ana@example.com")
    assert await opt_in(caller, contactIds=[made["id"]], canal=channel) == {
        **NOTHING,
        "registrados": 1,
    }
    assert set(await seen(caller, made["id"])) == others


async def test_whoever_is_open_again_is_sent_to(caller: Caller) -> None:
    made = await closed(caller, "sms")
    await opt_in(caller, phones=[made["phone"]])
    assert (await a_send(caller, to=made["phone"], contactId=made["id"]))["status"] == "sent"


async def test_it_leaves_its_proof_in_the_ledger_and_the_audit_trail(caller: Caller) -> None:
    made = await closed(caller, "sms")
    await opt_in(caller, contactIds=[made["id"]])
    entry = await ContactConsent.filter(contact_id=made["id"]).order_by("-id").first()
    assert entry is not None
    assert (entry.channel, entry.status, entry.source, entry.date_informed) == (
        "sms",
        "granted",
        "central",
        True,
    )
    facts = (await audited(caller.organization_id, "contact.consent_changed"))[-1]["facts"]
    assert facts == {
        "from": "denied",
        "to": "granted",
        "dataInformada": True,
        "em": AFTER,
        "canal": "sms",
    }
    assert len(await events(caller.organization_id, "contact.opted_out")) == 1


async def test_a_denial_that_is_later_stays_and_is_told(caller: Caller) -> None:
    made, open_one = await closed(caller, "sms"), await closed(caller)
    answer = await opt_in(caller, contactIds=[made["id"], open_one["id"], "cnt_x"], em=BEFORE)
    assert answer == {
        **NOTHING, "anterioresARevogacao": 1, "anteriores": [made["id"]], "naoEstavam": 1, "notFoundCount": 1,
        "notFound": {"contactIds": ["cnt_x"], "externalIds": []},
    }  # fmt: skip
    assert await opt_in(caller, contactIds=[made["id"]], em=DENIED_AT) == {
        **NOTHING, "anterioresARevogacao": 1, "anteriores": [made["id"]],
    }  # fmt: skip
    assert await seen(caller, made["id"]) == ["sms"]


async def test_who_closed_all_channels_is_opened_by_all_alone(caller: Caller) -> None:
    made = await closed(caller, "sms", "todos")
    assert await opt_in(caller, contactIds=[made["id"]], canal="rcs") == {
        **NOTHING,
        "fechadosParaTodos": 1,
    }
    assert await opt_in(caller, contactIds=[made["id"]], canal="todos") == {
        **NOTHING,
        "registrados": 1,
    }
    read = await contacts.get_contact(caller, made["id"])
    assert read["optIn"] == {"status": "granted", "source": "central", "at": AFTER}
    assert read["optOuts"] == []


async def test_repeating_it_changes_nothing(caller: Caller) -> None:
    made = await closed(caller, "sms")
    await opt_in(caller, contactIds=[made["id"]])
    entries = await ContactConsent.all().count()
    assert await opt_in(caller, contactIds=[made["id"]]) == {**NOTHING, "naoEstavam": 1}
    assert await ContactConsent.all().count() == entries


async def test_addresses_of_nobody_are_opened_too(caller: Caller) -> None:
    phone, other = a_phone(), a_phone()
    past = {"em": DENIED_AT, "canal": "sms"}
    await contacts.opt_out(caller, contacts.OptOut.model_validate({"phones": [phone], **past}))
    await contacts.opt_out(
        caller, contacts.OptOut.model_validate({"emails": ["ana@example.com"], **past})
    )
    await a_denial(caller, other, "rcs")
    answer = await opt_in(
        caller, phones=[phone, other], emails=["ANA@example.com", "bia@example.com"]
    )
    assert answer == {**NOTHING, "liberadosSemContato": 2}
    assert (await a_send(caller, to=phone))["status"] == "sent"


async def test_nobody_of_another_organization_or_environment_is_opened(caller: Caller) -> None:
    made = await closed(caller, "sms", externalId="c-1")
    for stranger in await strangers(caller):
        answer = await opt_in(
            stranger, phones=[made["phone"]], contactIds=[made["id"]], externalIds=["c-1"]
        )
        assert answer["registrados"] == answer["liberadosSemContato"] == 0
    assert await seen(caller, made["id"]) == ["sms"]


async def test_the_date_hardly_lies_in_the_future_and_in_a_session_it_is_now(
    caller: Caller,
) -> None:
    made = await closed(caller, "sms")
    with pytest.raises(ConsentInTheFuture) as refused:
        await opt_in(caller, contactIds=[made["id"]], em="2999-01-01T00:00:00Z")
    assert refused.value.errors[0].where == "/em"
    answer = await opt_in(as_session(caller), contactIds=[made["id"]], em=BEFORE)
    assert answer["registrados"] == 1


@pytest.mark.parametrize("missing", ["canal", "fonte", "em"])
async def test_what_proves_it_is_required(caller: Caller, missing: str) -> None:
    body = {"phones": ["+5511987654321"], "canal": "sms", "fonte": "central", "em": AFTER}
    del body[missing]
    with pytest.raises(ValidationFailed) as refused:
        read_body(contacts.ChannelOptIn, orjson.dumps(body))
    assert [(error.where, error.code) for error in refused.value.errors] == [
        (f"/{missing}", "required")
    ]


async def test_it_needs_the_scope_to_write(clean_slate: None) -> None:
    caller = await a_caller(scopes=frozenset({Scope.CONTACTS_READ}))
    with pytest.raises(Forbidden):
        await opt_in(caller, phones=["+5511987654321"])


async def test_a_grant_of_everything_still_opens_every_channel(caller: Caller) -> None:
    made = await closed(caller, "sms", "rcs")
    await changed_contact(
        caller, made["id"], optIn={"status": "granted", "source": "site", "at": AFTER}
    )
    assert await seen(caller, made["id"]) == []
    assert await rows_of(ContactDenial).count() == 0
