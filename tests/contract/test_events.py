"""Every event row, replayed: its cause stores one event, and it is delivered as the interface describes."""

from typing import Any, get_args

import pytest

from core import webhooks
from core.foundation import db
from rest_api.openapi.events import EVENTS as DOCUMENTED
from tests.contract.domains import EVENTS
from tests.contract.event_names import EVENT_NAMES, OF_CHANNELS_TO_COME
from tests.contract.table import Event
from tests.contract.world import World
from tests.factories.webhooks import a_subscription
from tests.fakes.provider import ScriptedProvider
from tests.rest_api.contract import must_fit, the_closed_document
from tests.support.receiver import Receiver, signed_by
from tests.support.subscriptions import deliver_all, standard_accepts

EACH = pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)

ENVELOPE = {"id", "type", "timestamp", "env", "organizationId", "apiVersion", "data"}
PERSONAL = ("to", "from", "phone")


async def stored(name: str) -> list[dict[str, Any]]:
    rows = await db.fetch("SELECT * FROM webhook_events WHERE type = $1", name)
    return [dict(row) for row in rows]


@EACH
async def test_its_cause_stores_one_event_with_the_data_of_its_row(
    clean_slate: None, provider: ScriptedProvider, event: Event
) -> None:
    world = await World.open(event.env, provider)

    await event.cause(world)

    (row,) = await stored(event.name)
    assert (row["organization_id"], row["env"]) == (world.caller.organization_id, event.env)
    assert event.always <= set(row["data"]) <= event.always | event.sometimes
    assert row["data"].get("env", event.env) == event.env
    assert "metadata" not in row["data"] or row["data"]["metadata"] == {"pedido": "A-1042"}


@EACH
@pytest.mark.parametrize("unmasked", [False, True], ids=["masked", "pii:full"])
async def test_it_is_delivered_signed_and_in_its_envelope(
    clean_slate: None, provider: ScriptedProvider, receiver: Receiver, event: Event, unmasked: bool
) -> None:
    world = await World.open(event.env, provider)
    subscriber = world.caller if unmasked else world.without_pii()
    made = await a_subscription(
        subscriber, receiver.url, events=[event.name], headers=[{"key": "X-Tenant", "value": "loja-7"}]
    )

    await event.cause(world)
    await deliver_all()

    (arrival,) = receiver.arrivals
    (row,) = await stored(event.name)
    assert arrival.headers["content-type"] == "application/json"
    assert {name: arrival.headers[name] for name in ("x-svc-webhook-id", "x-svc-event", "x-tenant")} == {
        "x-svc-webhook-id": made["webhook"]["id"],
        "x-svc-event": event.name,
        "x-tenant": "loja-7",
    }
    assert arrival.headers["x-svc-delivery-id"].startswith("dlv_")
    assert (arrival.headers["x-svc-attempt"], arrival.headers["webhook-id"]) == ("1", row["id"])
    assert signed_by(made["reveal"]["secret"], arrival)
    assert standard_accepts(made["reveal"]["secret"], arrival)

    body = arrival.event
    assert set(body) == ENVELOPE
    assert (body["id"], body["type"], body["env"], body["organizationId"], body["apiVersion"]) == (
        row["id"],
        event.name,
        event.env,
        world.caller.organization_id,
        webhooks.API_VERSION,
    )
    for value in filter(None, map(body["data"].get, PERSONAL)):
        assert isinstance(value, dict) or ("*" in value) is not unmasked  # `from` and `to` may be states, not addresses
    described = the_closed_document()["webhooks"][event.name]["post"]
    must_fit(body, described["requestBody"]["content"]["application/json"]["schema"])
    for header in described["parameters"]:
        assert header["name"].lower() in arrival.headers


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
async def test_the_other_environment_never_hears_of_it(
    clean_slate: None, provider: ScriptedProvider, event: Event
) -> None:
    world = await World.open(event.env, provider)
    await a_subscription(world.in_the_other_environment(), events=[event.name])

    await event.cause(world)

    assert await webhooks.WebhookDelivery.all().count() == 0


# The closed set -----------------------------------------------------------------------------------


def test_a_subscription_may_name_exactly_the_events_of_the_interface() -> None:
    assert get_args(webhooks.EventType) == EVENT_NAMES


def test_every_event_that_can_happen_has_a_row() -> None:
    owed = set(EVENT_NAMES) - OF_CHANNELS_TO_COME
    told = {event.name for event in EVENTS}

    assert owed - told == set(), "add a row to EVENTS in a file of tests/contract/rows"
    assert told <= set(EVENT_NAMES)
    assert len(told) == len(EVENTS)


def test_the_events_of_rows_are_those_of_the_document() -> None:
    assert {event.name for event in EVENTS} == set(DOCUMENTED) - {"webhook.ping"}
