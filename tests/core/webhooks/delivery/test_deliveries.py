"""The log of deliveries: what was sent, how often, and what came back."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import orjson
import pytest

from core import webhooks
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.receiver import Receiver
from tests.support.subscriptions import deliver_all

pytestmark = pytest.mark.usefixtures("clean_slate")


async def a_log(caller: Caller, id: str, **asked: Any) -> Mapping[str, Any]:
    return await webhooks.list_deliveries(caller, id, webhooks.DeliveryFilter.model_validate(asked))


async def a_listener(
    caller: Caller, url: str = "http://127.0.0.1:9009/hooks", **fields: Any
) -> str:
    return str(
        (await a_subscription(caller, url, events=["sms.delivered", "sms.failed"], **fields))[
            "webhook"
        ]["id"]
    )


async def test_a_delivery_is_listed_with_what_became_of_it(receiver: Receiver) -> None:
    caller = await a_caller()
    id = await a_listener(caller, receiver.url)
    await an_event(caller)
    await deliver_all()

    page = await a_log(caller, id)

    (delivery,) = page["items"]
    (arrival,) = receiver.arrivals
    assert delivery["id"] == arrival.headers["x-svc-delivery-id"]
    assert (delivery["eventId"], delivery["type"]) == (arrival.event["id"], "sms.delivered")
    assert (delivery["status"], delivery["attempts"], delivery["lastStatusCode"]) == (
        "entregue",
        1,
        200,
    )
    assert "nextAttemptAt" not in delivery
    assert "nextCursor" not in page


async def test_one_that_waits_tells_when_it_is_tried_next() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    at = now()
    await an_event(caller, at=at)

    (delivery,) = (await a_log(caller, id))["items"]

    assert (delivery["status"], delivery["attempts"], delivery["nextAttemptAt"]) == (
        "pendente",
        0,
        wire_time(at),
    )


async def test_the_log_is_narrowed_by_status_event_and_time() -> None:
    caller = await a_caller()
    id, at = await a_listener(caller), now()
    for hours, type in ((3, "sms.delivered"), (2, "sms.failed"), (1, "sms.delivered")):
        await an_event(caller, type, at=at - timedelta(hours=hours))
    await db.execute(
        "UPDATE webhook_deliveries SET status = 'morta', due_at = NULL WHERE created_at = $1",
        at - timedelta(hours=3),
    )

    async def times(**asked: Any) -> list[str]:
        return [delivery["createdAt"] for delivery in (await a_log(caller, id, **asked))["items"]]

    one, two, three = (wire_time(at - timedelta(hours=hours)) for hours in (1, 2, 3))
    assert await times() == [one, two, three]
    assert await times(status="morta") == [three]
    assert await times(event="sms.failed") == [two]
    assert await times(**{"from": at - timedelta(hours=2)}) == [one, two]
    assert await times(to=at - timedelta(hours=2)) == [two, three]


async def test_a_time_that_was_shown_names_the_delivery_it_was_shown_for() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    await an_event(caller, at=now().replace(microsecond=123_999))
    (shown,) = (await a_log(caller, id))["items"]

    page = await a_log(caller, id, **{"from": shown["createdAt"], "to": shown["createdAt"]})

    assert page["items"] == [shown]


async def test_pages_follow_each_other_without_gaps() -> None:
    caller = await a_caller()
    id, at = await a_listener(caller), now()
    for _ in range(5):
        await an_event(caller, at=at)

    found: list[str] = []
    cursor = None
    while True:
        page = await a_log(caller, id, limit=2, cursor=cursor)
        found += [delivery["id"] for delivery in page["items"]]
        if (cursor := page.get("nextCursor")) is None:
            break

    assert len(found) == len(set(found)) == 5
    with pytest.raises(ValidationFailed):
        await a_log(caller, id, cursor="nonsense")


async def test_the_whole_delivery_has_its_request_and_every_attempt(receiver: Receiver) -> None:
    caller = await a_caller()
    receiver.answer = lambda _: 500
    id = await a_listener(caller, receiver.url, headers=[{"key": "X-Tenant", "value": "a secret"}])
    await an_event(caller)
    await deliver_all()
    (listed,) = (await a_log(caller, id))["items"]

    whole = await webhooks.get_delivery(caller, listed["id"])

    (arrival,) = receiver.arrivals
    assert whole["request"]["body"].encode() == arrival.body
    assert whole["request"]["url"] == receiver.url
    told = {name.lower(): value for name, value in whole["request"]["headers"].items()}
    hidden = {name for name, value in told.items() if value == "***"}
    assert hidden == {"x-tenant", "x-svc-signature", "webhook-timestamp", "webhook-signature"}
    assert {name: arrival.headers[name] for name in told.keys() - hidden} == {
        name: value for name, value in told.items() if name not in hidden
    }
    (attempt,) = whole["attemptLog"]
    assert (attempt["statusCode"], attempt["probe"]) == (500, False)
    assert attempt["latencyMs"] >= 0
    assert whole["attempts"] == 1
    assert {**listed} == {name: value for name, value in whole.items() if name in listed}


async def test_of_many_probes_the_newest_are_shown_beside_every_attempt() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    await an_event(caller)
    (listed,) = (await a_log(caller, id))["items"]
    await db.execute("UPDATE webhook_deliveries SET attempts = 3 WHERE id = $1", listed["id"])
    await db.execute(
        "INSERT INTO webhook_attempts (organization_id, env, delivery_id, number, probe, at, status_code, latency_ms) "
        "SELECT $2, $3, $1, least(n, 4), n > 3, $4, 500, n FROM generate_series(1, 150) AS n",
        listed["id"], caller.organization_id, caller.env, now(),
    )  # fmt: skip

    whole = await webhooks.get_delivery(caller, listed["id"])

    assert [attempt["latencyMs"] for attempt in whole["attemptLog"]] == [1, 2, 3, *range(54, 151)]
    assert [attempt["probe"] for attempt in whole["attemptLog"]] == [False] * 3 + [True] * 97
    assert whole["request"]["headers"]["X-SVC-Attempt"] == "3"


async def test_the_request_is_masked_for_whoever_may_not_see_it() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    reader = await a_caller(
        scopes=frozenset({Scope.WEBHOOKS_READ}), organization_id=caller.organization_id
    )
    await an_event(caller)
    (listed,) = (await a_log(caller, id))["items"]

    seen = [
        orjson.loads((await webhooks.get_delivery(who, listed["id"]))["request"]["body"])
        for who in (caller, reader)
    ]

    assert [body["data"]["to"] for body in seen] == ["+5511987654321", "+5511*****4321"]


async def test_what_an_endpoint_answered_is_hidden_where_it_may_repeat_what_is_masked(
    receiver: Receiver,
) -> None:
    caller = await a_caller()
    reader = await a_caller(
        scopes=frozenset({Scope.WEBHOOKS_READ, Scope.WEBHOOKS_WRITE}),
        organization_id=caller.organization_id,
    )
    told_all = await a_listener(caller, receiver.url)
    told_masked = await a_listener(reader, receiver.url)
    await an_event(caller)
    await deliver_all()
    for arrival in receiver.arrivals:
        await db.execute(
            "UPDATE webhook_attempts SET response_body = $2 WHERE delivery_id = $1",
            arrival.headers["x-svc-delivery-id"],
            arrival.body.decode(),
        )

    async def answered(who: Caller, id: str) -> str:
        (listed,) = (await a_log(who, id))["items"]
        (attempt,) = (await webhooks.get_delivery(who, listed["id"]))["attemptLog"]
        return str(attempt["responseBody"])

    assert "+5511987654321" in await answered(caller, told_all)
    assert await answered(reader, told_all) == "***"
    assert "+5511*****4321" in await answered(reader, told_masked)


async def test_another_organizations_log_is_not_found() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    await an_event(caller)
    (delivery,) = (await a_log(caller, id))["items"]

    for stranger in (
        await a_caller(),
        await a_caller("live", organization_id=caller.organization_id),
    ):
        with pytest.raises(NotFound):
            await a_log(stranger, id)
        with pytest.raises(NotFound):
            await webhooks.get_delivery(stranger, delivery["id"])
    with pytest.raises(NotFound):
        await webhooks.get_delivery(caller, "nonsense")


async def test_the_log_takes_its_scope() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    weak = await a_caller(
        scopes=frozenset({Scope.SMS_READ}), organization_id=caller.organization_id
    )

    with pytest.raises(Forbidden):
        await a_log(weak, id)
    with pytest.raises(Forbidden):
        await webhooks.get_delivery(weak, "dlv_1")
