"""arq's jobs: a wake function for every job of core, and the cron jobs, each a call of a use case."""

from typing import Any, cast

from arq import cron, func
from arq.typing import WorkerCoroutine
from arq.worker import Function

from core import (
    conversations,
    decisions,
    idempotency,
    journeys,
    media,
    messaging,
    organizations,
    partitions,
    quotes,
    segments,
    wallet,
    webhooks,
)
from core.foundation import files as file_store
from core.foundation.clock import now
from core.foundation.jobs import Job


def wake_function(job: Job) -> Function:
    """The arq function of a job: it wakes the loop that drains the job's rows.

    It takes arguments that another version of the service may pass.
    """

    async def wake(ctx: dict[str, Any], **_: Any) -> None:
        ctx["loops"][job].wake()

    return func(cast(WorkerCoroutine, wake), name=job.value)


WAKE_FUNCTIONS = tuple(wake_function(job) for job in Job)


async def top_up_sandbox_wallets(ctx: dict[str, Any]) -> None:
    """Give every sandbox wallet its daily money."""
    await wallet.top_up_sandboxes(at=now())


async def sum_wallet_days(ctx: dict[str, Any]) -> None:
    """Add the movements of wallets to the sums of their days."""
    await wallet.sum_days()


async def merge_counts(ctx: dict[str, Any]) -> None:
    """Merge the deltas of the message counts."""
    await messaging.merge_counts()


async def merge_journey_counts(ctx: dict[str, Any]) -> None:
    """Merge the changes of the counts of journeys."""
    await journeys.merge_step_counts()


async def delete_old_trail(ctx: dict[str, Any]) -> None:
    """Drop the trail of runs that is older than 90 days."""
    while await journeys.sweep_trail(at=now()):
        pass


async def forget_unwatched_segments(ctx: dict[str, Any]) -> None:
    """Forget who was in segments that no journey watches any more."""
    await journeys.forget_unwatched()


async def close_hours(ctx: dict[str, Any]) -> None:
    """Count the messages of the hours that are over, and add what changed late to those that were
    counted.
    """
    while await messaging.close_hours():
        pass
    while await messaging.merge_hours():
        pass


async def delete_old_keys(ctx: dict[str, Any]) -> None:
    """Drop idempotency keys whose 24 hours are over."""
    while await idempotency.sweep(at=now()):
        pass


async def delete_old_sessions(ctx: dict[str, Any]) -> None:
    """Drop sessions and failed log-ins that nobody asks about any more."""
    while await organizations.delete_old_sessions(at=now()):
        pass


async def delete_expired_events(ctx: dict[str, Any]) -> None:
    """Drop webhook events whose 30 days are over."""
    while await webhooks.delete_expired_events(at=now()):
        pass


async def revoke_unrecoverable_webhooks(ctx: dict[str, Any]) -> None:
    """Give up subscriptions that have failed for days."""
    while await organizations.revoke_unrecoverable_webhooks(at=now()):
        pass


async def remove_orphaned_files(ctx: dict[str, Any]) -> None:
    """Remove the files of deleted records, and of uploads that were never finished."""
    while await file_store.remove_due(at=now()):
        pass


async def complete_campaigns(ctx: dict[str, Any]) -> None:
    """Tell of the campaigns that are over."""
    await conversations.complete_campaigns(at=now())


async def archive_old_messages(ctx: dict[str, Any]) -> None:
    """Lay old conversational messages aside, where the installation wants it."""
    await conversations.archive_old(at=now())


async def keep_partitions(ctx: dict[str, Any]) -> None:
    """Add the months to come, and let go of those whose time is over."""
    await partitions.keep_in_order(at=now())


async def delete_expired_attempts(ctx: dict[str, Any]) -> None:
    """Drop attempts at deliveries that are kept for less long than their events."""
    while await webhooks.delete_expired_attempts(at=now()):
        pass


async def delete_old_refusals(ctx: dict[str, Any]) -> None:
    """Drop refused sends that are older than 90 days."""
    while await decisions.sweep_refusals(at=now()):
        pass


async def end_quotes(ctx: dict[str, Any]) -> None:
    """Give back what is held for quotes whose time is over, and drop old ones."""
    while await quotes.sweep_quotes(at=now()):
        pass


async def expire_files(ctx: dict[str, Any]) -> None:
    """Remove uploaded files that nobody made a message of within 30 days."""
    while await media.expire_files(at=now()):
        pass


async def recount_segments(ctx: dict[str, Any]) -> None:
    """Count the segments whose size is oldest."""
    await segments.recount_stale(at=now())


CRON_JOBS = (
    cron(archive_old_messages, hour={4}, minute={17}, second=0),
    cron(close_hours, second={25}),
    cron(complete_campaigns, second={5}),
    cron(end_quotes, second={40}),
    cron(expire_files, minute={17}, second=5),
    cron(delete_expired_attempts, minute={47}, second=0),
    cron(delete_expired_events, minute={37}, second=0),
    cron(delete_old_keys, minute={7}, second=0),
    cron(delete_old_refusals, minute={57}, second=0),
    cron(delete_old_trail, hour={3}, minute={53}, second=0),
    cron(delete_old_sessions, hour={3}, minute={31}, second=0),
    cron(forget_unwatched_segments, minute={41}, second=0),
    cron(keep_partitions, minute={27}, second=0),
    cron(merge_counts, second={20}),
    cron(merge_journey_counts, minute=set(range(0, 60, 5)), second=30),
    cron(recount_segments, second={50}),
    cron(remove_orphaned_files, second={35}),
    cron(revoke_unrecoverable_webhooks, second={15}),
    cron(sum_wallet_days, minute=set(range(0, 60, 5)), second=45),
    cron(top_up_sandbox_wallets, hour={3}, minute={11}, second=0),
)
"""What happens by the clock, in one of the workers."""
