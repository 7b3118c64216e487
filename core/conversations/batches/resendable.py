"""Which failed messages may be resent, and the reason code for those that may not."""

from collections.abc import Collection
from datetime import datetime, timedelta

from core.conversations.batches.inputs import MAX_RESENT, ResendFilter
from core.conversations.models import ResendRefusal
from core.conversations.reasons import TEMPORARY, FailureReason
from core.foundation.database import db
from core.foundation.database.rows import by_column, column
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller
from core.messaging import Status, StoredMessage, fetch_messages

MAX_RESEND_AGE = timedelta(days=7)

ERASED = 4
"""Characters that an erasure leaves of a recipient."""

RESENDABLE = frozenset({*TEMPORARY, FailureReason.WINDOW_CLOSED})
"""A closed window is looked at anew: the recipient may have written, or a template goes instead."""


async def lock_failed(caller: Caller, ids: Collection[str]) -> dict[str, StoredMessage]:
    """The caller's messages among these, locked until the transaction ends. Whoever meets here
    waits, and then sees `replaced_by`.
    """
    return by_column(
        await fetch_messages(LOCK, caller.organization_id, caller.env, sorted(set(ids))), "id"
    )


def motive_of_row(row: StoredMessage | None, *, at: datetime) -> ResendRefusal | None:
    """Why a message is not even tried again; one that does not exist, or has not failed, never will
    be.
    """
    if row is None or row["status"] != Status.FAILED or len(row["recipient"]) <= ERASED:
        return ResendRefusal.PERMANENT
    if row["replaced_by"] is not None:
        return ResendRefusal.REPLACED
    if (row["scheduled_at"] or row["created_at"]) <= at - MAX_RESEND_AGE:
        return ResendRefusal.OLD
    return None if row["reason"] in RESENDABLE else ResendRefusal.PERMANENT


async def find_failed(caller: Caller, filter: ResendFilter, *, at: datetime) -> list[str]:
    """The failed messages of a filter: those first that may go again, then the others, to tell why
    not.
    """
    where = Where(
        [caller.organization_id, caller.env],
        [
            "organization_id = $1",
            "env = $2",
            "channel IN ('whatsapp', 'instagram')",
            "direction = 'outbound'",
        ],
    )
    where.narrow("status = {}", Status.FAILED)
    where.narrow("coalesce(scheduled_at, created_at) > {}", at - MAX_RESEND_AGE)
    if filter.batch_id is None and filter.campaign_id is None:
        # Nothing else bounds what is read; whatever was scheduled long ago is named by its batch or
        # campaign.
        where.narrow("created_at > {}", at - MAX_RESEND_AGE)
    where.narrow_period("created_at", filter.from_, filter.to)
    where.narrow_given(
        ("batch_id = {}", filter.batch_id),
        ("campaign_id = {}", filter.campaign_id),
        ("number_id = {}", filter.number_id),
        ("(upstream_code = {0} OR last_error = {0})", filter.erro),
    )
    rows = await db.fetch(
        f"SELECT id FROM messages WHERE {where} "
        f"ORDER BY replaced_by IS NULL AND reason = ANY (${len(where.values) + 1}) DESC, created_at, id "
        f"LIMIT {MAX_RESENT}",
        *where.values,
        list(RESENDABLE),
    )
    return column(rows, "id")


# In one order, so that nobody waits in a circle.
LOCK = """
SELECT * FROM messages
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3) AND channel IN ('whatsapp', 'instagram')
  AND direction = 'outbound'
ORDER BY id FOR UPDATE
"""
