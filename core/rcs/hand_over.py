"""Handing a live RCS message to its provider, and settling it by the answer."""

from datetime import datetime

from core import messaging
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.jobs import Job, wake
from core.messaging import Channel, Status
from core.providers import registry
from core.providers.contracts import Accepted, Refused
from core.rcs.delivery_reports.effects import NO_RCS, NO_REPORT_AFTER
from core.rcs.delivery_reports.events import publish_status_events
from core.rcs.outgoing import outgoing_of
from core.rcs.record import answer_of

POLICY = messaging.ChannelPolicy(
    Channel.RCS,
    open=Status.QUEUED,
    answer=answer_of,
    publish_failed=publish_status_events,
    captures=False,
    due_after=NO_REPORT_AFTER,
)
"""Acceptance is not paid: the price stays held until the way that the message took is known."""


async def hand_over(request: messaging.SendRequest) -> messaging.Record:
    """Ask the provider, with no transaction open; answer the settled record or raise the refusal.

    A crash from here on leaves the message queued: reconciliation asks the provider about it, and hands
    it over again only where the provider promises to take it once.
    """
    provider = registry.for_live(Channel.RCS)
    assert provider is not None, "a live send without a provider is refused before"
    message = request.message
    answer = await provider.send(outgoing_of(message.as_row()))
    settled = await settle_answer(
        message.id, answer, has_fallback=message.fallback is not None, at=now()
    )
    if isinstance(settled, Exception):
        raise settled
    return settled


async def settle_answer(
    id: str, answer: messaging.Verdict, *, has_fallback: bool, at: datetime
) -> messaging.Record | Exception:
    """Settle by the provider's answer. A recipient without RCS is no failure where an SMS stands
    in.
    """
    if isinstance(answer, Refused) and answer.reason == NO_RCS and has_fallback:
        settled = await messaging.settle(POLICY, id, messaging.Diverted(NO_RCS), at=at)
        await wake(Job.RECONCILE_RCS)
        return settled
    return await messaging.settle(POLICY, id, answer, at=at)


async def accept_early(row: db.Row, reference: str | None, *, at: datetime) -> None:
    """A report on a message that is still queued proves that the provider accepted it."""
    await messaging.settle(POLICY, row["id"], Accepted(reference or ""), at=at)
