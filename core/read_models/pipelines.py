"""Pipelines, their stages with what lies in them, and their reasons for losing, read field by
field.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, TypedDict

from core.foundation.database.where import Where
from core.foundation.records import Doc
from core.foundation.security.caller import Caller, Scope
from core.pipelines.record import LOST_REASON as LOST_REASON_RECORD
from core.pipelines.record import PARTS
from core.pipelines.record import PIPELINE as PIPELINE_RECORD
from core.pipelines.record import STAGE as STAGE_RECORD
from core.read_models.query_compiler import Arguments, Entity, Field, Order, OrderKey, fields_of

BY_POSITION = Order("posicao", (OrderKey("{t}.position", "numeric"), OrderKey("{t}.id", "text")))

PIPELINE_FIELDS = {
    name: field for name, field in fields_of(PIPELINE_RECORD).items() if name not in PARTS
}

# Of the stage alone: it is one of the caller's, and the index of its cards begins with it.
LYING = "FROM cards d WHERE d.stage_id = {t}.id"

LATE = f"""(
    SELECT count(*) {LYING}
      AND d.stage_since <= statement_timestamp() - make_interval(days => {{t}}.max_days + 1))"""

VALUE = f"""(
    SELECT coalesce(sum(d.value), 0) {LYING}
      AND d.currency = (SELECT l.currency FROM pipelines l WHERE l.id = {{t}}.pipeline_id AND l.organization_id = $1))"""

VALUES = f"""ARRAY(
    SELECT json_build_array(d.currency, sum(d.value)) {LYING} AND d.value IS NOT NULL
    GROUP BY d.currency ORDER BY d.currency)"""


class DealValue(TypedDict):
    """What deals are worth in one currency."""

    moeda: Annotated[str, Doc("The currency, by its code of ISO 4217")]
    valor: Annotated[float, Doc("In units of `moeda`")]


def _values(sums: list[tuple[str, float]]) -> list[DealValue]:
    return [{"moeda": currency, "valor": float(value)} for currency, value in sums]


STAGE_FIELDS = {
    **fields_of(STAGE_RECORD),
    "quantidade": Field(f"(SELECT count(*) {LYING})", scope=Scope.CRM_READ),
    "atrasados": Field(LATE, scope=Scope.CRM_READ),
    "valorTotal": Field(VALUE, make=float, scope=Scope.CRM_READ),
    "valores": Field(VALUES, make=_values, scope=Scope.CRM_READ),
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
    fields=fields_of(LOST_REASON_RECORD),
    orders={"": BY_POSITION},
)

OWN_STAGE, OWN_REASON = replace(STAGE, visible=as_part), replace(LOST_REASON, visible=as_part)
"""As parts of the pipeline that is read."""
