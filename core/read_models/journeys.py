"""Journeys, read field by field."""

from collections.abc import Mapping, Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.journeys import record
from core.journeys.conditions import narrow_journeys
from core.journeys.figures import (
    RUN_COUNTS,
    STEP_COUNTS,
    STEP_TIMES,
    Counted,
    listed_figures,
    metrics_of,
    runs_of,
)
from core.journeys.graph import Step
from core.journeys.outline import OUTLINE
from core.read_models.query_compiler import Arguments, Entity, Field, fields_of

GRAPH = f"json_build_array({OUTLINE}, {{t}}.entry_step_id)"
LIST_OF = """(
    SELECT jsonb_build_object('nome', l.name, 'tamanho', l.size) FROM contact_lists l
    WHERE (l.organization_id, l.env, l.id) = ({t}.organization_id, {t}.env, {t}.trigger->>'listId'))"""
SEGMENT_OF = """(
    SELECT jsonb_build_object('nome', s.name) FROM segments s
    WHERE (s.organization_id, s.env, s.id) = ({t}.organization_id, {t}.env, {t}.trigger->>'segmentId'))"""
STEPS_AND_COUNTS = f"json_build_array({{t}}.steps, {STEP_COUNTS}, {STEP_TIMES})"
OUTLINE_AND_COUNTS = f"json_build_array({OUTLINE}, {STEP_COUNTS}, {STEP_TIMES})"


def _steps_shown(steps: Sequence[Step], counted: Counted, times: Mapping[str, int]) -> list[Step]:
    """The steps, each with its figures."""
    metrics = metrics_of(steps, counted, times)
    return [{**step, "metricas": listed_figures(metrics[step["id"]])} for step in steps]


FIELDS = {
    **fields_of(record.JOURNEY),
    "execucoes": Field(RUN_COUNTS, make=runs_of),
    "canais": Field(GRAPH, make=lambda graph: record.channels_of(*graph)),
    "fluxo": Field(GRAPH, make=lambda graph: record.flow_of(*graph)),
    "metaEvento": Field("{t}.goal->>'evento'"),
    "lista": Field(LIST_OF),
    "segmento": Field(SEGMENT_OF),
    "passos": Field(STEPS_AND_COUNTS, make=lambda read: _steps_shown(*read), told=False),
    "metricasPorPasso": Field(OUTLINE_AND_COUNTS, make=lambda read: metrics_of(*read)),
}
"""What is read without the large contents of steps, or from other tables, is asked for apart."""


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_journeys(where, status=filter.get("status"), alias="j")
    return ()


JOURNEY = Entity(
    name="Journey",
    table="journeys",
    alias="j",
    scope=Scope.CAMPAIGNS_READ,
    prefix="jor",
    fields=FIELDS,
    narrow=_narrow,
)
