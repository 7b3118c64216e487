"""The sweep that publishes `campaign.completed`, on whatever channels the campaign went out.

A campaign has no row of its own. A sweep walks the tags through the index of messages by campaign,
two look-ups for each tag that there is, and looks at messages only of those whose completion was
not told yet. Where it found a message under way it begins there the next time, since what lies
before stays finished: while a campaign is awaited, each of its messages is read once and not once a
minute.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core import webhooks
from core.foundation.bounded_cache import BoundedCache
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import may_drain
from core.messaging import timeouts

QUIET_PERIOD = timedelta(minutes=15)
"""A campaign with a later send is still going on."""

MAX_SILENCE = timedelta(days=400)
"""Campaigns whose last send is older are not told of: nobody waits, and a new installation may
bring old rows along.
"""

BATCH_SIZE = 5_000
"""Tags that one statement looks at."""

MAX_BATCHES = 10
"""Statements of one run. Where there are more tags, the next run goes on where this one ended: what
a minute costs has a bound, and a completion is told a minute later for each 50,000 tags that there
ever were.
"""

Tag = tuple[str, str, str]
"""Organization id, environment, campaign id."""

BEFORE_ALL: Tag = ("", "", "")


@dataclass(frozen=True, slots=True)
class _DueCampaign:
    """A campaign whose completion is to be told once its messages from `since` on are finished."""

    tag: Tag
    last_send_at: datetime
    since: datetime


_unfinished: BoundedCache[Tag, datetime] = BoundedCache(max_bytes=8_000_000, weigh=lambda *_: 1_000)
"""When the first message under way of an awaited campaign was created; each process finds out for
itself.
"""

_place = BEFORE_ALL
"""The last tag that this process looked at."""


async def complete_campaigns(*, at: datetime) -> int:
    """Publish `campaign.completed` for campaigns without a new send for 15 minutes whose messages
    are finished or older than 72 hours. Once for each campaign, and again after a later send.
    Answers how many were told of.
    """
    global _place
    told = 0
    for _ in range(MAX_BATCHES):
        rows = await db.fetch(WALK, *_place, BATCH_SIZE, at - QUIET_PERIOD, at - MAX_SILENCE)
        told += await _complete(_due_of(rows), at=at)
        if not rows or rows[-1]["place"] < BATCH_SIZE:
            _place = BEFORE_ALL
            break
        _place = _tag(rows[-1])
    return told


async def complete_in_sandbox(organization_id: str, *, at: datetime) -> int:
    """The same for the campaigns of a sandbox, for whoever moves its clock."""
    begin = (organization_id, "test", "")
    rows = await db.fetch(WALK, *begin, BATCH_SIZE, at - QUIET_PERIOD, at - MAX_SILENCE)
    return await _complete(_due_of(rows), at=at)


def _due_of(rows: Sequence[db.Row]) -> list[_DueCampaign]:
    """The campaigns that are due, but for those that are left to their clock."""
    return [
        _due(row) for row in rows if row["due"] and may_drain(row["organization_id"], row["env"])
    ]


async def _complete(awaited: Sequence[_DueCampaign], *, at: datetime) -> int:
    if not awaited:
        return 0
    columns = [(*due.tag, _unfinished.get(due.tag) or due.since) for due in awaited]
    rows = await db.fetch(FIND_OPEN, *db.columns(columns, 4), at - timeouts.REPORT_TIMEOUT)
    open_since = {_tag(row): row["created_at"] for row in rows}
    for tag, since in open_since.items():
        _unfinished.put(tag, since)
    told = 0
    for due in awaited:
        if due.tag not in open_since:
            _unfinished.forget(due.tag)
            told += await _tell(due, at=at)
    return told


async def _tell(due: _DueCampaign, *, at: datetime) -> bool:
    """Write the completion down and publish it, unless another worker was quicker."""
    async with transaction():
        if await db.fetchval(COMPLETE, *due.tag, due.last_send_at, at) is None:
            return False
        counted = await db.fetch_one(COUNT, *due.tag)
        organization_id, env, campaign_id = due.tag
        data = {
            "env": env,
            "campaignId": campaign_id,
            "totals": {
                name: counted[name] for name in ("queued", "sent", "delivered", "read", "failed")
            },
            "startedAt": wire_time(counted["started_at"]),
            "completedAt": wire_time(at),
        }
        await webhooks.publish_many(
            [webhooks.NewEvent(organization_id, env, "campaign.completed", data, at)], at=at
        )
    return True


def _tag(row: db.Row) -> Tag:
    return row["organization_id"], row["env"], row["campaign_id"]


def _due(row: db.Row) -> _DueCampaign:
    return _DueCampaign(_tag(row), row["last_send_at"], row["since"])


# A walk from each tag to the next one; a DISTINCT would read every message. Of tags that are not
# due only the last of a whole slice is answered, which the next slice begins behind.
WALK = """
WITH RECURSIVE walk AS (
    (SELECT organization_id, env, campaign_id, 1 AS place FROM messages
     WHERE campaign_id IS NOT NULL AND (organization_id, env, campaign_id) > ($1, $2, $3)
     ORDER BY organization_id, env, campaign_id LIMIT 1)
    UNION ALL
    SELECT next.*, w.place + 1 FROM walk w, LATERAL (
        SELECT m.organization_id, m.env, m.campaign_id FROM messages m
        WHERE m.campaign_id IS NOT NULL
          AND (m.organization_id, m.env, m.campaign_id) > (w.organization_id, w.env, w.campaign_id)
        ORDER BY m.organization_id, m.env, m.campaign_id LIMIT 1) AS next
    WHERE w.place < $4
), looked AS (
    SELECT w.*, last.created_at AS last_send_at,
           greatest($6, told.last_send_at) AS since,
           last.created_at <= $5 AND last.created_at > greatest($6, told.last_send_at) AS due
    FROM walk w
    LEFT JOIN LATERAL (
        SELECT m.created_at FROM messages m
        WHERE (m.organization_id, m.env, m.campaign_id) = (w.organization_id, w.env, w.campaign_id)
          AND m.direction = 'outbound'
        ORDER BY m.created_at DESC LIMIT 1) AS last ON true
    LEFT JOIN campaign_completions told
      ON (told.organization_id, told.env, told.campaign_id) = (w.organization_id, w.env, w.campaign_id)
)
SELECT * FROM looked WHERE due OR place = $4 ORDER BY place
"""

# A campaign is told of a quarter of an hour after its last send, or when its first open message is
# no longer waited for.
NEXT_COMPLETION = """
WITH RECURSIVE walk AS (
    (SELECT campaign_id FROM messages
     WHERE organization_id = $1 AND env = 'test' AND campaign_id IS NOT NULL ORDER BY campaign_id LIMIT 1)
    UNION ALL
    SELECT next.campaign_id FROM walk w, LATERAL (
        SELECT m.campaign_id FROM messages m
        WHERE m.organization_id = $1 AND m.env = 'test' AND m.campaign_id IS NOT NULL
          AND m.campaign_id > w.campaign_id
        ORDER BY m.campaign_id LIMIT 1) AS next
)
SELECT min(greatest(last.created_at + interval '15 minutes', open.ends_at))
FROM walk w
CROSS JOIN LATERAL (
    SELECT m.created_at FROM messages m
    WHERE m.organization_id = $1 AND m.env = 'test' AND m.campaign_id = w.campaign_id AND m.direction = 'outbound'
    ORDER BY m.created_at DESC LIMIT 1) AS last
