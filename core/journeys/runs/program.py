"""The program of a version: its graph of steps with small numbers for names, made once and not changed.

A version keeps the program that it was activated with, in `journeys.program`; runs name their step by
its place in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.foundation.database import db
from core.foundation.security.caller import Caller, Env, journey_caller
from core.journeys.graph import Step, in_order, ways_of

START = "inicio"
"""The kind of the step that every run begins on; nobody writes it."""
PLACE_OF_START = 0
LAYOUT = 1
"""How a program is stored; another layout gets another number."""


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """A step. `place`: its number; `id`: what the journey calls it; `next`: the places that it leads to, by
    the setting that names them (`proximo`, `seSim`, `seNao`, `seOcorrer`, `seExpirar`, `ramos.0` …).
    """

    place: int
    id: str
    label: str | None
    kind: str
    config: Mapping[str, Any]
    next: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Program:
    """A version's steps, and what holds for all its runs. `ranks`: no step leads to one of a lower rank."""

    version_id: str
    lineage_id: str
    organization_id: str
    env: Env
    steps: tuple[ProgramStep, ...]
    ranks: tuple[int, ...]
    quiet: Mapping[str, Any] | None
    frequency_cap: Mapping[str, Any] | None
    goal_event: str | None
    exit_when: Mapping[str, Any] | None
    reentry: str
    reentry_hours: int | None
    trigger: Mapping[str, Any]

    @property
    def caller(self) -> Caller:
        """The owner, as the journey acts for it."""
        return journey_caller(self.organization_id, self.env, self.version_id)

    def step_named(self, id: str) -> ProgramStep | None:
        """The step that the journey calls so."""
        return next((step for step in self.steps if step.id == id), None)

    def events(self) -> set[str]:
        """The names of customer events that start, wake or end its runs."""
        awaited = {step.config["evento"] for step in self.steps if step.kind == "aguardarEvento"}
        named = {self.goal_event, self.trigger.get("nome")}
        return awaited | {name for name in named if name is not None}


def compile_program(steps: Sequence[Step], entry: str | None) -> dict[str, Any]:
    """What is stored in `journeys.program`. The graph is one that was accepted."""
    order = in_order(steps, entry)
    places = {id: place for place, id in enumerate(order, start=1)}
    by_id = {step["id"]: step for step in steps}
    start = {"id": "", "tipo": START, "config": {}, "next": {"proximo": 1} if order else {}}
    return {
        "layout": LAYOUT,
        "steps": [start, *(_compiled(by_id[id], places) for id in order)],
    }


def _compiled(step: Step, places: Mapping[str, int]) -> dict[str, Any]:
    ways = {_way(place): places[id] for place, id in ways_of(step).items()}
    return {
        "id": step["id"],
        "tipo": step["tipo"],
        "config": step.get("config") or {},
        "next": ways,
    }


def _way(place: tuple[str | int, ...]) -> str:
    match place:
        case ("config", "ramos", index, _):
            return f"ramos.{index}"
        case _:
            return str(place[-1])


def read_program(row: db.Row) -> Program:
    """The program of a row of `journeys`; one that was never activated is compiled as it stands."""
    stored = row["program"] or compile_program(row["steps"], row["entry_step_id"])
    goal = row["goal"]
    steps = tuple(
        ProgramStep(
            place, step["id"], step.get("rotulo"), step["tipo"], step["config"], step["next"]
        )
        for place, step in enumerate(stored["steps"])
    )
    return Program(
        version_id=row["id"],
        lineage_id=row["lineage_id"] or row["id"],
        organization_id=row["organization_id"],
        env=row["env"],
        steps=steps,
        ranks=_ranks(steps),
        quiet=row["quiet"],
        frequency_cap=row["frequency_cap"],
        goal_event=None if goal is None else goal["evento"],
        exit_when=row["exit_when"],
        reentry=row["reentry"],
        reentry_hours=row["reentry_hours"],
        trigger=row["trigger"],
    )


def _ranks(steps: Sequence[ProgramStep]) -> tuple[int, ...]:
    """The longest way from the start to each step: the graph has no circle."""
    ranks = [0] * len(steps)
    changed = True
    while changed:
        changed = False
        for step in steps:
            for place in step.next.values():
                if ranks[place] <= ranks[step.place]:
                    ranks[place] = ranks[step.place] + 1
                    changed = True
    return tuple(ranks)


async def load_program(version_id: str) -> Program:
    """The program of a version, as it is now."""
    row = await db.fetch_one(PROGRAM, version_id)
    return read_program(row)


PROGRAM = """
SELECT id, organization_id, env, status, lineage_id, program, steps, entry_step_id, trigger, quiet, frequency_cap, goal,
       exit_when, reentry, reentry_hours, status = 'arquivada' AND enrol_cursor IS NOT NULL AS is_emptied
FROM journeys WHERE id = $1
"""
