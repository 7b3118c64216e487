"""Promised prices, read field by field."""

from collections.abc import Sequence
from typing import Any

from core import quotes
from core.foundation.clock import now
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, Field, column, time

TABLE = """(
    SELECT q.*, (SELECT jsonb_agg(i ORDER BY i.place) FROM quote_items i
                 WHERE i.quote_id = q.id AND i.organization_id = q.organization_id) AS items
    FROM quotes q
)"""


def _items(items: list[dict[str, Any]]) -> list[object]:
    return [quotes.quote_item(item) for item in items]


def _remaining(items: list[dict[str, int]]) -> int:
    return sum(item["remaining"] for item in items)


def _held(items: list[dict[str, int]]) -> int:
    return sum(item["held"] for item in items)


def _visible(where: Where, caller: Caller) -> None:
    readable = quotes.readable_channels(caller)
    if len(readable) < len(quotes.QuoteChannel):
        where.narrow(
            "id IN (SELECT i.quote_id FROM quote_items i WHERE i.organization_id = $1 "
            "AND i.env = $2 AND i.channel = ANY ({}::text[]))",
            readable,
        )


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    if (valid := filter.get("valida")) is not None:
        holds = "(valid_until > {} AND canceled_at IS NULL)"
        where.narrow(holds if valid else f"NOT {holds}", now())
    return ()


QUOTE = Entity(
    name="Quote",
    table=TABLE,
    alias="q",
    scope=Scope.SMS_READ,
    prefix="qte",
    fields={
        "id": column("id"),
        "coins": column("coins"),
        "itens": Field("{t}.items", make=_items),
        "restante": Field("{t}.items", make=_remaining),
        "validoAte": time("valid_until"),
        "reservado": column("reserved"),
        "reservadoCoins": Field("{t}.items", make=_held),
        "canceladaEm": time("canceled_at"),
        "createdAt": time("created_at"),
    },
    narrow=_narrow,
    visible=_visible,
)
