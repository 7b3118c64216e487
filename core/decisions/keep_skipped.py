"""Keeping who was left out of what else was sent: of each a trace, written with its cause."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.rules import Rule

SKIPPED = "pulada"
"""What the facts of such a trace hold as `veredito`: nobody was refused, somebody was left out."""


@dataclass(frozen=True, slots=True)
class SkippedSend:
    """A contact who was left out of a channel. `facts`: ids of what left it out; no personal data."""

    organization_id: str
    env: str
    channel: str
    rule: Rule
    code: str
    contact_id: str
    facts: dict[str, Any]


async def keep_skipped(skipped: Sequence[SkippedSend], *, at: datetime) -> None:
    """Keep a trace of each, and count them by their rule, in the transaction of their cause."""
    if not skipped:
        return
    rows = [
        (
            new_id("dec"),
            one.organization_id,
            one.env,
            one.channel,
            one.rule,
            one.code[:40],
            {"veredito": SKIPPED, **one.facts},
            one.contact_id,
        )
        for one in skipped
    ]
    await db.execute(KEEP, *db.columns(rows, 8), at)


# Counts are written in one order, so that two writers do not wait for each other in a circle.
KEEP = """
WITH asked AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[])
        AS r (id, organization_id, env, channel, rule, code, facts, contact_id)
), counted AS (
    INSERT INTO refusal_counts (organization_id, env, minute, channel, rule, refusals)
    SELECT organization_id, env, date_trunc('minute', $9::timestamptz, 'UTC'), channel, rule, count(*)
    FROM asked GROUP BY 1, 2, 4, 5 ORDER BY 1, 2, 4, 5
    ON CONFLICT (organization_id, env, minute, channel, rule)
    DO UPDATE SET refusals = refusal_counts.refusals + excluded.refusals
)
INSERT INTO refused_sends (id, organization_id, env, channel, rule, code, facts, contact_id, at)
SELECT id, organization_id, env, channel, rule, code, facts, contact_id, $9 FROM asked
"""
