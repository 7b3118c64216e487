"""Customer events over REST: statuses, shapes and masks. (Every answer is also held to the OpenAPI
document.)
"""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from core.customer_events.models import CustomerEvent
from core.foundation.clock import now, wire_time
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from tests.factories.sms import a_send
from tests.factories.stored_contacts import stored_contact
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields
from tests.rest_api.speaking import a_client, speak_as, speak_from_the_other_side

EVENTS = "/v2/events"
PHONE, EMAIL = "+5511987654321", "zulmira@recognizable.example"
PURCHASE: dict[str, Any] = {
    "name": "purchase",
    "eventId": "order-1",
    "contact": {"externalId": "crm-1"},
}
ALWAYS = {"from": "2020-01-01", "to": "2999-01-01"}


async def a_customer(caller: Caller) -> str:
    return await stored_contact(
        caller, external_id="crm-1", phone=PHONE, email=EMAIL, name="Zulmira"
    )


async def test_an_event_is_recorded_once_and_attributed_to_the_message_before_it(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    contact = await a_customer(caller)
    message = await a_send(caller, to=PHONE, contactId=contact, campaignId="november")
    event = {**PURCHASE, "value": 259.9, "properties": {"items": 3}}

    recorded = await rest.post(EVENTS, json=event)
    again = await rest.post(
        EVENTS, json={**event, "name": "other", "contact": {"externalId": "nobody"}}
    )
    listed = await rest.get(EVENTS, params=ALWAYS)

    assert (recorded.status_code, again.status_code) == (201, 200)
    record = recorded.json()
    assert {"contactId": contact, "currency": "BRL", "duplicate": False}.items() <= record.items()
    touch = record["attribution"]
    assert (touch["messageId"], touch["channel"], touch["campaignId"]) == (
        message["id"],
        "sms",
        "november",
    )
    assert again.json() == {**record, "duplicate": True}
    assert listed.json() == {"items": [record]}


async def test_a_send_without_the_contact_is_attributed_to_nobody(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    await a_customer(caller)
    await a_send(caller, to=PHONE)

    assert (await rest.post(EVENTS, json=PURCHASE)).json()["attribution"] is None


async def test_an_unknown_contact_is_no_error(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    answer = await rest.post(EVENTS, json=PURCHASE)

    assert (answer.status_code, answer.json()["attribution"]) == (201, None)
    assert "contactId" not in answer.json()


@pytest.mark.parametrize(
    "contact", [{"phone": "(11) 98765-4321"}, {"email": EMAIL.upper()}, {"externalId": "crm-1"}]
)
async def test_an_answer_holds_nothing_personal(
    rest: httpx.AsyncClient, contact: dict[str, str]
) -> None:
    caller = await a_client(rest)
    id = await a_customer(caller)

    recorded = await rest.post(EVENTS, json={**PURCHASE, "contact": contact})
    listed = await rest.get(EVENTS, params=ALWAYS)

    assert recorded.json()["contactId"] == id
    for answer in (recorded, listed):
        must_not_hold(answer, ["98765", "4321", "recognizable", "Zulmira"])


async def test_identifiers_that_disagree_are_refused_without_being_repeated(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    await a_customer(caller)
    await stored_contact(caller, external_id="crm-7731", email="shared@recognizable.example")
    await stored_contact(caller, email="shared@recognizable.example")

    different = await rest.post(
        EVENTS, json={**PURCHASE, "contact": {"externalId": "crm-7731", "phone": PHONE}}
    )
    ambiguous = await rest.post(
        EVENTS, json={**PURCHASE, "contact": {"email": "shared@recognizable.example"}}
    )

    assert the_problem(different, 422)["meta"] == {"code": "CONTATOS_DIFERENTES"}
    assert [where for _, where, _ in wrong_fields(different.json())] == [
        "/contact/externalId",
        "/contact/phone",
    ]
    assert the_problem(ambiguous, 422)["meta"] == {"code": "CONTATO_AMBIGUO"}
    for answer in (different, ambiguous):
        must_not_hold(answer, ["7731", "98765", "recognizable"])
    assert await CustomerEvent.all().count() == 0


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"name": " "}, [("/name", "too_short")]),
        (
            {"eventId": "x" * 201, "contact": {}},
            [("/contact", "required"), ("/eventId", "too_long")],
        ),
        ({"contact": {"phone": "7731"}}, [("/contact/phone", "invalid_phone")]),
        ({"contact": {"phone": "+5511*****7731"}}, [("/contact/phone", "VALOR_MASCARADO")]),
        ({"contact": {"email": "s***7731@x.example"}}, [("/contact/email", "VALOR_MASCARADO")]),
        ({"occurredAt": 7731}, [("/occurredAt", "wrong_type")]),
        (
            {"value": "7731", "currency": "XXX"},
            [("/currency", "not_allowed"), ("/value", "wrong_type")],
        ),
        ({"attributionWindowHours": 721}, [("/attributionWindowHours", "too_large")]),
        ({"attributionWindowHours": 0}, [("/attributionWindowHours", "too_small")]),
        ({"properties": {"7731": 1}}, [("/properties/7731", "wrong_format")]),
        ({"properties": {f"k{number}": 1 for number in range(21)}}, [("/properties", "too_many")]),
        ({"valor": 1}, [("/valor", "unknown_field")]),
    ],
)
async def test_a_wrong_field_is_named_and_nothing_is_stored(
    rest: httpx.AsyncClient, changes: dict[str, Any], wrong: list[tuple[str, str]]
) -> None:
    await a_client(rest)

    answer = await rest.post(EVENTS, json={**PURCHASE, **changes})

    fields = wrong_fields(the_problem(answer, 422))
    assert [(where, code) for _, where, code in fields] == wrong
    if "properties" not in changes:  # a pointer names the key
        must_not_hold(answer, ["7731"])
    assert await CustomerEvent.all().count() == 0


