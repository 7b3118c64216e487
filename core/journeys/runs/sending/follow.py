"""What follows from the last message of a run: the run waits, goes on, tries again, or takes the next
channel.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.journeys.models import JourneyFailure
from core.journeys.runs.batch import RunAtStep, StepOutcome, end, go_on, skip, wait
from core.journeys.runs.models import RunState
from core.journeys.runs.sending.contents import Plan
from core.journeys.runs.sending.effects import Sent
from core.messaging import Status

OPEN = (Status.QUEUED, Status.SENDING)
NOT_SENT = (Status.FAILED, Status.UNDELIVERED, Status.BOUNCED)
ARRIVED = (Status.DELIVERED, Status.READ, Status.COMPLAINED, Status.ARCHIVED)

FIRST_PAUSE = timedelta(minutes=5)
"""Before the second try; four times as long before each that follows."""

FIRST_LOOK = timedelta(minutes=1)
LAST_LOOK = timedelta(hours=1)
"""When a run looks at its message again that nobody told of: a hint comes much sooner."""

TEMPORARY = frozenset(
    {
        None,
        "abandoned",
        "expired",
        "provider_error",
        "throttled",
        "upstream_failed",
        "number_unavailable",
    }
)
"""Reasons of failures that another try may not meet. What may have left is not tried again."""

LEFT_OUT = {"opt_out": "opt_out", "suppressed": "suprimido", "window_closed": "janela"}
"""Reasons for which a message that waited never left, in the words of steps: the person was left out."""

FAILED = "mensagem_falhou"
"""Why a run ended, where a message that failed ends it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A run whose message is to be sent now: the place of its content, and which try of it that is."""

    place: int = 0
    tries: int = 0

    @property
    def is_first(self) -> bool:
        """Whether the step sends its first message of this run: only that counts for caps."""
        return not self.place and not self.tries


def follow(run: RunAtStep, sent: Sent | None, plan: Plan, *, at: datetime) -> StepOutcome | Turn:
    """What is to be done with a run."""
    if sent is None:
        return Turn()
    facts = {"messageId": sent.ref}
    if sent.status in OPEN:
        return wait(next_look(sent.created_at, at=at), facts=facts)
    if sent.status in NOT_SENT:
        return _failed(sent, plan, at=at)
    if _awaits_delivery(sent, plan):
        assert plan.delivery is not None
        until = (sent.sent_at or sent.created_at or at) + plan.delivery
        return wait(until, facts=facts) if at < until else Turn(sent.place + 1)
    return go_on(facts=facts)


def _awaits_delivery(sent: Sent, plan: Plan) -> bool:
    """Whether the next channel is taken unless this message arrives in time."""
    return plan.delivery is not None and plan.has_next(sent.place) and sent.status == Status.SENT


def next_look(since: datetime | None, *, at: datetime) -> datetime:
    """When to look again at a message that is not settled: less often the longer it takes."""
    age = at - (since or at)
    return at + min(max(age, FIRST_LOOK), LAST_LOOK)


def _failed(sent: Sent, plan: Plan, *, at: datetime) -> StepOutcome | Turn:
    """Once more, where that may help; else what the step says."""
    if sent.sent_at is None and sent.reason in TEMPORARY and sent.tries + 1 < plan.tries:
        again = (sent.failed_at or at) + FIRST_PAUSE * 4**sent.tries
        if at < again:
            return wait(again, facts={"messageId": sent.ref})
        return Turn(sent.place, sent.tries + 1)
    if plan.has_next(sent.place):
        return Turn(sent.place + 1)
    if sent.sent_at is None and sent.reason in LEFT_OUT:
        return skip(LEFT_OUT[sent.reason], facts={"messageId": sent.ref})
    if plan.on_failure is JourneyFailure.END:
        return end(FAILED, RunState.CANCELED)
    return go_on(facts={"messageId": sent.ref, "motivo": sent.reason or FAILED})
