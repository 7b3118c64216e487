"""Wake-ups for the workers: hints that rows are due.

The truth is always a due row; a job only says «look now». Losing one costs the seconds until the
next poll.
"""

import asyncio
from enum import StrEnum
from typing import Protocol

from core.foundation.database.cell import HOME, Cell, current
from core.foundation.database.transactions import after_commit, outside_transaction
from core.foundation.observability.outage_log import tell_outage

GATHER_SECONDS = 0.05
"""Wake-ups for one job within this time become one, so that a hot path does not pay Redis per
message.
"""


class Job(StrEnum):
    """Everything that core may ask of the workers.

    The values are names of arq functions and labels of metrics: they stay when a member is renamed.
    """

    DELIVER_WEBHOOKS = "deliver_webhooks"
    RESUME_WEBHOOKS = "take_up_webhooks"
    ASSIGN_FEED_POSITIONS = "assign_feed_positions"
    APPLY_SMS_REPORTS = "apply_sandbox_reports"
    RECONCILE_SMS = "settle_forgotten"
    RETRY_UNMATCHED_SMS = "try_parked"
    RECEIVE_AMAZON_EVENTS = "receive_amazon_events"
    READ_AMAZON_LOGS = "read_amazon_logs"
    SEND_SMS = "send_sms"
    SEND_RCS = "send_rcs"
    END_EXPIRED = "end_expired_messages"
    APPLY_RCS_REPORTS = "apply_rcs_reports"
    RECONCILE_RCS = "settle_rcs"
    RELEASE_EMAILS = "release_emails"
    HAND_OVER_EMAILS = "hand_over_letters"
    APPLY_EMAIL_REPORTS = "apply_email_reports"
    CHECK_SENDERS = "check_senders"
    START_PUSH = "start_push"
    SEND_PUSH = "send_push"
    SEND_SANDBOX_PUSH = "send_sandbox_push"
    REVIEW_TEMPLATES = "review_templates"
    APPLY_NOTICES = "apply_notices"
    FETCH_RECEIVED_MEDIA = "fetch_received_media"
    RETRY_UNMATCHED_CONVERSATIONS = "try_parked_notices"
    SEND_CONVERSATIONS = "send_conversations"
    RECONCILE_CONVERSATIONS = "settle_conversations"
    MOVE_CLOCKS = "move_clocks"
    MOVE_RUNS = "move_journey_runs"
    TAKE_AUDIENCE_CHANGES = "take_audience_changes"
    ENTER_JOURNEYS = "enter_journeys"
    COMPARE_SEGMENTS = "compare_segments"
    APPLY_CONVERSATION_REPORTS = "apply_conversation_reports"


QUEUE_NAME = "svc:wake"
"""The name that the entry points and the workers agree on in Redis: of the home's queue."""


def queue_of(cell: Cell) -> str:
    """The queue of a cell."""
    return QUEUE_NAME if cell == HOME else f"{QUEUE_NAME}:{cell.name}"


def name_in(cell: Cell, name: str) -> str:
    """What is called so in the home's queue; names are common to all queues of a Redis."""
    return name if cell == HOME else f"{name}@{cell.name}"


class JobQueue(Protocol):
    """Where wake-ups go: arq in the service, a recorder in the tests. They are for the current cell."""

    async def wake(self, job: Job) -> None: ...


_queue: JobQueue | None = None
_gathered: set[tuple[str, Job]] = set()
"""By the name of the cell."""
_tasks: set[asyncio.Task[None]] = set()


def use_queue(queue: JobQueue | None) -> None:
    """Tell this process where wake-ups go; None: nowhere, the workers' poll finds the rows."""
    global _queue, _gathered
    _queue, _gathered = queue, set()


async def wake(job: Job) -> None:
    """Ask the workers of the current cell to look for due rows; inside a transaction it leaves only
    after the commit.
    """

    async def leave() -> None:
        wanted = (current().name, job)
        if _queue is not None and wanted not in _gathered:
            _gathered.add(wanted)
            task = asyncio.create_task(
                _send(wanted, _queue, _gathered), context=outside_transaction()
            )
            _tasks.add(task)
            task.add_done_callback(_tasks.discard)

    await after_commit(leave)


async def _send(wanted: tuple[str, Job], queue: JobQueue, gathered: set[tuple[str, Job]]) -> None:
    _, job = wanted
    try:
        await asyncio.sleep(GATHER_SECONDS)
    finally:
        gathered.discard(wanted)
    try:
        await queue.wake(job)
    except Exception as error:  # the row is the truth: a queue that is down only delays it
        tell_outage("wake_up_lost", error, job=job.value)
