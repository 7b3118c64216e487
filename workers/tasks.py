"""The arq side: jobs that wake a pump, and what happens by the clock. Each is one line that calls a
deed.
"""

from typing import Any

from core import (
    conversations,
    idempotency,
    media,
    messages,
    organizations,
    partitions,
    segments,
    wallet,
    webhooks,
)
from core.foundation import files as file_store
from core.foundation.clock import now
from core.foundation.jobs import Job


async def deliver_webhooks(ctx: dict[str, Any], **_: Any) -> None:
    """Some deliveries are due."""
    ctx["pumps"][Job.DELIVER_WEBHOOKS].wake()


async def take_up_webhooks(ctx: dict[str, Any], **_: Any) -> None:
    """Some subscriptions are delivered to again."""
    ctx["pumps"][Job.RESUME_WEBHOOKS].wake()


async def assign_feed_positions(ctx: dict[str, Any], **_: Any) -> None:
    """Some events wait for their positions in the feed."""
    ctx["pumps"][Job.ASSIGN_FEED_POSITIONS].wake()


async def apply_sandbox_reports(ctx: dict[str, Any], **_: Any) -> None:
    """Some sandbox reports are due."""
    ctx["pumps"][Job.APPLY_SANDBOX_REPORTS].wake()


async def settle_forgotten(ctx: dict[str, Any], **_: Any) -> None:
    """Some handed-over messages wait to be settled."""
    ctx["pumps"][Job.SETTLE_FORGOTTEN].wake()


async def try_parked(ctx: dict[str, Any], **_: Any) -> None:
    """Some parked reports are due."""
    ctx["pumps"][Job.TRY_PARKED].wake()


async def apply_rcs_reports(ctx: dict[str, Any], **_: Any) -> None:
    """Some sandbox reports on RCS messages are due."""
    ctx["pumps"][Job.APPLY_RCS_REPORTS].wake()


async def settle_rcs(ctx: dict[str, Any], **_: Any) -> None:
    """Some RCS messages wait to be settled, or for their SMS to leave."""
    ctx["pumps"][Job.SETTLE_RCS].wake()


async def hand_over_letters(ctx: dict[str, Any], **_: Any) -> None:
    """Some letters are due."""
    ctx["pumps"][Job.HAND_OVER_LETTERS].wake()


async def start_push(ctx: dict[str, Any], **_: Any) -> None:
    """Some dispatches are due."""
    ctx["pumps"][Job.START_PUSH].wake()


async def send_push(ctx: dict[str, Any], **_: Any) -> None:
    """Some devices are to be notified."""
    ctx["pumps"][Job.SEND_PUSH].wake()


async def send_sandbox_push(ctx: dict[str, Any], **_: Any) -> None:
    """Some devices of the sandbox are to be notified."""
    ctx["pumps"][Job.SEND_SANDBOX_PUSH].wake()


async def review_templates(ctx: dict[str, Any], **_: Any) -> None:
    """Some templates were submitted."""
    ctx["pumps"][Job.REVIEW_TEMPLATES].wake()


async def apply_email_reports(ctx: dict[str, Any], **_: Any) -> None:
    """Some sandbox reports on letters are due."""
    ctx["pumps"][Job.APPLY_EMAIL_REPORTS].wake()


async def apply_notices(ctx: dict[str, Any], **_: Any) -> None:
    """Some notices of the platform of conversations are due."""
    ctx["pumps"][Job.APPLY_NOTICES].wake()


async def send_conversations(ctx: dict[str, Any], **_: Any) -> None:
    """Some conversational messages are due."""
    ctx["pumps"][Job.SEND_CONVERSATIONS].wake()


async def settle_conversations(ctx: dict[str, Any], **_: Any) -> None:
    """Some conversational messages wait to be settled."""
    ctx["pumps"][Job.SETTLE_CONVERSATIONS].wake()


async def apply_conversation_reports(ctx: dict[str, Any], **_: Any) -> None:
    """Some sandbox reports on conversational messages are due."""
    ctx["pumps"][Job.APPLY_CONVERSATION_REPORTS].wake()


async def try_parked_notices(ctx: dict[str, Any], **_: Any) -> None:
    """Some parked reports on conversational messages are due."""
    ctx["pumps"][Job.TRY_PARKED_NOTICES].wake()


async def fetch_received_media(ctx: dict[str, Any], **_: Any) -> None:
    """Some received files are to be fetched."""
    ctx["pumps"][Job.FETCH_RECEIVED_MEDIA].wake()


async def top_up_sandbox_wallets(ctx: dict[str, Any]) -> None:
    """Give every sandbox wallet its daily money."""
    await wallet.top_up_sandboxes(at=now())


async def sum_wallet_days(ctx: dict[str, Any]) -> None:
    """Add the movements of wallets to the sums of their days."""
    await wallet.sum_days()


async def merge_counts(ctx: dict[str, Any]) -> None:
    """Merge the deltas of the message counts."""
    await messages.merge_counts()


async def close_hours(ctx: dict[str, Any]) -> None:
    """Count the messages of the hours that are over, and add what changed late to those that were
    counted.
    """
    while await messages.close_hours():
        pass
    while await messages.merge_hours():
        pass


async def forget_old_keys(ctx: dict[str, Any]) -> None:
    """Drop idempotency keys whose 24 hours are over."""
    while await idempotency.sweep(at=now()):
        pass


async def forget_old_sessions(ctx: dict[str, Any]) -> None:
    """Drop sessions and failed log-ins that nobody asks about any more."""
    while await organizations.forget_old_sessions(at=now()):
        pass


async def forget_old_events(ctx: dict[str, Any]) -> None:
    """Drop webhook events whose 30 days are over."""
    while await webhooks.delete_expired_events(at=now()):
        pass


async def revoke_hopeless_webhooks(ctx: dict[str, Any]) -> None:
    """Give up subscriptions that have failed for days."""
    while await webhooks.revoke_unrecoverable(at=now()):
        pass


async def remove_unheld_files(ctx: dict[str, Any]) -> None:
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


async def forget_old_attempts(ctx: dict[str, Any]) -> None:
    """Drop attempts at deliveries that are kept for less long than their events."""
    while await webhooks.delete_expired_attempts(at=now()):
        pass


async def expire_files(ctx: dict[str, Any]) -> None:
    """Remove uploaded files that nobody made a message of within 30 days."""
    while await media.expire_files(at=now()):
        pass


async def recount_segments(ctx: dict[str, Any]) -> None:
    """Count the segments whose size is oldest."""
    await segments.recount_stale(at=now())


FUNCTIONS = (
    deliver_webhooks,
    take_up_webhooks,
    assign_feed_positions,
    apply_sandbox_reports,
    settle_forgotten,
    try_parked,
    apply_rcs_reports,
    settle_rcs,
    hand_over_letters,
    apply_email_reports,
    start_push,
    send_push,
    send_sandbox_push,
    review_templates,
    apply_notices,
    send_conversations,
    settle_conversations,
    apply_conversation_reports,
    fetch_received_media,
    try_parked_notices,
)
