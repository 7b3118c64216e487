"""Samples: every event can be tried on an endpoint, and none of it is taken for something that
happened.
"""

import pytest

from core import webhooks
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import Scope
from core.webhooks.errors import TooManyValidations
from core.webhooks.events import samples
from core.webhooks.events.samples import SAMPLES
from rest_api.support import sample_ids
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription
from tests.rest_api.contract import must_fit, the_closed_document
from tests.support.receiver import Receiver, signed_by
from tests.support.stored import nothing_stored
from tests.support.subscriptions import make, standard_accepts

pytestmark = pytest.mark.usefixtures("clean_slate")


def a_sample(event: str = "sms.delivered") -> webhooks.Sample:
    return webhooks.Sample.model_validate({"event": event})


def test_there_is_a_sample_of_every_event() -> None:
    assert set(SAMPLES) == set(webhooks.EventType)


def test_samples_speak_of_the_records_of_the_other_examples() -> None:
    ids = {
        name: value
        for name, value in vars(samples).items()
        if isinstance(value, str) and value[3:4] == "_"
    }

    assert ids
    assert ids == {name: getattr(sample_ids, name) for name in ids}


@pytest.mark.parametrize("event", tuple(webhooks.EventType))
async def test_a_sample_is_signed_and_shaped_like_a_delivery(
    receiver: Receiver, event: str
) -> None:
    caller = await a_caller()
    made = await a_subscription(
        caller, receiver.url, headers=[{"key": "X-Tenant", "value": "loja-7"}]
    )

    async with nothing_stored():
        verdict = await webhooks.send_sample(caller, made["webhook"]["id"], a_sample(event))

    (arrival,) = receiver.arrivals
    assert (verdict["ok"], verdict["statusCode"]) == (True, 200)
    assert (verdict["eventId"], verdict["deliveryId"]) == (
        arrival.event["id"],
        arrival.headers["x-svc-delivery-id"],
    )
    assert (arrival.headers["x-svc-test"], arrival.headers["x-svc-event"]) == ("true", event)
    assert arrival.headers["x-tenant"] == "loja-7"
    assert signed_by(made["reveal"]["secret"], arrival)
    assert standard_accepts(made["reveal"]["secret"], arrival)
    request = the_closed_document()["webhooks"][event]["post"]["requestBody"]
    must_fit(arrival.event, request["content"]["application/json"]["schema"])
    assert arrival.event["data"]["env"] == "test"


async def test_a_sample_is_masked_as_the_subscription_is(receiver: Receiver) -> None:
    caller = await a_caller(scopes=frozenset({Scope.WEBHOOKS_WRITE, Scope.WEBHOOKS_READ}))
    made = await a_subscription(caller, receiver.url)

    await webhooks.send_sample(caller, made["webhook"]["id"], a_sample())

    assert receiver.arrivals[0].event["data"]["to"] == "+5511*****0005"


@pytest.mark.parametrize("status", ["paused", "failing", "revoked"])
async def test_the_status_of_the_subscription_does_not_matter_and_does_not_change(
    receiver: Receiver, status: str
) -> None:
    caller = await a_caller()
    receiver.answer = lambda _: 410
    id = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    await make(id, status, failures=7)

    async with nothing_stored():
        verdict = await webhooks.send_sample(caller, id, a_sample())

    assert (verdict["ok"], verdict["statusCode"], verdict["reason"]) == (False, 410, "non_2xx")
    assert "ping" not in verdict["message"]


async def test_an_address_that_nobody_answers_at_is_told() -> None:
    caller = await a_caller()
    id = (await a_subscription(caller, "http://127.0.0.1:1099/hooks"))["webhook"]["id"]

    verdict = await webhooks.send_sample(caller, id, a_sample())

    assert (verdict["ok"], verdict["reason"]) == (False, "unreachable")


async def test_samples_and_validations_share_a_limit(receiver: Receiver) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    for _ in range(9):
        await webhooks.send_sample(caller, id, a_sample())
    await webhooks.validate_endpoint(caller, webhooks.EndpointCheck(url="ftp://nowhere"))

    with pytest.raises(TooManyValidations):
        await webhooks.send_sample(caller, id, a_sample())
    assert len(receiver.arrivals) == 9


async def test_another_organization_and_a_reader_send_nothing(receiver: Receiver) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    reader = await a_caller(
        scopes=frozenset({Scope.WEBHOOKS_READ}), organization_id=caller.organization_id
    )

    with pytest.raises(NotFound):
        await webhooks.send_sample(await a_caller(), id, a_sample())
    with pytest.raises(Forbidden):
        await webhooks.send_sample(reader, id, a_sample())
    assert receiver.arrivals == []
