"""How much waits, and for how long: what an operator is woken for."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import orjson
import pytest

from core import operations, organizations, webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.operations import queues
from core.operations.queues import QUEUES, Backlog, measure_queues
from core.smpp.models import SmppBind, SmppReceipt
from tests.factories.messages import a_message
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.webhooks import a_subscription, an_event

pytestmark = pytest.mark.usefixtures("clean_slate")

OF_PEOPLE = {("card_activities", "due_at")}
"""What a person is to do by then; no worker waits for it."""


async def backlog(queue: str, at: datetime) -> Backlog:
    (found,) = [one for one in await measure_queues(at=at) if one.queue == queue]
    return found


async def test_an_idle_service_has_empty_queues() -> None:
    assert await measure_queues(at=now()) == [Backlog(queue.name, 0, 0.0) for queue in QUEUES]


async def test_due_deliveries_are_counted_with_the_age_of_the_oldest() -> None:
    caller = await a_caller()
    await a_subscription(caller)
    at = now()
    for age in (10, 30, -60):
        await an_event(caller, at=at - timedelta(seconds=age))

    waiting = await backlog("webhook_deliveries", at)
    assert waiting.due == 2
    assert waiting.oldest_seconds == pytest.approx(30)


async def test_sandbox_reports_are_due_after_their_delay() -> None:
    await a_send(await a_caller())

    assert (await backlog("sandbox_reports", now())).due == 0
    assert (await backlog("sandbox_reports", now() + timedelta(seconds=10))).due == 1


async def test_messages_wait_to_be_settled_by_their_own_time() -> None:
    at = now()
    id = await a_message(await a_caller("live"))
    await db.execute(
        "UPDATE messages SET settle_at = $2 WHERE id = $1", id, at - timedelta(seconds=5)
    )

    waiting = await backlog("messages_to_settle", at)
    assert waiting.due == 1
    assert waiting.oldest_seconds == pytest.approx(5)


async def test_a_long_queue_is_counted_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "MAX_COUNTED", 2)
    caller = await a_caller()
    await a_subscription(caller)
    for _ in range(3):
        await an_event(caller)

    assert (await backlog("webhook_deliveries", now())).due == 2


async def test_deliveries_of_all_subscriptions_are_one_queue() -> None:
    callers = [await a_caller() for _ in range(3)]
    for caller in callers:
        await a_subscription(caller)
    at = now()
    ages = ((10, -60), (40, 20), (-30,))
    for caller, of_its in zip(callers, ages, strict=True):
        for age in of_its:
            await an_event(caller, at=at - timedelta(seconds=age))

    waiting = await backlog("webhook_deliveries", at)
    assert waiting.due == 3
    assert waiting.oldest_seconds == pytest.approx(40)


async def test_events_wait_for_their_positions_in_the_feed() -> None:
    caller, at = await a_caller(), now()
    for age in (10, 30):
        await an_event(caller, at=at - timedelta(seconds=age))
    waiting = await backlog("event_feed", at)
    assert waiting.due == 2
    assert waiting.oldest_seconds == pytest.approx(10)  # the first in line

    await webhooks.assign_positions(at=at)

    assert await backlog("event_feed", at) == Backlog("event_feed", 0, 0.0)


async def test_receipts_are_late_only_where_a_bind_could_take_them() -> None:
    at = now()
    for account, mode in (("smp_1", "transceiver"), ("smp_2", "transmitter"), ("smp_3", None)):
        await SmppReceipt.create(
            organization_id="org_1",
            env="test",
            id=new_id("rcp"),
            message_id=new_id("msg"),
            account_id=account,
            wanted=1,
            source="1",
            destination="2",
            created_at=at,
            due_at=at - timedelta(seconds=30),
        )
        if mode is not None:
            await SmppBind.create(
                organization_id="org_1",
                env="test",
                id=new_id("bnd"),
                account_id=account,
                process="p",
                mode=mode,
                peer="127.0.0.1",
                opened_at=at,
                alive_until=at + timedelta(seconds=30),
            )

    waiting = await backlog("smpp_receipts", at)
    assert waiting.due == 1
    assert waiting.oldest_seconds == pytest.approx(30)
    # The process that held the bind is gone.
    assert (await backlog("smpp_receipts", at + timedelta(seconds=31))).due == 0


async def test_a_look_at_deliveries_reads_no_more_of_a_long_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither for the oldest nor for the number, and wherever the late ones stand in the index."""
    monkeypatch.setattr(queues, "MAX_COUNTED", 10)
    await db.execute(
        """
        INSERT INTO webhook_deliveries
            (id, organization_id, env, subscription_id, event_id, status, attempts, due_at, created_at)
        SELECT 'dlv_' || n, 'org_1', 'test', 'wbh_' || n % 3, 'evt_1', 'pendente', 0,
               now() + (n % 3 - 1) * interval '1 hour', now()
        FROM generate_series(1, 3000) AS n
        """
    )
    (queue,) = [queue for queue in QUEUES if queue.name == "webhook_deliveries"]

    plan = await db.fetchval(
        f"EXPLAIN (ANALYZE, FORMAT JSON) {queues._measure(queue).replace('$1', 'now()')}"
    )

    assert sum(_rows_read(orjson.loads(plan)[0]["Plan"])) < 100


def _rows_read(node: dict[str, Any]) -> Iterator[float]:
    """How many rows each scan of a table has looked at."""
    if "Relation Name" in node:
        seen = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        yield seen * node["Actual Loops"]
    for inner in node.get("Plans", ()):
        yield from _rows_read(inner)


@pytest.mark.parametrize("queue", QUEUES, ids=lambda queue: queue.name)
async def test_a_queue_is_measured_by_an_index(queue: Any) -> None:
    await db.execute("SET LOCAL enable_seqscan = off")

    plan = "\n".join(
        row[0] for row in await db.fetch(f"EXPLAIN {queues._measure(queue).replace('$1', 'now()')}")
    )

    assert f"Seq Scan on {queue.table}" not in plan


OF_DISPATCHES = {("push_deliveries", "due_at")}
"""Looked for by the dispatch they belong to, which says itself how many are open."""


async def test_every_table_with_due_rows_is_a_queue() -> None:
    """A queue that nobody looks at grows unseen: give it a line in core/operations/queues.py."""
    rows = await db.fetch(
        "SELECT table_name, column_name FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND column_name IN ('due_at', 'settle_at')"
    )

    found = {(row["table_name"], row["column_name"]) for row in rows} - OF_PEOPLE - OF_DISPATCHES
    assert found == {(queue.table, queue.due) for queue in QUEUES if not queue.line}


async def test_clocks_of_one_machine_agree() -> None:
    assert abs(await operations.clock_skew()) < 1


async def test_nothing_is_late_where_a_sandbox_has_a_clock() -> None:
    caller, other = await a_caller(), await a_caller()
    at = now()
    for one in (caller, other):
        await a_subscription(one)
        await an_event(one, at=at - timedelta(seconds=10))
        await a_send(one)
    await organizations.note_sandbox_clock(caller.organization_id, moved=True)

    later = at + timedelta(minutes=1)
    assert (await backlog("webhook_deliveries", later)).due == 1
    assert (await backlog("sandbox_reports", later)).due == 1
