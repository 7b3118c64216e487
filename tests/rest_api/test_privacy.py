"""Erasure and export of a person over REST. (Every answer is also held to the OpenAPI document.)"""

import httpx

from core.audit import AuditEntry
from core.foundation.security.caller import KEY_SCOPES, Caller
from tests.factories.accounts import a_session
from tests.factories.sms import a_send
from tests.rest_api.problem_answers import must_not_hold, the_problem
from tests.rest_api.speaking import a_client, speak_as

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
