"""What Amazon asked for messages: kept beside what was charged, added up by route, country or
carrier.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import structlog
from pydantic import Field

from core.foundation.database import db
from core.foundation.database.where import Where
from core.foundation.described_enum import DescribedEnum
from core.foundation.observability.metrics import Counter
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.foundation.validation.inputs import SINCE, UNTIL, QueryInput, UtcTime
from core.providers.amazon.events import Cost

PARTS_DIFFER = Counter(
    "svc_provider_parts_differ_total",
    "Messages of which the provider counts other parts than we do segments.",
    ("provider",),
)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class KnownCost:
    """The cost of a message of ours."""

    message_id: str
    cost: Cost


async def write_costs(provider: str, costs: Sequence[KnownCost]) -> None:
    """Keep costs, in the transaction of the events that told them. Of several words on a message
    the highest counts, whichever comes first.
    """
    highest: dict[str, Cost] = {}
    for one in costs:
        known = highest.get(one.message_id, one.cost)
        highest[one.message_id] = _higher(known, one.cost)
    if not highest:
        return
    columns = [
        (id, cost.amount, cost.fee, cost.parts, cost.country, cost.carrier)
        for id, cost in sorted(highest.items())
    ]
    rows = await db.fetch(WRITE, *db.columns(columns, 6), provider)
    for row in rows:
        if row["fresh"] and row["segments"] not in (None, row["parts"]):
            PARTS_DIFFER.labels(provider).add()
            log.warning(
                "provider_parts_differ",
                message_id=row["message_id"],
                parts=row["parts"],
                segments=row["segments"],
            )


def _higher(one: Cost, other: Cost) -> Cost:
    return replace(
        one,
        amount=max(one.amount, other.amount),
        fee=max(one.fee, other.fee),
        parts=max(one.parts, other.parts),
        country=one.country or other.country,
        carrier=one.carrier or other.carrier,
    )


WRITE = """
INSERT INTO provider_costs
    (message_id, organization_id, env, provider, route, country, carrier, currency, amount, fee, parts, segments,
     coins, at)
SELECT m.id, m.organization_id, m.env, m.provider, m.route, c.country, c.carrier, 'USD', c.amount, c.fee,
       coalesce(nullif(c.parts, 0), m.segments, 1), m.segments, m.coins, m.created_at
FROM unnest($1::text[], $2::numeric[], $3::numeric[], $4::int[], $5::text[], $6::text[])
    AS c (id, amount, fee, parts, country, carrier)
JOIN messages m ON m.id = c.id AND m.provider = $7
ON CONFLICT (message_id) DO UPDATE
SET amount = greatest(provider_costs.amount, excluded.amount), fee = greatest(provider_costs.fee, excluded.fee),
    parts = greatest(provider_costs.parts, excluded.parts), coins = excluded.coins,
    country = coalesce(provider_costs.country, excluded.country),
    carrier = coalesce(provider_costs.carrier, excluded.carrier)
WHERE provider_costs.organization_id = excluded.organization_id
RETURNING message_id, parts, segments, xmax = 0 AS fresh
"""


# Adding up ----------------------------------------------------------------------------------------


class GroupBy(DescribedEnum, rest="ProviderCostGroup", graphql="ProviderCostGroup"):
    """What costs of providers are added up by."""

    ROUTE = "route", "By the route that the messages took"
    COUNTRY = "country", "By the country of their recipients, as the provider names it"
    CARRIER = "carrier", "By the carrier of their recipients, as the provider names it"


MAX_GROUPS = 200


class CostFilter(QueryInput):
    """Which costs to add up, and by what."""

    from_: UtcTime | None = Field(default=None, alias="from", description=SINCE)
    to: UtcTime | None = Field(default=None, description=UNTIL)
    group_by: GroupBy = Field(default=GroupBy.ROUTE, description="What each line is of")


async def provider_costs(caller: Caller, filter: CostFilter) -> dict[str, Any]:
    """`{items: [{group, messages, parts, segments, currency, amount, fee, chargedCoins, …}]}`, the
    dearest first. Of messages whose cost the provider told.
    """
    caller.require(Scope.WALLET_READ)
    where = Where.visible_to(caller)
    where.narrow_period("at", filter.from_, filter.to)
    rows = await db.fetch(
        f"""
        SELECT {filter.group_by} AS "group", provider, currency, count(*) AS messages,
               sum(parts)::bigint AS parts, sum(segments)::bigint AS segments, sum(amount) AS amount,
               sum(fee) AS fee, sum(coins)::bigint AS coins
        FROM provider_costs WHERE {where} GROUP BY 1, 2, 3 ORDER BY sum(amount) + sum(fee) DESC, 1, 2
        LIMIT {MAX_GROUPS}
        """,
        *where.values,
    )
    return {"items": [_record(row) for row in rows]}


def _record(row: db.Row) -> dict[str, object]:
    record: dict[str, Any] = {
        "group": row["group"],
        "provider": row["provider"],
        "messages": row["messages"],
        "parts": row["parts"],
        "segments": row["segments"] or 0,
        "currency": row["currency"],
        "amount": _written(row["amount"]),
        "fee": _written(row["fee"]),
        "chargedCoins": row["coins"],
    }
    per_dollar = current().coins_per_usd
    if per_dollar is not None:
        cost = round((row["amount"] + row["fee"]) * per_dollar)
        record |= {"costCoins": cost, "marginCoins": row["coins"] - cost}
    return record


def _written(amount: Decimal) -> str:
    """Exactly, as text: a float is no money."""
    return f"{amount:.5f}"
