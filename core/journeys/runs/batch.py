"""What a kind of step is handed, and what it answers: the one protocol of all of them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Any
from uuid import UUID

from core.foundation.security.caller import Caller
from core.journeys.runs.models import RunState
from core.journeys.runs.program import Program, ProgramStep


class Result(IntEnum):
    """What became of a run in a step, as the trail keeps it."""

    ENTERED = 1
    WENT_ON = 2
    WAITS = 3
    PASSED = 4
    SKIPPED = 5
    ENDED = 6
    FAILED = 7


@dataclass(slots=True)
class RunAtStep:
    """A run that stands on the step. `returned`: it stood there before and was due or woken (`woken_by`: the
    customer event that woke it); otherwise it has just come. `step_at`: when it came to this step;
    `since`: when it came to the step before.
    """

    id: UUID
    contact_id: str
    entry_key: str
    seq: int
    entered_at: datetime
    step_at: datetime
    since: datetime
    control: bool
    returned: bool
    woken_by: str | None
    passed: "list[Passed]" = field(default_factory=list)
    """The steps that it has left in this transaction."""


Passed = tuple[int, int, str | None]
"""The place of a step that a run has left, its outcome, and the facts of the trail in JSON."""


@dataclass(frozen=True, slots=True)
class RunBatch:
    """Runs of one version that stand on one step, locked by the transaction that moves them. Statements of
    `core.foundation.database.db` happen in that transaction.
    """

    program: Program
    step: ProgramStep
    runs: list[RunAtStep]
    at: datetime

    @property
    def caller(self) -> Caller:
        """The owner, as the journey acts for it."""
        return self.program.caller


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """What a step decided for one run, in the order of the batch's runs. Made by the functions below."""

    result: Result
    way: str | None = None
    due_at: datetime | None = None
    wait_event: str | None = None
    wait_since: datetime | None = None
    state: RunState | None = None
    reason: str | None = None
    control: bool = False
    facts: Mapping[str, Any] | None = None


def go_on(
    way: str = "proximo", *, facts: Mapping[str, Any] | None = None, control: bool = False
) -> StepOutcome:
    """On by this way; where the step names none, the run is at its end. `control`: it is held out
    from now on.
    """
    return StepOutcome(Result.WENT_ON, way=way, facts=facts, control=control)


def skip(
    reason: str, way: str = "proximo", *, facts: Mapping[str, Any] | None = None
) -> StepOutcome:
    """On by this way, without the step's action (`pulada`). `reason`: opt_out, teto, sem_canal,
    janela …
    """
    return StepOutcome(Result.SKIPPED, way=way, reason=reason, facts=facts)


def wait(
    until: datetime,
    *,
    event: str | None = None,
    since: datetime | None = None,
    facts: Mapping[str, Any] | None = None,
) -> StepOutcome:
    """It stays until then at the latest, or until a customer event of this name that was recorded
    at `since` or later. The step is asked again, with `returned`.
    """
    return StepOutcome(Result.WAITS, due_at=until, wait_event=event, wait_since=since, facts=facts)


def pass_by(reason: str, way: str = "proximo") -> StepOutcome:
    """On by this way, because there was nothing to do any more: `passado`, a date that is over."""
    return StepOutcome(Result.PASSED, way=way, reason=reason)


def end(reason: str, state: RunState = RunState.DONE) -> StepOutcome:
    """The run ends here."""
    return StepOutcome(Result.ENDED, state=state, reason=reason)


def fail(reason: str) -> StepOutcome:
    """The run ends in error. `reason`: a code, no text of others."""
    return StepOutcome(Result.FAILED, state=RunState.FAILED, reason=reason)


StepKind = Callable[[RunBatch], Awaitable[list[StepOutcome]]]
"""What a step of one kind does with a batch: an outcome for each run, in order. What it writes is committed
with the move, or not at all. A run that cannot go on is failed alone (`fail`); an exception
undoes the batch, which is then tried in halves until the one that cannot is alone.
"""


class VersionPaused(Exception):
    """Raised by a step: the whole version is to stop here (`saldo`, a template that is gone …). The batch is undone,
    the version is paused with this reason, and nobody loses the place.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
