"""What is counted of journeys, read from the deltas that each move leaves: how many are where, and
how each step went.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import Doc, named
from core.journeys.graph import Step
from core.journeys.runs.models import CountKind, RunState

RUN_COUNTS = """(
    SELECT coalesce(jsonb_object_agg(of.kind, of.runs), '{{}}') FROM (
        SELECT c.kind, sum(c.delta)::bigint AS runs FROM journey_step_counts c
        WHERE c.version_id = {t}.id AND c.step = -1 GROUP BY 1) AS of)"""
"""SQL, with `{t}` for the alias of the journeys: how many runs there are in each state."""

STEP_COUNTS = """(
    SELECT coalesce(jsonb_agg(jsonb_build_array(
        {t}.program->'steps'->of.step::int->>'id', of.kind, of.reason, of.many)), '[]')
    FROM (SELECT c.step, c.kind, c.reason, sum(c.delta)::bigint AS many FROM journey_step_counts c
          WHERE c.version_id = {t}.id AND c.step > 0 GROUP BY 1, 2, 3 HAVING sum(c.delta) <> 0) AS of)"""
"""The same of what is counted of its steps: the id of the step, the kind, the reason, the number."""

SAMPLE_SIZE = 200
"""How many runs that came to the end a median is taken of: the last ones to enter."""

STEP_TIMES = f"""(
    SELECT coalesce(jsonb_object_agg({{t}}.program->'steps'->of.step::int->>'id', of.seconds), '{{{{}}}}') FROM (
        SELECT s.step, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY s.seconds))::bigint AS seconds FROM (
            SELECT t.step, extract(epoch FROM t.at - lag(t.at, 1, e.entered_at)
                       OVER (PARTITION BY t.run_id ORDER BY t.seq))::float8 AS seconds
            FROM (SELECT r.id, r.entered_at FROM journey_runs r WHERE r.version_id = {{t}}.id
                    AND r.state = {RunState.DONE.value} ORDER BY r.id DESC LIMIT {SAMPLE_SIZE}) AS e
            JOIN journey_trail t ON t.run_id = e.id) AS s
        WHERE s.step > 0 GROUP BY 1) AS of)"""
"""The same of how long a step takes, in seconds, by its id: the median of some runs that came to the end."""

Counted = Sequence[tuple[str, int, str, int]]


class JourneyRuns(TypedDict):
    """How many contacts are on their way, and how the others ended."""

    ativa: Annotated[int, Doc("They are on their way")]
    concluida: Annotated[int, Doc("They came to the end or to the goal")]
    cancelada: Annotated[int, Doc("They were taken out")]
    erro: Annotated[int, Doc("Something failed, and they did not go on")]


class StepMessages(TypedDict):
    """How far the messages of a step came."""

    enviadas: Annotated[int, Doc("They were handed over")]
    entregues: Annotated[int, Doc("They arrived")]
    lidas: Annotated[int, Doc("They were read, where that is told")]
    cliques: Annotated[int, Doc("How often people opened their links")]


class SkippedRuns(TypedDict):
    """How many contacts left a step without its action, for one reason."""

    motivo: Annotated[str, Doc("Why: `opt_out`, `teto`, `sem_canal` …")]
    quantidade: Annotated[int, Doc("How many left it so")]


class StepMetrics(TypedDict):
    """How many contacts came to a step, wait in it, left it, and failed in it."""

    entraram: Annotated[int, Doc("They came to it")]
    aguardando: Annotated[int, Doc("They wait in it")]
    concluiram: Annotated[int, Doc("They left it")]
    erros: Annotated[int, Doc("They failed in it")]
    pulados: Annotated[
        dict[str, int],
        Doc("How many left it without its action, by reason: `opt_out`, `teto`, `sem_canal` …"),
    ]
    mensagens: NotRequired[
        Annotated[StepMessages, Doc("How far its messages came, of a step that sends some")]
    ]
    conversoes: NotRequired[
        Annotated[
            int,
            Doc(
                "Customer events that are attributed to its messages: of the journey's goal, or of "
                "any name where it has none"
            ),
        ]
    ]
    tempoMedianoSegundos: NotRequired[
        Annotated[
            int,
            Doc(
                "How long contacts stay in it: the median of the last 200 to enter that have come to "
                "the end; absent before one has"
            ),
        ]
    ]


@named(graphql="StepMetrics")
class StepFigures(StepMetrics):
    """How many contacts came to a step, wait in it, left it, and failed in it."""

    puladosPorMotivo: Annotated[
        list[SkippedRuns], Doc("How many left it without its action, by reason")
    ]


def listed_figures(metrics: StepMetrics) -> StepFigures:
    """The figures of a step, with what is a map in REST as a list too."""
    skipped = metrics["pulados"].items()
    return {
        **metrics,
        "puladosPorMotivo": [{"motivo": why, "quantidade": many} for why, many in skipped],
    }


def runs_of(counts: Mapping[str, int]) -> JourneyRuns:
    """How many runs of a version there are in each state."""
    of = {state: counts.get(str(state.value), 0) for state in RunState}
    return {
        "ativa": of[RunState.ACTIVE],
        "concluida": of[RunState.DONE],
        "cancelada": of[RunState.CANCELED],
        "erro": of[RunState.FAILED],
    }


def metrics_of(
    steps: Sequence[Step], counted: Counted, times: Mapping[str, int]
) -> dict[str, StepMetrics]:
    """The figures of each step, by its id."""
    sums: dict[str, dict[CountKind, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for id, kind, reason, many in counted:
        sums[id][CountKind(kind)][reason] = many
    found = {step["id"]: _metrics(step, sums[step["id"]]) for step in steps}
    for id, seconds in times.items():
        if id in found:
            found[id]["tempoMedianoSegundos"] = seconds
    return found


def _metrics(step: Step, sums: Mapping[CountKind, Mapping[str, int]]) -> StepMetrics:
    of = {kind: sum(sums[kind].values()) for kind in CountKind}
    left, failed = of[CountKind.LEFT], of[CountKind.FAILED]
    metrics: StepMetrics = {
        "entraram": of[CountKind.ENTERED],
        "aguardando": of[CountKind.ENTERED] - left - failed,
        "concluiram": left,
        "erros": failed,
        "pulados": dict(sorted(sums[CountKind.SKIPPED].items())),
    }
    if step["tipo"] == "mensagem":
        metrics["mensagens"] = {
            "enviadas": of[CountKind.SENT],
            "entregues": of[CountKind.DELIVERED],
            "lidas": of[CountKind.READ],
            "cliques": of[CountKind.CLICKED],
        }
        metrics["conversoes"] = of[CountKind.CONVERTED]
    return metrics
