"""What comes due in a sandbox: every table with a due time, in the order in which it happens.

What is due at one instant happens in the order of this list, and of one table in the order of ids,
which are made in an order under a moved clock. So the same scenario gives the same events.
"""

from dataclasses import dataclass
from datetime import datetime

from core import (
    conversations,
    decisions,
    journeys,
    messaging,
    organizations,
    quotes,
    segments,
    templates,
    webhooks,
)
from core.channels import PACKAGES
from core.foundation.database import db
from core.foundation.http_client import GuardedClient
from core.foundation.settings import current
from core.messaging.sandbox_dues import Drain, DueStage


@dataclass(frozen=True, slots=True)
class DueSource:
    """Something that comes due. `next`: the SQL of when it does first, for the organization $1,
    where events are kept for $2 days.
    """

    name: str
    next: str


@dataclass(frozen=True, slots=True)
class NextDue:
    """What is due first, and when."""

    name: str
    at: datetime


OF_CHANNELS = [due for package in PACKAGES for due in package.dues]


def _of_channels(stage: DueStage) -> list[DueSource]:
    """What channels have due at this stage."""
    return [DueSource(due.name, due.next) for due in OF_CHANNELS if due.stage is stage]


DUES = (
    *_of_channels(DueStage.REPORTS),
    DueSource("templates", templates.NEXT_REVIEW),
    *_of_channels(DueStage.QUEUE),
    *_of_channels(DueStage.OUTBOX),
    DueSource("expiry", messaging.NEXT_EXPIRY),
    *_of_channels(DueStage.OUTCOMES),
    *_of_channels(DueStage.DISPATCHES),
    DueSource("campaigns", conversations.NEXT_COMPLETION),
    DueSource("segment_members", journeys.NEXT_LOOK),
    DueSource("segment_comparisons", journeys.NEXT_COMPARISON),
    DueSource("journey_entries", journeys.NEXT_SLICE),
    DueSource("audience_changes", journeys.NEXT_CHANGE),
    DueSource("journeys", journeys.NEXT_MOVE),
    DueSource("webhook_resumptions", webhooks.NEXT_RESUMPTION),
    DueSource("webhook_deliveries", webhooks.NEXT_DELIVERY),
    DueSource("webhook_probes", webhooks.NEXT_PROBE),
    DueSource("webhook_revocations", webhooks.NEXT_REVOCATION),
    DueSource("quotes", quotes.NEXT_END),
    DueSource("segment_sizes", segments.NEXT_COUNT),
    DueSource("event_retention", webhooks.NEXT_RETENTION),
    DueSource("refusal_retention", decisions.NEXT_RETENTION),
)

RANKS = {due.name: rank for rank, due in enumerate(DUES)}

NEXT = " UNION ALL ".join(f"SELECT {rank}, ({due.next})" for rank, due in enumerate(DUES))


async def all_due(organization_id: str) -> list[NextDue]:
    """What is due first of each table that has something due, in the order in which it happens."""
    rows = await db.fetch_planned(NEXT, organization_id, current().keep_events_days)
    found = [(at, rank) for rank, at in (row.values() for row in rows) if at is not None]
    return [NextDue(DUES[rank].name, at) for at, rank in sorted(found)]


async def next_due(organization_id: str) -> NextDue | None:
    """What is due first in a sandbox."""
    return next(iter(await all_due(organization_id)), None)


def drains_of(http: GuardedClient, organization_id: str) -> dict[str, Drain]:
    """How each of them is done, for one movement of the clock of this sandbox."""

    async def deliver(*, at: datetime) -> int:
        return await webhooks.deliver_in_sandbox(http, organization_id, at=at)

    async def complete(*, at: datetime) -> int:
        return await conversations.complete_in_sandbox(organization_id, at=at)

    return {
        **{due.name: due.drain() for due in OF_CHANNELS},
        "templates": templates.review_templates,
        "expiry": messaging.end_expired,
        "campaigns": complete,
        "segment_members": journeys.look_at_changed,
        "segment_comparisons": journeys.compare_due,
        "journey_entries": journeys.take_entries,
        "audience_changes": journeys.AudienceWatcher().take,
        "journeys": journeys.move_due,
        "webhook_resumptions": webhooks.resume_queues,
        "webhook_deliveries": deliver,
        "webhook_probes": deliver,
        "webhook_revocations": organizations.revoke_unrecoverable_webhooks,
        "quotes": quotes.sweep_quotes,
        "segment_sizes": segments.recount_stale,
        "event_retention": webhooks.delete_expired_events,
        "refusal_retention": decisions.sweep_refusals,
    }
