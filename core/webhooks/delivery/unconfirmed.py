"""Rate limit for unconfirmed endpoints, which never answered with 2xx, per organization and host.

Whoever subscribes a stranger's address gets a hundred requests an hour out of us, however many
subscriptions, paths or ports it is cut into. Attempts are counted in rows: they outlive a
subscription that is deleted and made again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.jobs import Job, wake
from core.foundation.validation.hosts import host_in

WINDOW = timedelta(hours=1)
MAX_HOST_LENGTH = 253
MAX_PER_HOST = 100
OUTCOME_TIMEOUT = timedelta(seconds=20)
"""After so long every attempt has been answered or given up, and its outcome is saved."""
MAX_PER_ORGANIZATION = 1_000
"""Attempts within the window to all hosts together: names cost nothing, and many of them may lead
to one machine.
"""


@dataclass(frozen=True, slots=True)
class UnconfirmedTarget:
    """A subscription whose address is unconfirmed. `wanted`: how many attempts it could have now."""

    id: str
    organization_id: str
    host: str
    wanted: int

    @property
    def owner(self) -> tuple[str, str]:
        """What attempts are counted by."""
        return self.organization_id, self.host


def host_of(authority: str) -> str:
    """The host of a URL's authority, without the port and in lower case."""
    # What is no address at all is counted as it is written, and never connected to.
    return (host_in(f"//{authority}") or authority)[:MAX_HOST_LENGTH]


async def reserve(
    targets: Sequence[UnconfirmedTarget], *, at: datetime
) -> tuple[dict[str, int], dict[str, datetime]]:
    """Count attempts before they are made: how many each may have, and who has to wait, until when.

    In the order of the targets. Who gets none, but while attempts are still under way, is to ask
    again: a success of one of them begins the count anew.
    """
    organizations = sorted({target.organization_id for target in targets})
    async with transaction():
        await db.execute(LOCK, organizations)
        await db.execute(DELETE_EXPIRED, organizations, at - WINDOW)
        counted = {
            (row["organization_id"], row["host"]): row
            for row in await db.fetch(COUNTED, organizations)
        }
        granted, later = _grant(targets, counted, at=at)
        rows = [target.owner for target in targets for _ in range(granted.get(target.id, 0))]
        await db.execute(COUNT, [owner for owner, _ in rows], [host for _, host in rows], at)
    return granted, later


def _grant(
    targets: Sequence[UnconfirmedTarget],
    counted: Mapping[tuple[str, str | None], db.Row],
    *,
    at: datetime,
) -> tuple[dict[str, int], dict[str, datetime]]:
    left: dict[tuple[str, str | None], int] = {}
    granted: dict[str, int] = {}
    later: dict[str, datetime] = {}
    for target in (target for target in targets if target.wanted):
        whole = (target.organization_id, None)
        for owner, maximum in ((target.owner, MAX_PER_HOST), (whole, MAX_PER_ORGANIZATION)):
            left.setdefault(
                owner, maximum - (counted[owner]["attempts"] if owner in counted else 0)
            )
        if count := min(target.wanted, left[target.owner], left[whole]):
            granted[target.id] = count
            left[target.owner] -= count
            left[whole] -= count
        else:
            full = counted.get(target.owner if left[target.owner] <= 0 else whole)
            if full is not None and full["newest"] <= at - OUTCOME_TIMEOUT:
                later[target.id] = full["oldest"] + WINDOW
    return granted, later


async def refund(
    targets: Sequence[UnconfirmedTarget], counts: Mapping[str, int], *, at: datetime
) -> None:
    """Attempts that were counted at that moment and did not come about."""
    for target in targets:
        if count := counts.get(target.id, 0):
            await db.execute(REFUND, *target.owner, at, count)


async def postpone(later: Mapping[str, datetime], *, at: datetime, limit: int) -> None:
    """Pause what is due, at most so many of each, until there may be attempts again."""
    await db.execute(POSTPONE, list(later), list(later.values()), at, limit)


