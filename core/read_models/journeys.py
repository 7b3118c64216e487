"""Journeys, read field by field."""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.journeys.conditions import narrow_journeys
from core.journeys.outline import OUTLINE
from core.journeys.record import channels_of, flow_of, no_runs, untouched
from core.read_models.query_compiler import Arguments, Entity, Field, column, time

GRAPH = f"json_build_array({OUTLINE}, {{t}}.entry_step_id)"
LIST_OF = """(
    SELECT jsonb_build_object('nome', l.name, 'tamanho', l.size) FROM contact_lists l
    WHERE (l.organization_id, l.env, l.id) = ({t}.organization_id, {t}.env, {t}.trigger->>'listId'))"""
SEGMENT_OF = """(
    SELECT jsonb_build_object('nome', s.name) FROM segments s
    WHERE (s.organization_id, s.env, s.id) = ({t}.organization_id, {t}.env, {t}.trigger->>'segmentId'))"""

FIELDS = {
    "id": column("id"),
    "name": column("name"),
    "status": column("status"),
    "gatilho": column("trigger"),
    "reentrada": column("reentry"),
    "intervaloReentradaHoras": column("reentry_hours"),
    "execucoes": Field("0", make=lambda _: no_runs()),
    "pausadaPor": column("paused_by"),
    "ativadaEm": time("activated_at"),
    "silencio": column("quiet"),
    "tetoDeFrequencia": column("frequency_cap"),
    "meta": column("goal"),
    "versao": column("version"),
    "versaoDe": column("version_of"),
    "substituidaPor": column("replaced_by_id"),
    "entradasEncerradas": column("entries_ended"),
    "canais": Field(GRAPH, make=lambda graph: channels_of(*graph)),
    "fluxo": Field(GRAPH, make=lambda graph: flow_of(*graph)),
    "metaEvento": Field("{t}.goal->>'evento'"),
    "lista": Field(LIST_OF),
    "segmento": Field(SEGMENT_OF),
    "passos": column("steps"),
    "entradaPasso": column("entry_step_id"),
    "metricasPorPasso": Field(OUTLINE, make=untouched),
    "createdAt": time("created_at"),
    "updatedAt": time("updated_at"),
}


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
