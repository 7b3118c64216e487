"""Pipelines, their stages with what lies in them, and their reasons for losing, read field by
field.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, Field, Key, Order, column, time

BY_POSITION = Order("posicao", (Key("{t}.position", "numeric"), Key("{t}.id", "text")))

PIPELINE_FIELDS = {
    "id": column("id"),
    "organizationId": column("organization_id"),
    "nome": column("name"),
    "tipo": column("kind"),
    "descricao": column("description"),
    "moeda": column("currency"),
    "posicao": column("position"),
    "arquivado": column("archived"),
    "versao": column("version"),
    "createdById": column("created_by_id"),
    "createdAt": time("created_at"),
    "updatedAt": time("updated_at"),
}

# Of the stage alone: it is one of the caller's, and the index of its cards begins with it.
LYING = "FROM cards d WHERE d.stage_id = {t}.id"

LATE = f"""(
    SELECT count(*) {LYING}
      AND d.stage_since <= statement_timestamp() - make_interval(days => {{t}}.max_days + 1))"""

VALUE = f"""(
    SELECT coalesce(sum(d.value), 0) {LYING}
      AND d.currency = (SELECT l.currency FROM pipelines l WHERE l.id = {{t}}.pipeline_id))"""

VALUES = f"""ARRAY(
    SELECT json_build_array(d.currency, sum(d.value)) {LYING} AND d.value IS NOT NULL
    GROUP BY d.currency ORDER BY d.currency)"""


def _values(sums: list[tuple[str, float]]) -> list[dict[str, Any]]:
    return [{"moeda": currency, "valor": float(value)} for currency, value in sums]


STAGE_FIELDS = {
    "id": column("id"),
    "pipelineId": column("pipeline_id"),
    "nome": column("name"),
    "posicao": column("position"),
    "resultado": column("outcome"),
    "probabilidade": column("probability"),
    "tempoMaximoDias": column("max_days"),
    "camposObrigatorios": column("required_fields"),
    "cor": column("color"),
    "quantidade": Field(f"(SELECT count(*) {LYING})", scope=Scope.CRM_READ),
    "atrasados": Field(LATE, scope=Scope.CRM_READ),
    "valorTotal": Field(VALUE, make=float, scope=Scope.CRM_READ),
    "valores": Field(VALUES, make=_values, scope=Scope.CRM_READ),
}

REASON_FIELDS = {
    "id": column("id"),
    "texto": column("text"),
    "ativo": column("active"),
    "exigeObservacao": column("needs_note"),
}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    if not filter.get("includeArchived"):
        where.narrow("NOT archived")
    return ()


def as_part(where: Where, caller: Caller) -> None:
    """No condition and no scope of its own: REST shows the whole with its parts, also to whoever
    has just made it.
    """


PIPELINE = Entity(
    name="Pipeline",
    table="pipelines",
    alias="p",
    scope=Scope.CRM_READ,
    prefix="pip",
    fields=PIPELINE_FIELDS,
    orders={"": BY_POSITION},
    narrow=_narrow,
)

STAGE = Entity(
    name="Stage",
    table="pipeline_stages",
    alias="s",
    scope=Scope.CRM_READ,
    prefix="etp",
    fields=STAGE_FIELDS,
    orders={"": BY_POSITION},
)

LOST_REASON = Entity(
    name="LostReason",
    table="lost_reasons",
    alias="r",
    scope=Scope.CRM_READ,
    prefix="mot",
    fields=REASON_FIELDS,
    orders={"": BY_POSITION},
)

OWN_STAGE, OWN_REASON = replace(STAGE, visible=as_part), replace(LOST_REASON, visible=as_part)
"""As parts of the pipeline that is read."""
