"""The log, the replay, samples, event types and the feed over REST."""

import httpx
from openapi_schema_validator import OAS31Validator

from core import webhooks
from tests.factories.organizations import a_key
from tests.support.subscriptions import confirmed

HOOK = {"url": "http://127.0.0.1:9009/hooks", "events": ["apikey.created", "contact.created"]}


async def bearer() -> dict[str, str]:
    return {"Authorization": f"Bearer {await a_key()}"}


async def test_an_event_is_found_in_the_log_and_sent_again(rest: httpx.AsyncClient) -> None:
    headers = await bearer()
    hook = (await rest.post("/webhooks", json=HOOK, headers=headers)).json()["webhook"]["id"]
    assert (
        await rest.post("/contacts", json={"phone": "+5511987654321"}, headers=headers)
    ).status_code == 201

    (listed,) = (await rest.get(f"/webhooks/{hook}/deliveries", headers=headers)).json()["items"]
    whole = (await rest.get(f"/webhooks/deliveries/{listed['id']}", headers=headers)).json()
    await confirmed(hook)
    again = await rest.post(
        f"/webhooks/{hook}/replay", json={"deliveryIds": [listed["id"]]}, headers=headers
    )

    assert (listed["type"], whole["attemptLog"]) == ("contact.created", [])
    assert (again.status_code, again.json()) == (202, {"requested": 1})
    both = (await rest.get(f"/webhooks/{hook}/deliveries", headers=headers)).json()["items"]
    assert sorted(delivery["replay"] for delivery in both) == [False, True]
    assert {delivery["eventId"] for delivery in both} == {listed["eventId"]}


async def test_every_event_type_has_a_schema_that_its_example_fits(rest: httpx.AsyncClient) -> None:
    told = (await rest.get("/webhooks/event-types", headers=await bearer())).json()["items"]

    assert [event["name"] for event in told] == list(webhooks.EventType)
    for event in told:
        OAS31Validator.check_schema(event["schema"])
        OAS31Validator(event["schema"]).validate(event["example"])
        assert "components" not in str(event["schema"])
        assert not OAS31Validator(event["schema"]).is_valid(
            {**event["example"], "type": "something.else"}
        )


async def test_a_feed_answers_a_cursor_even_when_it_is_empty(rest: httpx.AsyncClient) -> None:
    headers = await bearer()

    page = (await rest.get("/v2/event-feed", params={"cursor": "latest"}, headers=headers)).json()
    next_page = await rest.get(
        "/v2/event-feed", params={"cursor": page["nextCursor"]}, headers=headers
    )

    assert (page["items"], page["hasMore"]) == ([], False)
    assert next_page.json()["items"] == []
