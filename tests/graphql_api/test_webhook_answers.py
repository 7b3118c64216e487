"""What an endpoint answered, where it may repeat what is masked for the one who reads."""

from typing import Any

import pytest

from core import webhooks
from core.foundation.database import db
from core.foundation.security.caller import Caller, Scope
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.graphql import data_of
from tests.support.subscriptions import deliver_all

pytestmark = pytest.mark.usefixtures("clean_slate")

PHONE = "+5511987654321"


async def test_what_an_endpoint_answered_is_hidden_as_rest_hides_it() -> None:
    caller = await a_caller("test")
    scopes = frozenset({Scope.WEBHOOKS_READ, Scope.WEBHOOKS_WRITE})
    reader = await a_caller("test", scopes=scopes, organization_id=caller.organization_id)
    ids = [(await a_subscription(who))["webhook"]["id"] for who in (caller, reader)]
    await an_event(caller)
    await deliver_all()
    await db.execute("UPDATE webhook_attempts SET response_body = $1", PHONE)

    async def answered(who: Caller, id: str) -> tuple[Any, Any]:
        (listed,) = (await webhooks.list_deliveries(who, id, webhooks.DeliveryFilter()))["items"]
        (attempt,) = (await webhooks.get_delivery(who, listed["id"]))["attemptLog"]
        query = f'{{ node(id: "{listed["id"]}") {{ ... on WebhookDelivery {{ attemptLog {{ responseBody }} }} }} }}'
        (other,) = (await data_of(who, query))["node"]["attemptLog"]
        return attempt["responseBody"], other["responseBody"]

    assert [await answered(caller, id) for id in ids] == [(PHONE, PHONE), (PHONE, PHONE)]
    assert [await answered(reader, id) for id in ids] == [("***", "***"), (PHONE, PHONE)]


async def test_of_many_probes_those_are_shown_that_rest_shows() -> None:
    caller = await a_caller("test")
    id = (await a_subscription(caller))["webhook"]["id"]
    await an_event(caller)
    (listed,) = (await webhooks.list_deliveries(caller, id, webhooks.DeliveryFilter()))["items"]
    await db.execute(
        "INSERT INTO webhook_attempts (organization_id, env, delivery_id, number, probe, at, latency_ms) "
        "SELECT $2, $3, $1, 1, n > 3, now(), n FROM generate_series(1, 150) AS n",
        listed["id"], caller.organization_id, caller.env,
    )  # fmt: skip
    rest = (await webhooks.get_delivery(caller, listed["id"]))["attemptLog"]

    query = f'{{ node(id: "{listed["id"]}") {{ ... on WebhookDelivery {{ attemptLog {{ latencyMs }} }} }} }}'
    found = (await data_of(caller, query))["node"]["attemptLog"]

    assert len(found) == 100
    assert [attempt["latencyMs"] for attempt in found] == [attempt["latencyMs"] for attempt in rest]
