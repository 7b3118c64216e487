"""The log groups of SNS: lines are applied once, late ones too, by one worker at a time."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from core import sms
from core.foundation import settings
from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.settings import current
from core.providers import registry
from core.providers.gateway import open_session
from core.sms.amazon import logs_loop
from core.sms.amazon.logs_loop import AmazonLogs, claim, logs_of
from core.sms.amazon.models import ProviderCost, ProviderCursor
from tests.factories.live import a_live_caller, refused_send
from tests.factories.sms import a_send
from tests.fakes.aws import FakeAws, a_log_line, an_aws, drops, fails
from tests.support.money import the_message
from tests.support.sql_tables import rows_of
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("clean_slate")

GROUP = "sns/sa-east-1/123456789012/DirectPublishToPhoneNumber"
GROUPS = (GROUP, f"{GROUP}/Failure")


@pytest.fixture
async def aws(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeAws]:
    async with an_aws() as aws:
        with monkeypatch.context() as patched:
            for name, value in {
                "AWS_ENDPOINT_URL": aws.url,
                "AWS_ACCESS_KEY_ID": "of-the-test",
                "AWS_SECRET_ACCESS_KEY": "of-the-test",
                "SVC_SNS_REGION": "sa-east-1",
                "SVC_SNS_LOG_GROUPS": ",".join(GROUPS),
            }.items():
                patched.setenv(name, value)
            settings.current.cache_clear()
            await registry.open_providers(settings.current())
            yield aws
            await registry.close_providers()
        settings.current.cache_clear()


def log(aws: FakeAws, group: str, *texts: str) -> None:
    at = int(now().timestamp() * 1000)
    known = aws.log_events.setdefault(group, [])
    known += [
        {
            "eventId": f"{group}-{len(known) + n}",
            "timestamp": at,
            "ingestionTime": at,
            "message": text,
        }
        for n, text in enumerate(texts)
    ]


async def read(*, loop: AmazonLogs | None = None, later: int = 0, patched: Any = None) -> int:
    if later:
        await ProviderCursor.all().update(updated_at=now() - timedelta(seconds=later))
    async with open_session() as session:
        return await (loop or AmazonLogs()).read(logs_of(current(), session), GROUPS)


async def test_lines_move_messages_and_tell_costs(aws: FakeAws) -> None:
    caller = await a_live_caller()
    ids = [(await a_send(caller, route="otp"))["id"] for _ in range(2)]
    log(aws, GROUP, a_log_line("sns-1"), "START", a_log_line("of somebody else"))
    log(aws, GROUPS[1], a_log_line("sns-2", said="Invalid phone number", status="FAILURE"))

    assert await read() == 2

    rows = [await the_message(id) for id in ids]
    assert [(row["status"], row["reason"], row["provider"]) for row in rows] == [
        ("delivered", None, "cloud-sns"),
        ("failed", "invalid_number", "cloud-sns"),
    ]
    costs = await rows_of(ProviderCost)
    assert {(cost.message_id, cost.parts, str(cost.amount)) for cost in costs} == {
        (id, 1, "0.03084") for id in ids
    }


async def test_a_line_is_applied_once_and_one_that_is_early_later(aws: FakeAws) -> None:
    caller = await a_live_caller()
    log(aws, GROUP, a_log_line("sns-1"))
    loop = AmazonLogs()
    assert await read(loop=loop) == 0

    sent = await a_send(caller)

    assert await read(loop=loop, later=60) == 1
    assert await read(loop=loop, later=60) == 0
    assert (await the_message(sent["id"]))["status"] == "delivered"


async def test_pages_are_read_to_the_last_one(
    aws: FakeAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.providers.amazon.log_lines.PAGE_SIZE", 2)
    caller = await a_live_caller()
    for _ in range(5):
        await a_send(caller)
    log(aws, GROUP, *(a_log_line(f"sns-{n}") for n in range(1, 6)))

    assert await read() == 5


async def test_one_worker_reads_at_a_time_and_the_position_never_goes_back(
    clean_slate: None,
) -> None:
    at = now()
    first = await claim(GROUP, at=at)
    assert first == int(at.timestamp() * 1000)
    assert await claim(GROUP, at=at + timedelta(seconds=5)) is None

    await logs_loop.move(GROUP, first + 100, at=at)
    await logs_loop.move(GROUP, first + 50, at=at)

    assert await claim(GROUP, at=at + timedelta(seconds=15)) == first + 100


async def test_who_reads_older_lines_again_holds_the_group_as_long_as_it_reads(
    aws: FakeAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    log(aws, GROUP, "START")
    aws.log_events[GROUP][0]["ingestionTime"] -= 60_000
    later = now() + timedelta(seconds=20)
    moved = logs_loop.move

    async def moved_late(group: str, position: int, *, at: datetime) -> None:
        await moved(group, position, at=later)

    monkeypatch.setattr(logs_loop, "move", moved_late)
    await read()

    assert await claim(GROUP, at=later + timedelta(seconds=5)) is None


async def test_an_unknown_outcome_of_sns_is_over_after_ten_minutes_and_never_sent_again(
    aws: FakeAws,
) -> None:
    caller = await a_live_caller()
    aws.will(drops())
    refusal = await refused_send(caller)
    assert refusal.meta
    id = refusal.meta["messageId"]

    await sms.reconcile(at=now() + timedelta(minutes=2))
    assert (await the_message(id))["status"] == "sending"
    await sms.reconcile(at=now() + timedelta(minutes=12))

    row = await the_message(id)
    assert (row["status"], row["reason"]) == ("failed", "indeterminate")
    assert len(aws.sent) == 1


async def test_a_log_that_throttles_is_asked_again(
    aws: FakeAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs_loop, "POLL_INTERVAL", timedelta(milliseconds=1))
    asked = 0

    async def throttles(fake: FakeAws, request: Any, body: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == 3:
            fake.answers.clear()
        return await fails("ThrottlingException")(fake, request, body)

    aws.answers["FilterLogEvents"] = throttles
    stop = asyncio.Event()
    loop = AmazonLogs()
    running = asyncio.create_task(loop.run(stop, Batches("read_amazon_logs")))
    try:

        def answered() -> bool:
            return len([name for name, _ in aws.seen if name == "FilterLogEvents"]) > 4

        await eventually(answered, "it asks on")
    finally:
        stop.set()
        loop.wake()
        await asyncio.wait_for(running, 60)
