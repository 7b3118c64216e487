"""Erasure and export of a person over REST. (Every answer is also held to the OpenAPI document.)"""

from typing import Any

import httpx
import pytest

from core.audit import AuditEntry
from core.contacts import Contact
from core.foundation.ids import new_id
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from tests.factories.accounts import a_session
from tests.factories.sms import a_send
from tests.rest_api.problem_answers import must_not_hold, the_problem
from tests.rest_api.speaking import a_client, speak_as, speak_from_the_other_side

PHONE, EMAIL, CPF = "+5511987654321", "zulmira@recognizable.example", "52998224725"
PERSON = {
    "phone": PHONE,
    "name": "Zulmira",
    "email": EMAIL,
    "cpf": CPF,
    "externalId": "crm-1",
    "optIn": {"status": "granted", "source": "shop"},
}


async def a_person(rest: httpx.AsyncClient, caller: Caller) -> str:
    """The address of a contact that is on a list, was written to and bought something."""
    id: str = (await rest.post("/contacts", json=PERSON)).json()["id"]
    list_id = (await rest.post("/v2/lists", json={"name": "VIP"})).json()["id"]
    await rest.post(f"/v2/lists/{list_id}/members", json={"contactIds": [id]})
    await a_send(caller, to=PHONE, contactId=id)
    await rest.post(
        "/v2/events", json={"name": "purchase", "eventId": "order-1", "contact": {"phone": PHONE}}
    )
    return f"/contacts/{id}"


async def test_an_erased_contact_is_gone_and_what_was_sent_stays_counted(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    await speak_as(rest, organization_id=caller.organization_id, scopes=KEY_SCOPES)
    person = await a_person(rest, caller)
    before = (await rest.get("/v2/sms/messages")).json()["items"][0]

    answer = await rest.delete(person)

    assert (answer.status_code, answer.content) == (204, b"")
    the_problem(await rest.get(person), 404)
    the_problem(await rest.delete(person), 404)
    assert (await rest.get("/contacts")).json() == {"items": [], "total": 0}
    (vip,) = (await rest.get("/v2/lists")).json()["items"]
    messages = await rest.get("/v2/sms/messages")
    events = await rest.get("/v2/events?from=2020-01-01&to=2999-01-01")
    assert vip["size"] == 0
    assert messages.json()["items"] == [
        {name: value for name, value in {**before, "to": "4321"}.items() if name != "contactId"}
    ]
    (event,) = events.json()["items"]
    assert event.keys().isdisjoint({"contactId", "contactExternalId"})
    for answer in (messages, events):
        must_not_hold(answer, [PHONE, "Zulmira", "recognizable", "crm-1"])
    audited = await rest.get("/v2/audit?action=contact.deleted")
    must_not_hold(audited, ["98765", "Zulmira", "recognizable", "crm-1", CPF])
    assert audited.json()["items"][0]["facts"]["messages"] == 1


async def test_who_said_no_stays_denied_after_the_erasure_and_a_new_import(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    person = await a_person(rest, caller)
    await rest.post("/contacts/opt-out", json={"phones": [PHONE]})

    await rest.delete(person)
    line = {"phone": PHONE, "optIn": {"status": "granted", "source": "shop"}}
    await rest.post("/contacts/import", json={"contatos": [line]})

    (again,) = (await rest.get("/contacts")).json()["items"]
    assert f"/contacts/{again['id']}" != person
    assert again["optIn"]["status"] == "denied"


async def test_a_person_in_a_session_exports_everything_in_clear(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    person = await a_person(rest, caller)
    rest.headers["Authorization"] = (
        f"Bearer {await a_session(organization_id=caller.organization_id)}"
    )

    answer = await rest.get(f"{person}/dados")

    assert answer.status_code == 200
    data = answer.json()
    assert (data["contato"]["phone"], data["contato"]["email"], data["documentos"]) == (
        PHONE,
        EMAIL,
        {"cpf": CPF},
    )
    assert [message["endereco"] for message in data["mensagens"]] == [PHONE]
    assert [consent["status"] for consent in data["consentimentos"]] == ["granted"]
    assert (
        [found["nome"] for found in data["listas"]],
        [event["nome"] for event in data["eventos"]],
    ) == (
        ["VIP"],
        ["purchase"],
    )
    assert await AuditEntry.filter(action="contact.data_exported").count() == 1


async def test_neither_a_key_nor_an_operator_exports_anybody(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    person = await a_person(rest, caller)

    async def refused() -> None:
        answer = await rest.get(f"{person}/dados")
        assert the_problem(answer, 403)["meta"] == {"escopoExigido": "contacts:pii"}
        must_not_hold(answer, ["98765", "Zulmira"])

    await speak_as(rest, organization_id=caller.organization_id, scopes=KEY_SCOPES)
    await refused()
    operator = await a_session(organization_id=caller.organization_id, role="operator")
    rest.headers["Authorization"] = f"Bearer {operator}"
    await refused()
    assert await AuditEntry.filter(action="contact.data_exported").count() == 0


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_a_person_of_others_is_not_there(rest: httpx.AsyncClient, whose: str) -> None:
    caller = await a_client(rest)
    person = await a_person(rest, caller)
    await speak_from_the_other_side(rest, caller, whose)
    the_problem(await rest.delete(person), 404)
    how: dict[str, Any] = (
        {} if whose == "another organization" else {"organization_id": caller.organization_id}
    )
    rest.headers["Authorization"] = (
        f"Bearer {await a_session('test' if not how else 'live', **how)}"
    )

    for path in (person, f"/contacts/{new_id('cnt')}", "/contacts/cnt_x", "/contacts/%00"):
        the_problem(await rest.delete(path), 404)
        the_problem(await rest.get(f"{path}/dados"), 404)

    assert await Contact.all().count() == 1


async def test_erasing_needs_a_key_and_its_scope(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    person = await a_person(rest, caller)

    await speak_as(
        rest, organization_id=caller.organization_id, scopes=frozenset({Scope.CONTACTS_READ})
    )
    assert the_problem(await rest.delete(person), 403)["meta"] == {
        "escopoExigido": "contacts:write"
    }
    del rest.headers["Authorization"]
    the_problem(await rest.delete(person), 401)
    the_problem(await rest.get(f"{person}/dados"), 401)

    assert await Contact.all().count() == 1
