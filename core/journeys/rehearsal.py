"""Rehearsing a journey: the way that contacts would take, walked without writing anything.

The steps decide as they do for a run: conditions are asked of the contacts as they are now, splits
give each its share, waits end in each contact's zone. What a step would do is not done. Nobody is
assumed to do anything but the events that are told.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID

from core import segments
from core.foundation.database import db
from core.journeys.runs.batch import (
    Result,
    RunAtStep,
    RunBatch,
    StepKind,
    StepOutcome,
    VersionPaused,
    go_on,
    skip,
    wait,
)
from core.journeys.runs.kinds import condition, leave, split
from core.journeys.runs.kinds.await_event import CAME, EXPIRED
from core.journeys.runs.kinds.pause import PEOPLE, end_of_wait
from core.journeys.runs.program import PLACE_OF_START, Program, ProgramStep
from core.journeys.runs.zones import next_clock, zone_of

GOAL = "meta"
HELD_OUT = "controle"
NOBODY = UUID(int=0)


@dataclass(frozen=True, slots=True)
class TheirEvent:
    """A customer event that the contact does."""

    name: str
    at: datetime
    properties: Mapping[str, Any]


@dataclass(slots=True)
class Walker:
    """A contact on the way: when it came to where it stands, and to the step before."""

    contact_id: str
    at: datetime
    since: datetime
    entered: datetime
    control: bool = False


@dataclass(frozen=True, slots=True)
class Visit:
    """What would become of a contact in a step: when it comes there, and until when it stays."""

    step: ProgramStep
    contact_id: str
    at: datetime
    until: datetime
    result: Result
    way: str | None = None
    reason: str | None = None


@dataclass(slots=True)
class Rehearsal:
    """Contacts walking through a program; `visits` in the order of steps, of a contact in that of time."""

    program: Program
    people: Mapping[str, Mapping[str, Any]]
    events: Sequence[TheirEvent] = ()
    visits: list[Visit] = field(default_factory=list)

    async def walk(self, walkers: Sequence[Walker]) -> None:
        """Walk them to their ends. The steps that others lead to come last, so that each is asked
        once.
        """
        steps, ranks = self.program.steps, self.program.ranks
        present: defaultdict[int, list[Walker]] = defaultdict(list)
        first = steps[PLACE_OF_START].next.get("proximo")
        if first is not None:
            present[first].extend(walkers)
        while present:
            place = min(present, key=lambda place: ranks[place])
            here = present.pop(place)
            decide = DECISIONS.get(steps[place].kind, _does_it)
            outcomes = await decide(self, steps[place], here)
            for walker, outcome in zip(here, outcomes, strict=True):
                following = self._visit(steps[place], walker, outcome)
                if following is not None:
                    present[following].append(walker)

    def _visit(self, step: ProgramStep, walker: Walker, outcome: StepOutcome) -> int | None:
        """Note it, and answer where the contact goes on; None: it is at its end."""
        until = outcome.due_at or walker.at
        goal = self._goal_by(walker, until)
        if goal is not None:
            until = max(goal.at, walker.at)
            ended = Visit(step, walker.contact_id, walker.at, until, Result.ENDED, reason=GOAL)
            self.visits.append(ended)
            return None
        went = outcome.result if outcome.result is not Result.WAITS else Result.WENT_ON
        way = outcome.way
        self.visits.append(
            Visit(step, walker.contact_id, walker.at, until, went, way, outcome.reason)
        )
        walker.since, walker.at = walker.at, until
        walker.control = walker.control or outcome.control
        return None if way is None else step.next.get(way)

    def _goal_by(self, walker: Walker, until: datetime) -> TheirEvent | None:
        goals = (
            event
            for event in self.events
            if event.name == self.program.goal_event and walker.entered <= event.at <= until
        )
        return min(goals, key=lambda event: event.at, default=None)

    def batch(self, step: ProgramStep, here: Sequence[Walker]) -> RunBatch:
        """These on the step, as a run's step is asked. They may come at different times: what asks
        for a time is asked for the first of them.
        """
        runs = [
            RunAtStep(
                id=NOBODY,
                contact_id=walker.contact_id,
                entry_key="",
                seq=1,
                entered_at=walker.entered,
                step_at=walker.at,
                since=walker.since,
                control=walker.control,
                returned=False,
                woken_by=None,
            )
            for walker in here
        ]
        return RunBatch(self.program, step, runs, min(walker.at for walker in here))


async def rehearse(
    program: Program, contact_ids: Sequence[str], *, at: datetime, events: Sequence[TheirEvent] = ()
) -> list[Visit]:
    """What would become of these contacts if they entered at this instant. Raises UnusableReference
    for a segment that is gone.
    """
    owner = (program.organization_id, program.env)
    rows = await db.fetch(PEOPLE, *owner, list(contact_ids))
    people = {row["id"]: dict(row.items()) for row in rows}
    rehearsal = Rehearsal(program, people, events)
    try:
        await rehearsal.walk([Walker(id, at, at, at) for id in contact_ids])
    except VersionPaused:
        raise segments.UnusableReference from None
    return rehearsal.visits


async def _waits(
    rehearsal: Rehearsal, step: ProgramStep, here: Sequence[Walker]
) -> list[StepOutcome]:
    hours = step.config.get("duracaoHoras")
    if hours is not None:
        return [_then(wait(walker.at + timedelta(hours=hours))) for walker in here]
    return [
        _then(end_of_wait(step.config, rehearsal.people.get(walker.contact_id), walker.at))
        for walker in here
    ]


def _then(outcome: StepOutcome) -> StepOutcome:
    """A wait, and on when it is over."""
    if outcome.result is not Result.WAITS:
        return outcome
    return StepOutcome(Result.WAITS, way="proximo", due_at=outcome.due_at)


async def _awaits(
    rehearsal: Rehearsal, step: ProgramStep, here: Sequence[Walker]
) -> list[StepOutcome]:
    config = step.config
    deadline = timedelta(hours=config["prazoHoras"])
    outcomes = []
    for walker in here:
        until = walker.at + deadline
        came = [
            event.at
            for event in rehearsal.events
            if event.name == config["evento"]
            and walker.since <= event.at <= until
            and (config.get("filtros") or {}).items() <= event.properties.items()
        ]
        due, way = (max(min(came), walker.at), CAME) if came else (until, EXPIRED)
        outcomes.append(StepOutcome(Result.WAITS, way=way, due_at=due))
    return outcomes


Rehearsed = Callable[[Rehearsal, ProgramStep, Sequence[Walker]], Awaitable[list[StepOutcome]]]


def _as_it_runs(run: StepKind) -> Rehearsed:
    """What asks the contacts is asked as ever."""

    async def rehearse(
        rehearsal: Rehearsal, step: ProgramStep, here: Sequence[Walker]
    ) -> list[StepOutcome]:
        return await run(rehearsal.batch(step, here))

    return rehearse


async def _sends(
    rehearsal: Rehearsal, step: ProgramStep, here: Sequence[Walker]
) -> list[StepOutcome]:
    quiet = rehearsal.program.quiet
    return [
        skip(HELD_OUT)
        if walker.control
        else go_on()
        if quiet is None
        else _then(wait(_after(quiet, rehearsal.people.get(walker.contact_id), walker.at)))
        for walker in here
    ]


async def _does_it(
    rehearsal: Rehearsal, step: ProgramStep, here: Sequence[Walker]
) -> list[StepOutcome]:
    return [go_on()] * len(here)


def _after(quiet: Mapping[str, Any], person: Mapping[str, Any] | None, at: datetime) -> datetime:
    """When the journey's hours of silence let a message pass."""
    zone = zone_of({}, "") if person is None else zone_of(person["attributes"], person["phone"])
    clock = at.astimezone(zone).time()
    start, end = time.fromisoformat(quiet["inicio"]), time.fromisoformat(quiet["fim"])
    inside = start <= clock < end if start < end else clock >= start or clock < end
    return next_clock(quiet["fim"], zone, after=at) if inside else at


DECISIONS: Mapping[str, Rehearsed] = {
    "espera": _waits,
    "aguardarEvento": _awaits,
    "condicao": _as_it_runs(condition.run),
    "divisao": _as_it_runs(split.run),
    "saida": _as_it_runs(leave.run),
    "mensagem": _sends,
}
"""How each kind of step decides; what is not here only does something, and everybody goes on."""
