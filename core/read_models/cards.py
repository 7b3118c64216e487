"""Cards and the people on them, read field by field."""

from collections.abc import Sequence

from core.cards import CardFilter
from core.cards.conditions import narrow_cards
from core.cards.record import CARD as CARD_RECORD
from core.cards.record import CARD_PERSON
from core.foundation.clock import now
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_query
from core.read_models.pipelines import BY_POSITION, as_part
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Field,
    Order,
    OrderKey,
    fields_of,
    wire_time_of,
)

# One instant for all that a statement shows.
DAYS = "extract(day FROM statement_timestamp() - {t}.stage_since)"
OF_STAGE = "(SELECT s.{column} FROM pipeline_stages s WHERE s.id = {{t}}.stage_id AND s.organization_id = $1)"

NEXT = """(
    SELECT json_build_object('id', a.id, 'tipo', a.kind, 'titulo', a.title, 'venceEm', a.due_at)
    FROM card_activities a WHERE a.card_id = {t}.id AND a.organization_id = $1 AND a.done_at IS NULL AND a.due_at IS NOT NULL
    ORDER BY a.due_at LIMIT 1)"""


def _next(activity: dict[str, str]) -> dict[str, str]:
    return {**activity, "venceEm": wire_time_of(activity["venceEm"])}


FIELDS = {name: field for name, field in fields_of(CARD_RECORD).items() if name != "contatos"} | {
    "probabilidade": Field(f"coalesce({{t}}.probability, {OF_STAGE.format(column='probability')})"),
    "diasNaEtapa": Field(f"greatest({DAYS}, 0)::int"),
    "atrasado": Field(f"coalesce({DAYS} > {OF_STAGE.format(column='max_days')}, false)"),
    "proximaAtividade": Field(NEXT, make=_next),
}


def _orders() -> dict[str, Order]:
    """Those of the lists over REST, by name, either way: newest first unless told otherwise."""
    orders = {}
    for name, key in (
        ("ordem", OrderKey('{t}.rank COLLATE "C"', "text")),
        ("valor", OrderKey("{t}.value", "numeric", nullable=True)),
        ("dataPrevista", OrderKey("{t}.expected_on", "date", nullable=True)),
        ("updatedAt", OrderKey("{t}.updated_at", "timestamptz")),
        ("createdAt", OrderKey("{t}.created_at", "timestamptz")),
    ):
        for descending in (False, True):
            named = f"-{name}" if descending else name
            orders[named] = Order(named, (key, OrderKey("{t}.id", "text")), descending)
    return {"": orders["-createdAt"], **orders}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    if filter:
        expected = filter.get("dataPrevista") or {}
        asked = {
            **{name: value for name, value in filter.items() if name != "dataPrevista"},
            "previstoDe": expected.get("from"),
            "previstoAte": expected.get("to"),
        }
        query = [(name, str(value)) for name, value in asked.items() if value is not None]
        narrow_cards(where, read_query(CardFilter, query), at=now())
    return ()


CARD = Entity(
    name="Card",
    table="cards",
    alias="c",
    scope=Scope.CRM_READ,
    prefix="crd",
    fields=FIELDS,
    orders=_orders(),
    narrow=_narrow,
)

PERSON = Entity(
    name="CardPerson",
    table="card_contacts",
    alias="p",
    scope=Scope.CRM_READ,
    prefix="",
    fields=fields_of(CARD_PERSON),
    orders={"": BY_POSITION},
    visible=as_part,
)
"""Somebody on a card: a part of it."""
