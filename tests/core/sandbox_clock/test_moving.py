"""Time passes in a sandbox: what is due happens in its order, at its instant, and nowhere else."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import conversations, decisions, push, quotes, quoting, segments, sms, webhooks
from core.foundation import moved_clocks
from core.foundation.clock import real_now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.http_client import GuardedClient
from core.foundation.security.caller import Caller
from core.messaging import Message
from core.sandbox_clock import ClockStatus, SandboxClock, move_clock
from core.webhooks import Dispatcher
from tests.factories.contacts import a_contact
from tests.factories.conversations import ANA, a_message
from tests.factories.conversations_inbound import an_inbound
from tests.factories.emails import an_email
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, a_dispatch
from tests.factories.rcs import an_rcs
from tests.factories.sms import a_send
from tests.factories.webhooks import a_subscription
from tests.support.clocks import advance, freeze, request_of
from tests.support.receiver import Receiver

pytestmark = pytest.mark.usefixtures("clean_slate")

START = datetime(2027, 3, 1, 12, tzinfo=UTC).replace(year=real_now().year + 1)


async def events_of(caller: Caller) -> list[tuple[str, str]]:
    """The events of the sandbox in the order in which they happened, and when."""
    rows = await db.fetch(
        "SELECT e.type, e.occurred_at FROM webhook_events e JOIN webhook_feed_queue q ON q.event_id = e.id "
        "WHERE e.organization_id = $1 ORDER BY q.id",
        caller.organization_id,
    )
    return [(row["type"], wire_time(row["occurred_at"])) for row in rows]


async def test_a_send_under_a_standing_clock_is_reported_when_the_clock_goes_on(
    http: GuardedClient,
) -> None:
    caller = await a_caller()
    await freeze(caller, START)
    async with request_of(caller):
        sent = await a_send(caller)
    assert sent["sentAt"] == wire_time(START)

    assert await sms.apply_due_reports(at=START + timedelta(days=1)) == 0  # not by the real time
    clock = await advance(caller, http, por="PT2S")
    assert (await Message.get(id=sent["id"])).status == "sent"
    assert clock["agora"] == wire_time(START + timedelta(seconds=2))

    clock = await advance(caller, http, por="P30D")

    message = await Message.get(id=sent["id"])
    assert (message.status, message.delivered_at) == ("delivered", START + timedelta(seconds=3))
    assert clock["agora"] == wire_time(START + timedelta(days=30, seconds=2))
    assert (clock["status"], clock["aplicados"]) == (ClockStatus.READY, 1)
    assert await events_of(caller) == [("sms.delivered", wire_time(START + timedelta(seconds=3)))]


async def test_what_is_scheduled_leaves_at_its_time_and_is_delivered_to_the_receiver(
    http: GuardedClient, receiver: Receiver
) -> None:
    caller = await a_caller()
    await a_subscription(caller, receiver.url)
    await freeze(caller, START)
    due = START + timedelta(days=20)
    async with request_of(caller):
        sent = await a_send(caller, scheduledAt=due.isoformat())

    clock = await advance(caller, http, por="P30D")

    message = await Message.get(id=sent["id"])
    assert (message.sent_at, message.status) == (due, "delivered")
    (arrival,) = receiver.arrivals
    delivered = wire_time(due + timedelta(seconds=3))
    assert arrival.event["timestamp"] == delivered
    assert arrival.headers["x-svc-clock"] == delivered
    signed = int(arrival.headers["x-svc-signature"].split("t=")[1].split(",")[0])
    assert abs(signed - real_now().timestamp()) < 60
    assert clock["aplicados"] == 3  # it left, was reported on, and the event was delivered


async def test_a_receiver_that_fails_is_tried_again_in_the_time_of_the_sandbox(
    http: GuardedClient, receiver: Receiver
) -> None:
    caller = await a_caller()
    await a_subscription(caller, receiver.url, retry={"maxAttempts": 3, "backoffSeconds": 3600})
    receiver.answer = lambda _: 200 if len(receiver.arrivals) == 3 else 500
    await freeze(caller, START)
    async with request_of(caller):
        await a_send(caller)

    await advance(caller, http, por="P2D")

    first = START + timedelta(seconds=3)
    assert [arrival.headers["x-svc-clock"] for arrival in receiver.arrivals] == [
        wire_time(first),
        wire_time(first + timedelta(hours=1)),
        wire_time(first + timedelta(hours=5)),
    ]
    assert await db.fetchval("SELECT status FROM webhook_deliveries") == "entregue"


async def test_pumps_of_the_real_time_pass_over_a_sandbox_with_a_clock(
    http: GuardedClient, receiver: Receiver
) -> None:
    held, other = await a_caller(), await a_caller()
    for caller in (held, other):
        await a_subscription(caller, receiver.url)
    await freeze(held, real_now() + timedelta(seconds=1))
    for caller in (held, other):
        async with request_of(caller):
            await webhooks.publish(caller, "sms.delivered", {"id": "msg_1"}, at=real_now())

    await Dispatcher(http).drain()
    assert [one.event["organizationId"] for one in receiver.arrivals] == [other.organization_id]

    await advance(held, http, passo="proximo")
    assert receiver.arrivals[-1].event["organizationId"] == held.organization_id


async def test_moving_a_clock_touches_nobody_elses_sandbox(http: GuardedClient) -> None:
    caller, other = await a_caller(), await a_caller()
    theirs = await a_send(other)
    await freeze(caller, START)

    clock = await advance(caller, http, por="P30D")

    assert clock["aplicados"] == 0
    assert (await Message.get(id=theirs["id"])).status == "sent"


async def test_the_next_step_is_the_next_due_instant(http: GuardedClient) -> None:
    caller = await a_caller()
    await freeze(caller, START)
    async with request_of(caller):
        await a_send(caller)

    clock = await advance(caller, http, passo="proximo")

    assert clock["agora"] == wire_time(START + timedelta(seconds=3))
    assert "proximo" not in clock


async def scenario(http: GuardedClient) -> list[Any]:
    """Ten days of a few people, some of whom fail; the events as the feed has them, but ids."""
    caller = await a_caller()
    await freeze(caller, START)
    async with request_of(caller):
        for place, end in enumerate(("0005", "0006", "0008", "0013", "4321") * 4):
            await a_send(
                caller,
                to=f"+55119876{place:01d}{end}"[:14],
                scheduledAt=(START + timedelta(hours=6 * (place % 7))).isoformat(),
            )
    await advance(caller, http, por="P3D")
    async with request_of(caller):
        for place in range(5):
            await a_send(caller, to=f"+551198765{place}005", body=f"again {place}")
    await advance(caller, http, por="P7D")
    rows = await db.fetch(
        "SELECT e.type, e.data - 'id' AS data, e.occurred_at FROM webhook_events e "
        "JOIN webhook_feed_queue q ON q.event_id = e.id WHERE e.organization_id = $1 ORDER BY q.id",
        caller.organization_id,
    )
    return [(row["type"], wire_time(row["occurred_at"]), without_ids(row["data"])) for row in rows]


def without_ids(data: dict[str, Any]) -> dict[str, Any]:
    receipt = data.get("providerReceipt") or {}
    kept = {name: value for name, value in receipt.items() if name not in ("id", "reference")}
    return {**data, "providerReceipt": kept}


async def test_the_same_scenario_gives_the_same_events(http: GuardedClient) -> None:
    first, second = await scenario(http), await scenario(http)
    assert len(first) >= 20
    assert first == second


async def test_a_worker_that_dies_leaves_the_clock_where_it_came(http: GuardedClient) -> None:
    caller = await a_caller()
    await freeze(caller, START)
    async with request_of(caller):
        sent = await a_send(caller)
    await advance(caller, http, por="PT1S")
    clock = await SandboxClock.visible_to(caller).get()
    clock.target, clock.advanced_at = START + timedelta(days=1), real_now()
    clock.leased_to, clock.lease_until = "who died", real_now() + timedelta(seconds=50)
    await clock.save()

    await move_clock(clock.id, http)  # the lease holds
    assert (await Message.get(id=sent["id"])).status == "sent"

    await SandboxClock.filter(id=clock.id).update(lease_until=real_now())
    await move_clock(clock.id, http)
    assert (await Message.get(id=sent["id"])).status == "delivered"
    clock = await SandboxClock.get(id=clock.id)
    assert (clock.instant, clock.target) == (START + timedelta(days=1), None)


async def test_a_movement_has_its_limits(
    http: GuardedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.sandbox_clock.move.MAX_DUES", 2)
    caller = await a_caller()
    await freeze(caller, START)
    async with request_of(caller):
        for hours in range(4):
            await a_send(caller, scheduledAt=(START + timedelta(hours=hours)).isoformat())

    clock = await advance(caller, http, por="P1D")
    assert (clock["status"], clock["limite"]) == (ClockStatus.STOPPED, "vencimentos")
    assert clock["agora"] < wire_time(START + timedelta(days=1))

    monkeypatch.setattr("core.sandbox_clock.move.MAX_DUES", 200)
    clock = await advance(caller, http, por="P1D")
    assert clock["status"] == ClockStatus.READY
    assert {message.status for message in await Message.all()} == {"delivered"}


async def test_what_is_held_is_known_by_process() -> None:
    caller = await a_caller()
    await freeze(caller, START)
    assert moved_clocks.held() == (caller.organization_id,)
    assert not moved_clocks.may_drain(caller.organization_id, "test")
    assert moved_clocks.may_drain(caller.organization_id, "live")


async def test_a_campaign_is_over_a_quarter_of_an_hour_after_its_last_send(
    http: GuardedClient,
) -> None:
    caller = await a_caller()
    await freeze(caller, START)
    async with request_of(caller):
        await a_send(caller, campaignId="maio")
    assert await conversations.complete_campaigns(at=START + timedelta(hours=1)) == 0

    await advance(caller, http, por="P1D")

    over = START + timedelta(minutes=15)
    assert (await events_of(caller))[-1] == ("campaign.completed", wire_time(over))


async def test_a_window_closes_in_the_time_of_the_sandbox(http: GuardedClient) -> None:
    caller = await a_caller()
    number = await a_number(caller)
    await freeze(caller, START)
    async with request_of(caller):
        await an_inbound(caller, number, **{"from": ANA})
        sent = await a_message(caller, number.id)
    assert sent["status"] == "queued"
    await advance(caller, http, por="PT1H")
    assert (await Message.get(id=sent["id"])).status == "delivered"

    await advance(caller, http, por="P1D")
    async with request_of(caller):
        with pytest.raises(ValidationFailed) as refused:
            await a_message(caller, number.id)
    assert refused.value.meta["code"] == "JANELA_FECHADA"


async def test_every_channel_takes_part(http: GuardedClient) -> None:
    caller = await a_caller()
    await freeze(caller, START)
    due = (START + timedelta(days=2)).isoformat()
    async with request_of(caller):
        by_rcs = await an_rcs(caller, scheduledAt=due)
        by_email = await an_email(caller, scheduledAt=due, to="open@example.org")
        await a_device(caller)
        dispatch = await a_dispatch(caller, scheduledAt=due)

    clock = await advance(caller, http, por="P5D")

    assert clock["status"] == ClockStatus.READY
    assert (await Message.get(id=by_rcs["id"])).status == "delivered"
    email = await Message.get(id=by_email["id"])
    assert (email.status, email.sent_at) == ("delivered", START + timedelta(days=2))
    assert (await push.get_push(caller, dispatch["id"]))["metrics"]["delivered"] == 1
    types = [type for type, _ in await events_of(caller)]
    assert {"rcs.delivered", "email.delivered", "email.opened"} <= set(types)


VIP = {"field": "tag", "operator": "is", "value": "vip"}
FEED = """
INSERT INTO webhook_feed (organization_id, env, position, event_id, type, created_at)
SELECT organization_id, env, id, event_id, type, created_at FROM webhook_feed_queue
"""


async def test_money_of_quotes_sizes_of_segments_and_what_is_kept_follow_the_clock(
    http: GuardedClient,
) -> None:
    caller = await a_caller()
    await freeze(caller, START)
    item = {"canal": "sms", "rota": "otp", "quantidade": 3}
    async with request_of(caller):
        segment = await segments.create_segment(
            caller, segments.NewSegment.model_validate({"name": "VIP", "filters": [VIP]})
        )
        quote = await quoting.create_quote(
            caller, quoting.NewQuote.model_validate({"itens": [item], "reservar": True})
        )
        await webhooks.publish(caller, "sms.delivered", {"id": "msg_1"}, at=START)
        await decisions.keep_refusal(caller, "sms", Forbidden())
        await a_contact(caller, tags=["vip"])
    assert quote["reservadoCoins"] == 3 * 950
    await db.execute(FEED)

    await quotes.sweep_quotes(at=START + timedelta(days=1))  # not by the real time
    assert (await quotes.read_quote(caller, quote["id"]))["reservadoCoins"] == 2850
    await advance(caller, http, por="P2D")

    assert (await quotes.read_quote(caller, quote["id"]))["reservadoCoins"] == 0
    counted = await segments.get_segment(caller, segment["id"])
    assert counted["size"] == 1
    assert await db.fetchval("SELECT count(*) FROM webhook_events") == 2
    await advance(caller, http, por="P100D")
    assert await db.fetchval("SELECT count(*) FROM webhook_events") == 0
    assert await db.fetchval("SELECT count(*) FROM refused_sends") == 0
