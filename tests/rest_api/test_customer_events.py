"""Customer events over REST: statuses, shapes and masks. (Every answer is also held to the OpenAPI
document.)
"""

from typing import Any

import httpx
import pytest

from core.foundation.security.caller import Caller
from tests.factories.sms import a_send
from tests.factories.stored_contacts import stored_contact
from tests.rest_api.problem_answers import must_not_hold
from tests.rest_api.speaking import a_client, speak_from_the_other_side

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