async def confirm(subscription_id: str, *, at: datetime) -> None:
    """The address has answered: what has waited for that is resumed."""
    row = await db.fetchrow(CONFIRM, subscription_id, at)
    if row is not None:
        await reset_counts([(row["organization_id"], host_of(row["authority"]))], at=at)


async def reset_counts(owners: Sequence[tuple[str, str]], *, at: datetime) -> None:
    """A first address of these organizations at these hosts was confirmed: there the count begins
    anew.

    Of many subscriptions at one host each has its first attempts so, and those that waited are
    resumed.
    """
    await db.execute(
        RESET_COUNTS, [organization for organization, _ in owners], [host for _, host in owners], at
    )
    await wake(Job.RESUME_WEBHOOKS)


LOCK = """
SELECT pg_advisory_xact_lock(hashtextextended('unconfirmed:' || organization_id, 0))
FROM (SELECT unnest($1::text[]) AS organization_id) AS o
"""

DELETE_EXPIRED = (
    "DELETE FROM webhook_unconfirmed_attempts WHERE organization_id = ANY ($1::text[]) AND at <= $2"
)

# Each host, and, under a null, all of them together.
COUNTED = """
SELECT organization_id, host, count(*) AS attempts, min(at) AS oldest, max(at) AS newest
FROM webhook_unconfirmed_attempts
WHERE organization_id = ANY ($1::text[]) GROUP BY GROUPING SETS ((organization_id, host), (organization_id))
"""

COUNT = """
INSERT INTO webhook_unconfirmed_attempts (organization_id, host, at)
SELECT organization_id, host, $3 FROM unnest($1::text[], $2::text[]) AS a (organization_id, host)
"""

REFUND = """
DELETE FROM webhook_unconfirmed_attempts WHERE id IN (
    SELECT id FROM webhook_unconfirmed_attempts WHERE organization_id = $1 AND host = $2 AND at = $3 LIMIT $4
)
"""

# Who confirms the address holds the row too: either it sees what waits, or this sees that it is
# confirmed.
POSTPONE = """
WITH locked AS (
    SELECT s.id, l.until FROM unnest($1::text[], $2::timestamptz[]) AS l (id, until)
    JOIN webhook_subscriptions s ON s.id = l.id
    WHERE s.confirmed_at IS NULL AND s.status IN ('active', 'failing') ORDER BY s.id FOR NO KEY UPDATE OF s SKIP LOCKED
), waits AS (
    UPDATE webhook_subscriptions s SET probe_at = l.until FROM locked l WHERE s.id = l.id
), due AS (
    SELECT d.id FROM locked l CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d WHERE d.subscription_id = l.id AND d.due_at <= $3
        ORDER BY d.due_at LIMIT $4 FOR UPDATE OF d SKIP LOCKED
    ) AS d
)
UPDATE webhook_deliveries d SET due_at = NULL FROM due WHERE d.id = due.id
"""

CONFIRM = """
UPDATE webhook_subscriptions
SET confirmed_at = $2, probe_at = CASE WHEN status = 'active' AND probe_at IS NOT NULL THEN $2 ELSE probe_at END
WHERE id = $1 AND confirmed_at IS NULL
RETURNING organization_id, substring(url FROM '//([^/?#]*)') AS authority
"""

RESET_COUNTS = r"""
WITH answered AS (
    SELECT DISTINCT organization_id, host FROM unnest($1::text[], $2::text[]) AS a (organization_id, host)
), gone AS (
    DELETE FROM webhook_unconfirmed_attempts u USING answered a
    WHERE u.organization_id = a.organization_id AND u.host = a.host
), waiting AS (
    SELECT s.id FROM answered a JOIN webhook_subscriptions s ON s.organization_id = a.organization_id
    WHERE s.confirmed_at IS NULL AND s.status = 'active' AND s.probe_at > $3
      AND lower(trim(BOTH '[]' FROM substring(s.url FROM '//(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)'))) = a.host
    ORDER BY s.id FOR NO KEY UPDATE OF s SKIP LOCKED
)
UPDATE webhook_subscriptions s SET probe_at = $3 FROM waiting w WHERE s.id = w.id
"""
