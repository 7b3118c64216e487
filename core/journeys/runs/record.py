"""A contact's way through a journey as the interface spells it, with and without its trail."""

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from core.foundation.clock import moment_of, wire_time
from core.foundation.described_enum import DescribedEnum
from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    Loaded,
    Made,
    Record,
    UncountedPage,
    named,
)
from core.foundation.run_id import run_id
from core.journeys.runs.batch import Result
from core.journeys.runs.models import STATUS_OF, RunState, RunStatus


class TrailResult(DescribedEnum, rest="JourneyTrailResult", graphql="JourneyTrailResult"):
    """What became of a contact in a step."""

    ENTERED = "entrou", "It came into the journey"
    WENT_ON = "seguiu", "The step was done, and it went on"
    WAITS = "aguarda", "It waits in the step"
    PASSED = "passado", "What it was to wait for was over, and it went on"
    SKIPPED = "pulada", "It went on without the step's action"
    ENDED = "encerrada", "Its way ended here"
    FAILED = "erro", "The step failed"


RESULT_OF = dict(zip(Result, TrailResult, strict=True))


@named(rest="JourneyTrailEntry", graphql="JourneyTrailEntry")
class TrailEntry(TypedDict):
    """Something that happened to a contact in a step. It is kept for 90 days."""

    em: Annotated[Instant, Doc("When")]
    passo: NotRequired[Annotated[str, Doc("The step; absent where it came into the journey")]]
    resultado: Annotated[TrailResult, Doc("What became of it there")]
    fatos: NotRequired[
        Annotated[dict[str, Any], Doc("More about it: reasons, ways, ids of what was made")]
    ]


def _status_of(state: int) -> RunStatus:
    return STATUS_OF[RunState(state)]


_STATUSES = " ".join(f"""WHEN {one.value} THEN '"{STATUS_OF[one]}"'""" for one in STATUS_OF)


def _unless_empty(column: str) -> str:
    return f"to_json(nullif({column}, ''))::text"


def _key_shown(key: str) -> str | None:
    return key or None


def step_shown(id: str | None) -> str | None:
    """The step that a run stands on; none for one that has just come in."""
    return id or None


def _if_control(control: bool) -> bool | None:
    return control or None


@named(rest="JourneyRun", graphql="JourneyRun")
class RunRecord(TypedDict):
    """A contact on its way through a version of a journey, or at the end of it."""

    id: Annotated[Id, Made(run_id, ("id",)), Doc("Names the run")]
    journeyId: Annotated[Id, Column("version_id"), Doc("The version that it goes through")]
    contactId: Annotated[Id, Doc("The contact")]
    estado: Annotated[
        RunStatus,
        Made(_status_of, ("state",), sql=f"CASE state {_STATUSES} END"),
        Doc("How it stands"),
    ]
    passo: NotRequired[
        Annotated[
            str,
            Made(step_shown, ("step_id",), sql=_unless_empty("step_id")),
            Doc("The step that it stands on, or ended at"),
        ]
    ]
    chave: NotRequired[
        Annotated[
            str,
            Made(_key_shown, ("entry_key",), sql=_unless_empty("entry_key")),
            Doc("What tells it from others of the same contact, by `gatilho.chave`"),
        ]
    ]
    controle: NotRequired[
        Annotated[
            bool,
            Made(_if_control, ("control",), sql="CASE WHEN control THEN 'true' END"),
            Doc("Whether it was held out and gets no messages"),
        ]
    ]
    entrouEm: Annotated[Instant, Column("entered_at"), Doc("When it came into the journey")]
    noPassoDesde: Annotated[Instant, Column("step_at"), Doc("When it came to the step")]
    segueEm: NotRequired[
        Annotated[Instant, Column("due_at"), Doc("When it goes on at the latest, while it waits")]
    ]
    aguardaEvento: NotRequired[
        Annotated[str, Column("wait_event"), Doc("The customer event that it waits for")]
    ]
    terminouEm: NotRequired[Annotated[Instant, Column("ended_at"), Doc("When it ended")]]
    motivo: NotRequired[Annotated[str, Column("end_reason"), Doc("Why it ended")]]


@named(rest="JourneyRunWithTrail", graphql="JourneyRunWithTrail")
class WholeRunRecord(RunRecord):
    """A contact's way through a journey, step by step."""

    trilha: Annotated[list[TrailEntry], Loaded(), Doc("What happened to it, the oldest first")]


RUN = Record(RunRecord)


class RunPage(UncountedPage[RunRecord]):
    """A page of runs."""


def trail_of(rows: Sequence[Sequence[Any]]) -> list[TrailEntry]:
    """A trail as the interface spells it, of what each entry has: when, what became of the run, facts,
    the step.
    """
    return [_entry(*row) for row in rows]


def _entry(at: str, outcome: int, facts: dict[str, Any] | None, step: str | None) -> TrailEntry:
    entry: TrailEntry = {
        "em": wire_time(moment_of(at)),
        "resultado": RESULT_OF[Result(outcome)],
    }
    if step:
        entry["passo"] = step
    if facts:
        entry["fatos"] = facts
    return entry
