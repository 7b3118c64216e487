"""Wake-ups: gathered, after the commit only, and never in the way of a use case."""

import asyncio
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs
from tortoise.backends.asyncpg.client import TransactionWrapper
from tortoise.connection import get_connection

from core.foundation import jobs
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.jobs import Job, use_queue, wake
from tests.fakes.queue import RecordedQueue


class Refusal(Exception):
    """Ends a block."""


class DeadQueue:
    """A Redis that is away."""

    async def wake(self, job: Job) -> None:
        raise ConnectionError(f"the address of the queue, on the way to wake {job}")


class LookingQueue(RecordedQueue):
    """Notes whether a transaction is current when the wake-up leaves."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[bool] = []

    async def wake(self, job: Job) -> None:
        await super().wake(job)
        self.inside.append(isinstance(get_connection("default"), TransactionWrapper))


@pytest.fixture(autouse=True)
def short_gathering(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(jobs, "GATHER_SECONDS", 0)
    yield
    assert not jobs._tasks, "a wake-up was left behind"


async def gathered() -> None:
    """Wait until every wake-up has left."""
    while jobs._tasks:
        await asyncio.gather(*jobs._tasks)


async def test_many_wake_ups_become_one(queue: RecordedQueue) -> None:
    for _ in range(100):
        await wake(Job.DELIVER_WEBHOOKS)
    assert queue.jobs == []
    await gathered()

    assert queue.jobs == [Job.DELIVER_WEBHOOKS]


async def test_each_job_is_gathered_for_itself(queue: RecordedQueue) -> None:
    for job in (*Job, *Job):
        await wake(job)
    await gathered()

    assert queue.jobs == list(Job)


async def test_a_wake_up_after_one_has_left_leaves_too(queue: RecordedQueue) -> None:
    for _ in range(3):
        await wake(Job.DELIVER_WEBHOOKS)
        await gathered()

    assert queue.jobs == [Job.DELIVER_WEBHOOKS] * 3


async def test_a_wake_up_while_another_is_on_its_way_is_not_lost(queue: RecordedQueue) -> None:
    class SlowQueue(RecordedQueue):
        async def wake(self, job: Job) -> None:
            if not self.jobs:
                await wake(job)  # a row is committed while the first wake-up travels
            await super().wake(job)

    slow = SlowQueue()
    use_queue(slow)
    await wake(Job.DELIVER_WEBHOOKS)
    await gathered()

    assert len(slow.jobs) == 2


async def test_a_wake_up_leaves_after_the_commit_only(
    queue: RecordedQueue, clean_slate: None
) -> None:
    async with transaction():
        async with transaction():
            await wake(Job.DELIVER_WEBHOOKS)
        assert not jobs._tasks
    await gathered()

    assert queue.jobs == [Job.DELIVER_WEBHOOKS]


async def test_a_block_that_is_rolled_back_wakes_nobody(
    queue: RecordedQueue, clean_slate: None
) -> None:
    with pytest.raises(Refusal):
        async with transaction():
            await wake(Job.DELIVER_WEBHOOKS)
            raise Refusal
    await gathered()

    assert queue.jobs == []


async def test_a_wake_up_takes_no_part_in_a_transaction(clean_slate: None) -> None:
    queue = LookingQueue()
    use_queue(queue)
    async with transaction():
        await wake(Job.DELIVER_WEBHOOKS)
    await gathered()

    assert queue.inside == [False]


async def test_a_queue_that_is_down_never_fails_the_use_case(clean_slate: None) -> None:
    use_queue(DeadQueue())
    with capture_logs() as lines:
        async with transaction():
            await db.execute(
                "INSERT INTO organizations (id, name, status, created_at) VALUES ('org_1', 'One', 'active', now())"
            )
            await wake(Job.DELIVER_WEBHOOKS)
        await gathered()

    assert await db.fetchval("SELECT count(*) FROM organizations") == 1
    assert [(line["event"], line["job"], line["error"]) for line in lines] == [
        ("wake_up_lost", "deliver_webhooks", "ConnectionError")
    ]


async def test_a_lost_wake_up_does_not_silence_the_next(queue: RecordedQueue) -> None:
    use_queue(DeadQueue())
    await wake(Job.DELIVER_WEBHOOKS)
    await gathered()
    use_queue(queue)
    await wake(Job.DELIVER_WEBHOOKS)
    await gathered()

    assert queue.jobs == [Job.DELIVER_WEBHOOKS]


async def test_without_a_queue_nothing_is_sent() -> None:
    use_queue(None)
    await wake(Job.DELIVER_WEBHOOKS)

    assert not jobs._tasks


async def test_a_new_queue_owes_nothing_to_the_old_one(queue: RecordedQueue) -> None:
    await wake(Job.DELIVER_WEBHOOKS)
    new = RecordedQueue()
    use_queue(new)
    await wake(Job.DELIVER_WEBHOOKS)
    await gathered()

    assert (queue.jobs, new.jobs) == ([Job.DELIVER_WEBHOOKS], [Job.DELIVER_WEBHOOKS])