async def test_the_future_begins_in_five_minutes(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    soon, later = (wire_time(now() + timedelta(minutes=minutes)) for minutes in (4, 6))

    assert (await rest.post(EVENTS, json={**PURCHASE, "occurredAt": soon})).status_code == 201
    refused = await rest.post(EVENTS, json={**PURCHASE, "eventId": "order-2", "occurredAt": later})

    assert wrong_fields(the_problem(refused, 422)) == [("pointer", "/occurredAt", "in_the_future")]
    assert await CustomerEvent.all().count() == 1


async def test_a_body_that_is_no_json_cannot_be_read(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    the_problem(await rest.post(EVENTS, content=b"{"), 400)


async def test_events_are_listed_by_period_name_and_contact_page_by_page(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    contact = await a_customer(caller)
    for day, name, who in ((1, "purchase", "crm-1"), (2, "visit", "crm-1"), (3, "visit", "nobody")):
        event = {"name": name, "eventId": f"e-{day}", "contact": {"externalId": who}}
        await rest.post(EVENTS, json={**event, "occurredAt": f"2026-01-0{day}T12:00:00Z"})

    async def ids(**filter: str) -> list[str]:
        answer = await rest.get(EVENTS, params={**ALWAYS, **filter})
        return [item["eventId"] for item in answer.json()["items"]]

    assert await ids() == ["e-3", "e-2", "e-1"]
    assert await ids(**{"from": "2026-01-02T12:00:00Z", "to": "2026-01-02T12:00:00Z"}) == ["e-2"]
    assert await ids(name="visit") == ["e-3", "e-2"]
    assert await ids(name="visit", contactId=contact) == ["e-2"]
    assert await ids(contactId=new_id("cnt")) == []
    assert await ids(limit="9999") == ["e-3", "e-2", "e-1"]
    first = (await rest.get(EVENTS, params={**ALWAYS, "limit": "2"})).json()
    assert [item["eventId"] for item in first["items"]] == ["e-3", "e-2"]
    assert await ids(limit="2", cursor=first["nextCursor"]) == ["e-1"]


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("", ["from", "to"]),
        ("from=2026-01-01", ["to"]),
        ("from=yesterday&to=2026", ["from", "to"]),
        ("from=2026-01-01&to=2026-02-01&limit=0", ["limit"]),
        ("from=2026-01-01&to=2026-02-01&limit=x", ["limit"]),
        ("from=2026-01-01&to=2026-02-01&cursor=nonsense", ["cursor"]),
        ("from=2026-01-01&to=2026-02-01&name=%00", ["name"]),
        ("from=2026-01-01&to=2026-02-01&name=%ff", ["name"]),
    ],
)
async def test_a_wrong_parameter_is_a_bad_request(
    rest: httpx.AsyncClient, query: str, wrong: list[str]
) -> None:
    await a_client(rest)

    fields = wrong_fields(the_problem(await rest.get(f"{EVENTS}?{query}"), 400))

    assert [(kind, where) for kind, where, _ in fields] == [("parameter", name) for name in wrong]


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_events_and_contacts_of_others_are_not_there(
    rest: httpx.AsyncClient, whose: str
) -> None:
    caller = await a_client(rest)
    contact = await a_customer(caller)
    await rest.post(EVENTS, json=PURCHASE)
    await speak_from_the_other_side(rest, caller, whose)

    assert (await rest.get(EVENTS, params=ALWAYS)).json() == {"items": []}
    theirs = await rest.post(
        EVENTS, json={**PURCHASE, "contact": {"contactId": contact, "phone": PHONE}}
    )

    assert (theirs.status_code, theirs.json()["duplicate"], "contactId" in theirs.json()) == (
        201,
        False,
        False,
    )


async def test_events_need_a_key_and_its_scope(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)

    await speak_as(
        rest, organization_id=caller.organization_id, scopes=frozenset({Scope.CONTACTS_READ})
    )
    refused = await rest.post(EVENTS, json=PURCHASE)
    assert the_problem(refused, 403)["meta"] == {"escopoExigido": "contacts:write"}
    await speak_as(
        rest, organization_id=caller.organization_id, scopes=frozenset({Scope.CONTACTS_WRITE})
    )
    refused = await rest.get(EVENTS, params=ALWAYS)
    assert the_problem(refused, 403)["meta"] == {"escopoExigido": "contacts:read"}
    del rest.headers["Authorization"]
    the_problem(await rest.get(EVENTS), 401)
    the_problem(await rest.post(EVENTS, json=PURCHASE), 401)
    assert await CustomerEvent.all().count() == 0
