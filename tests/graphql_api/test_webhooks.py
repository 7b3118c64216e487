"""Webhooks over GraphQL: the values of REST, and never a secret."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import orjson
import pytest

from core import webhooks
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from core.webhooks import WebhookSubscription
from core.webhooks.signing.secret_box import open_secret
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.connections import other_sides, walked
from tests.support.graphql import as_rest, ask, bare, data_of, every_field
from tests.support.receiver import Receiver, a_receiver
from tests.support.subscriptions import deliver_all

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """A customer's endpoint on this machine."""
    async with a_receiver() as receiver:
        yield receiver


HEADER = {"key": "X-Tenant", "value": "a value nobody is shown"}


async def subscribed(caller: Caller, **changes: Any) -> str:
    id: str = (await a_subscription(caller, **changes))["webhook"]["id"]
    return id


async def shown(caller: Caller, id: str) -> Any:
    return (await data_of(caller, f'{{ webhook(id: "{id}") {{ {every_field("Webhook")} }} }}'))[
        "webhook"
    ]


async def test_every_field_of_a_webhook_is_the_one_of_rest() -> None:
    caller = await a_caller("test")
    plain = await subscribed(caller)
    told = await subscribed(
        caller,
        events=list(webhooks.EventType),
        description="The shop",
        headers=[HEADER],
        retry={"maxAttempts": 3, "backoffSeconds": 60},
    )
    await WebhookSubscription.filter(id=told).update(
        status=webhooks.SubscriptionStatus.FAILING,
        consecutive_failures=4,
        last_success_at=now(),
        last_failure_at=now(),
        failures_since=now(),
        failing_since=now(),
        probe_at=now(),
    )
    revoked, resumed = await subscribed(caller), await subscribed(caller)
    await WebhookSubscription.filter(id=revoked).update(
        status=webhooks.SubscriptionStatus.REVOKED, revoked_reason=webhooks.RevokedReason.GONE
    )
    await WebhookSubscription.filter(id=resumed).update(
        probe_at=now()
    )  # its backlog is to be taken up

    for id in (plain, told, revoked, resumed):
        assert as_rest("Webhook", await shown(caller, id)) == await webhooks.get_subscription(
            caller, id
        )


async def test_neither_the_secret_nor_the_value_of_a_header_is_shown() -> None:
    caller = await a_caller("test")
    new = await a_subscription(caller, headers=[HEADER])
    id = new["webhook"]["id"]

    webhook = await shown(caller, id)

    text = orjson.dumps(webhook).decode()
    assert new["reveal"]["secret"] not in text
    assert HEADER["value"] not in text
    assert webhook["headers"] == [{"key": "X-Tenant", "value": "***"}]
    assert open_secret(id, webhook["secretCipher"]) == new["reveal"]["secret"]  # of use to us alone


async def test_webhooks_are_walked_from_either_end_newest_first() -> None:
    caller = await a_caller("test")
    made = [await subscribed(caller) for _ in range(5)]

    assert await walked(caller, "webhooks") == made[::-1]
    assert await walked(caller, "webhooks", backward=True) == made[::-1]


async def test_webhooks_are_found_by_status_and_event() -> None:
    caller = await a_caller("test")
    of_sms = await subscribed(caller, events=["sms.delivered", "sms.failed"])
    of_contacts = await subscribed(caller, events=["contact.created"])
    await webhooks.change_subscription(
        caller, of_sms, webhooks.SubscriptionChanges(status=webhooks.SubscriptionSwitch.PAUSED)
    )

    async def found(filter: str) -> list[str]:
        page = await data_of(
            caller, f"{{ webhooks(first: 9, filter: {filter}) {{ nodes {{ id }} }} }}"
        )
        return [node["id"] for node in page["webhooks"]["nodes"]]

    assert await found("{}") == [of_contacts, of_sms]
    assert await found("{status: PAUSED}") == [of_sms]
    assert await found("{status: ACTIVE}") == [of_contacts]
    assert await found("{event: SMS_FAILED}") == [of_sms]
    assert await found("{event: SMS_FAILED, status: ACTIVE}") == []


async def test_webhooks_need_their_scope() -> None:
    caller = await a_caller("test")
    id = await subscribed(caller)
    query = f'{{ me {{ env }} webhook(id: "{id}") {{ id }} webhooks(first: 1) {{ totalCount }} }}'

    content = await ask(bare(caller, Scope.CONTACTS_READ), query)

    assert content["data"] == {"me": {"env": "TEST"}, "webhook": None, "webhooks": None}
    assert [error["extensions"]["meta"] for error in content["errors"]] == [
        {"escopoExigido": "webhooks:read"}
    ] * 2


