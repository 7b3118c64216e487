"""A journey as the interface spells it, with and without its graph of steps."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from pydantic import WithJsonSchema

from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    Made,
    Record,
    UncountedPage,
    named,
)
from core.journeys.figures import JourneyRuns, StepMetrics, metrics_of, runs_of
from core.journeys.graph import Step, in_order
from core.journeys.models import (
    JourneyAtCap,
    JourneyReentry,
    JourneyStatus,
    TriggerKind,
    TriggerMove,
)
from core.segments.record import NODE_SCHEMA, SegmentNode


class JourneyTrigger(TypedDict):
    """Who enters: exactly one of the three sources."""

    tipo: NotRequired[Annotated[TriggerKind, Doc("`segmento` where a segment is the source")]]
    listId: NotRequired[Annotated[Id, Doc("The list whose contacts enter")]]
    nome: NotRequired[Annotated[str, Doc("The name of a customer event")]]
    segmentId: NotRequired[Annotated[Id, Doc("The segment whose contacts enter")]]
    ao: NotRequired[
        Annotated[TriggerMove, Doc("Whether who comes into the segment enters, or who leaves it")]
    ]
    chave: NotRequired[
        Annotated[
            str, Doc("The property of the event by whose values a contact has runs of their own")
        ]
    ]


class JourneyPause(TypedDict):
    """Why and where the service paused the journey."""

    motivo: Annotated[str, Doc("Why")]
    passo: Annotated[str, Doc("The step at which it happened")]
    em: Annotated[Instant, Doc("When")]
    rotulo: NotRequired[Annotated[str, Doc("What people call the step")]]


class JourneyQuiet(TypedDict):
    """Hours of the day without messages."""

    inicio: Annotated[str, Doc("Wall clock, `22:00`: quiet from here")]
    fim: Annotated[str, Doc("Wall clock, `08:00`: no longer quiet from here")]


class JourneyFrequencyCap(TypedDict):
    """At most so many messages within so many days."""

    mensagens: Annotated[int, Doc("How many messages at most")]
    dias: Annotated[int, Doc("Within how many days")]
    aoTeto: NotRequired[Annotated[JourneyAtCap, Doc("What becomes of a message beyond that")]]


class JourneyGoal(TypedDict):
    """The customer event that the journey is there for."""

    evento: Annotated[str, Doc("The name of the event")]


class JourneyList(TypedDict):
    """The list that it begins with."""

    nome: Annotated[str, Doc("What the list is called")]
    tamanho: Annotated[int, Doc("How many contacts are on it")]


class JourneySegment(TypedDict):
    """The segment that it begins with."""

    nome: Annotated[str, Doc("What the segment is called")]


@named(rest="StoredJourneyStep", graphql="JourneyStep")
class StoredStep(TypedDict):
    """A step, as it was written."""

    id: Annotated[str, Doc("Names the step in the journey")]
    tipo: Annotated[str, Doc("What the step does")]
    rotulo: NotRequired[Annotated[str, Doc("What people call it")]]
    proximo: NotRequired[Annotated[str, Doc("The step that follows, where there is one way")]]
    config: Annotated[dict[str, Any], Doc("What it needs to know; its keys are those of its kind")]


def channels_of(steps: Sequence[Step], entry: str | None) -> list[str]:
    """The channels that a journey sends on, each once, in the order of a run."""
    return list(
        dict.fromkeys(
            step["config"]["canal"] for step in _run(steps, entry) if step["tipo"] == "mensagem"
        )
    )


def flow_of(steps: Sequence[Step], entry: str | None) -> list[str]:
    """The kinds of the steps, in the order of a run."""
    return [step["tipo"] for step in _run(steps, entry)]


def _run(steps: Sequence[Step], entry: str | None) -> list[Mapping[str, Any]]:
    by_id = {step["id"]: step for step in steps}
    return [by_id[id] for id in in_order(steps, entry)]


def _event_of(goal: JourneyGoal | None) -> str | None:
    return None if goal is None else goal["evento"]


def _list_of(name: str | None, size: int) -> JourneyList | None:
    return None if name is None else {"nome": name, "tamanho": size}


def _segment_of(name: str | None) -> JourneySegment | None:
    return None if name is None else {"nome": name}


class JourneyListItem(TypedDict):
    """A journey without its graph. `canais` and `fluxo` are read from the steps, in the order of a
    run.
    """

    id: Annotated[Id, Doc("Names the journey")]
    name: Annotated[str, Doc("What it is called")]
    status: Annotated[JourneyStatus, Doc("How it stands")]
    gatilho: Annotated[JourneyTrigger, Column("trigger"), Doc("Who enters")]
    reentrada: Annotated[
        JourneyReentry, Column("reentry"), Doc("Whether who has been through may enter again")
    ]
    intervaloReentradaHoras: NotRequired[
        Annotated[
            int,
            Column("reentry_hours"),
            Doc("Hours after its end before a contact may enter again"),
        ]
    ]
    execucoes: Annotated[
        JourneyRuns, Made(runs_of, ("run_counts",)), Doc("How many contacts are where")
    ]
    pausadaPor: NotRequired[
        Annotated[JourneyPause, Column("paused_by"), Doc("Why the service paused it")]
    ]
    ativadaEm: NotRequired[
        Annotated[Instant, Column("activated_at"), Doc("When contacts began to enter")]
    ]
    silencio: NotRequired[
        Annotated[JourneyQuiet, Column("quiet"), Doc("Hours in which it sends nothing")]
    ]
    tetoDeFrequencia: NotRequired[
        Annotated[
            JourneyFrequencyCap,
            Column("frequency_cap"),
            Doc("How many messages a contact gets at most"),
        ]
    ]
    meta: NotRequired[
        Annotated[JourneyGoal, Column("goal"), Doc("The customer event that it is there for")]
    ]
    sairQuando: NotRequired[
        Annotated[
            SegmentNode,
            Column("exit_when"),
            WithJsonSchema(NODE_SCHEMA),
            Doc("Who matches leaves before the next message"),
        ]
    ]
    versao: Annotated[int, Column("version"), Doc("The number of this version")]
    versaoDe: NotRequired[
        Annotated[Id, Column("version_of"), Doc("The journey that it is to replace")]
    ]
    substituidaPor: NotRequired[
        Annotated[Id, Column("replaced_by_id"), Doc("The version that took its place")]
    ]
    entradasEncerradas: NotRequired[
        Annotated[bool, Column("entries_ended"), Doc("Whether nobody enters any more")]
    ]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[Instant, Doc("When it was last changed")]
    canais: Annotated[
        list[str],
        Made(channels_of, ("steps", "entry_step_id")),
        Doc("The channels that it sends on, in the order of a run"),
    ]
    fluxo: Annotated[
        list[str],
        Made(flow_of, ("steps", "entry_step_id")),
        Doc("The kinds of its steps, in the order of a run"),
    ]
    metaEvento: NotRequired[
        Annotated[str, Made(_event_of, ("goal",)), Doc("The name of the event that is its goal")]
    ]
    lista: NotRequired[
        Annotated[
            JourneyList,
            Made(_list_of, ("list_name", "list_size")),
            Doc("The list that it begins with"),
        ]
    ]
    segmento: NotRequired[
        Annotated[
            JourneySegment,
            Made(_segment_of, ("segment_name",)),
            Doc("The segment that it begins with"),
        ]
    ]


@named(graphql="Journey")
class JourneyRecord(JourneyListItem):
    """What is to happen to a contact, step by step."""

    passos: Annotated[list[StoredStep], Column("steps"), Doc("Its steps, in the order of writing")]
    entradaPasso: NotRequired[
        Annotated[str, Column("entry_step_id"), Doc("The step at which a run begins")]
    ]
    metricasPorPasso: Annotated[
        dict[str, StepMetrics],
        Made(metrics_of, ("steps", "step_counts", "step_times")),
        Doc("The figures of each step, by its id"),
    ]


JOURNEY_ITEM = Record(JourneyListItem)
JOURNEY = Record(JourneyRecord)


class JourneyPage(UncountedPage[JourneyListItem]):
    """All journeys in use, newest first."""