LEFT JOIN campaign_completions told
  ON told.organization_id = $1 AND told.env = 'test' AND told.campaign_id = w.campaign_id
LEFT JOIN LATERAL (
    SELECT coalesce(m.scheduled_at, m.created_at) + interval '72 hours' AS ends_at FROM messages m
    WHERE m.organization_id = $1 AND m.env = 'test' AND m.campaign_id = w.campaign_id AND m.direction = 'outbound'
      AND m.status IN ('queued', 'sending', 'sent')
    ORDER BY m.created_at LIMIT 1) AS open ON true
WHERE told.last_send_at IS NULL OR told.last_send_at < last.created_at
"""

# Delivered is finished: whether somebody reads it is not waited for.
FIND_OPEN = """
SELECT d.organization_id, d.env, d.campaign_id, open.created_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS d (organization_id, env, campaign_id, since)
JOIN LATERAL (
    SELECT m.created_at FROM messages m
    WHERE (m.organization_id, m.env, m.campaign_id) = (d.organization_id, d.env, d.campaign_id)
      AND m.created_at >= d.since AND m.direction = 'outbound' AND m.status IN ('queued', 'sending', 'sent')
      AND coalesce(m.scheduled_at, m.created_at) > $5
    ORDER BY m.created_at LIMIT 1) AS open ON true
"""

COMPLETE = """
INSERT INTO campaign_completions AS told (organization_id, env, campaign_id, last_send_at, completed_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (organization_id, env, campaign_id) DO UPDATE
SET last_send_at = excluded.last_send_at, completed_at = excluded.completed_at
WHERE told.last_send_at < excluded.last_send_at
RETURNING id
"""

# By the times and not by the status, which an archived message does not tell any more.
COUNT = """
SELECT count(*) FILTER (WHERE sent_at IS NULL AND failed_at IS NULL) AS queued,
       count(*) FILTER (WHERE sent_at IS NOT NULL) AS sent,
       count(*) FILTER (WHERE delivered_at IS NOT NULL AND failed_at IS NULL) AS delivered,
       count(*) FILTER (WHERE read_at IS NOT NULL) AS read,
       count(*) FILTER (WHERE failed_at IS NOT NULL) AS failed,
       min(created_at) AS started_at
FROM messages
WHERE organization_id = $1 AND env = $2 AND campaign_id = $3 AND direction = 'outbound'
"""