async def test_webhooks_of_another_organization_and_environment_are_not_there() -> None:
    caller = await a_caller("test")
    id = await subscribed(caller)

    for other in await other_sides(caller):
        assert (await data_of(other, f'{{ webhook(id: "{id}") {{ id }} }}'))["webhook"] is None
        assert await walked(other, "webhooks") == []


# Deliveries ---------------------------------------------------------------------------------------


async def test_deliveries_hang_on_their_webhook_newest_first_with_the_values_of_rest() -> None:
    caller = await a_caller("test")
    id = await subscribed(caller, events=["sms.delivered", "sms.failed"])
    at = now()
    for minutes, type in enumerate(("sms.delivered", "sms.failed", "sms.delivered")):
        await an_event(caller, type, at=at + timedelta(minutes=minutes))
    rest = (await webhooks.list_deliveries(caller, id, webhooks.DeliveryFilter()))["items"]

    async def hung(filter: str = "first: 9") -> list[Any]:
        fields = every_field("WebhookDelivery")
        query = f'{{ webhook(id: "{id}") {{ deliveries({filter}) {{ nodes {{ {fields} }} }} }} }}'
        nodes = (await data_of(caller, query))["webhook"]["deliveries"]["nodes"]
        return [as_rest("WebhookDelivery", node) for node in nodes]

    assert await hung() == rest
    assert await hung("first: 9, filter: {event: SMS_FAILED}") == [rest[1]]
    assert await hung("first: 9, filter: {status: MORTA}") == []
    assert await hung(f'first: 1, filter: {{since: "{rest[0]["createdAt"]}"}}') == rest[:1]


async def test_a_wrong_page_of_deliveries_takes_nothing_else_from_the_answer() -> None:
    caller = await a_caller("test")
    id = await subscribed(caller)
    content = await ask(
        caller, f'{{ webhook(id: "{id}") {{ id deliveries {{ nodes {{ id }} }} }} }}'
    )

    assert content["data"] == {"webhook": {"id": id, "deliveries": None}}
    assert [error["extensions"]["code"] for error in content["errors"]] == ["VALIDATION_ERROR"]


async def test_a_delivery_has_its_request_and_its_attempts(receiver: Receiver) -> None:
    caller = await a_caller("test")
    receiver.answer = lambda _: 500
    id: str = (await a_subscription(caller, receiver.url, headers=[HEADER]))["webhook"]["id"]
    await an_event(caller)
    await deliver_all()
    (listed,) = (await webhooks.list_deliveries(caller, id, webhooks.DeliveryFilter()))["items"]
    whole: dict[str, Any] = {**await webhooks.get_delivery(caller, listed["id"])}

    found = await data_of(
        caller,
        f'{{ node(id: "{listed["id"]}") {{ ... on WebhookDelivery {{ {every_field("WebhookDelivery")} webhook {{ id }} '
        f"request {{ url headers body }} attemptLog {{ {every_field('WebhookAttempt')} }} }} }} }}",
    )

    node = found["node"]
    assert node.pop("webhook") == {"id": id}
    assert node.pop("request") == whole.pop("request")
    log = [
        {name: value for name, value in attempt.items() if value is not None}
        for attempt in node.pop("attemptLog")
    ]
    assert log == whole.pop("attemptLog")
    assert as_rest("WebhookDelivery", node) == whole


async def test_a_request_is_masked_without_the_scope() -> None:
    caller = await a_caller("test")
    id = await subscribed(caller)
    await an_event(caller)
    (listed,) = (await webhooks.list_deliveries(caller, id, webhooks.DeliveryFilter()))["items"]
    reader = await a_caller(
        "test", scopes=frozenset({Scope.WEBHOOKS_READ}), organization_id=caller.organization_id
    )
    query = (
        f'{{ node(id: "{listed["id"]}") {{ ... on WebhookDelivery {{ request {{ body }} }} }} }}'
    )

    bodies = [(await data_of(who, query))["node"]["request"]["body"] for who in (caller, reader)]

    assert [orjson.loads(body)["data"]["to"] for body in bodies] == [
        "+5511987654321",
        "+5511*****4321",
    ]
