"""The board of a pipeline: its stages, each with its first cards, their number and worth."""

from collections import defaultdict
from datetime import timedelta
from typing import Any

import orjson

from core.cards.cursors import Mark, write_mark
from core.cards.record import card_record, columns_at
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import NotFound
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope

MAX_PER_STAGE = 100


async def read_board(caller: Caller, pipeline_id: str, *, first: int = 50) -> list[dict[str, Any]]:
    """The stages in their order: `{stageId, count, late, sums, cards, nextCursor?}`. Raises
    NotFound.

    `late` cards have been there longer than the stage allows. `sums` has one `{moeda, valor}` per
    currency, never added up. `cards` are the first of the stage, 1 to 100; `nextCursor` leads on in
    the list of its cards by `ordem`.
    """
    caller.require(Scope.CRM_READ)
    at = now()
    values = (
        caller.organization_id,
        caller.env,
        well_formed_id("pip", pipeline_id),
    )
    rows = await db.fetch(
        BOARD, *values, at - timedelta(days=1), min(max(first, 1), MAX_PER_STAGE), at
    )
    if not rows:
        raise NotFound
    stages: dict[str, list[db.Row]] = defaultdict(list)
    for row in rows:
        stages[row["column_id"]].append(row)
    return [_stage(id, cards) for id, cards in stages.items()]


def _stage(id: str, rows: list[db.Row]) -> dict[str, Any]:
    totals, cards = rows[0], [row for row in rows if row["id"] is not None]
    stage = {
        "stageId": id,
        "count": totals["count"],
        "late": totals["late"],
        "sums": orjson.loads(totals["sums"] or "[]"),
        "cards": [card_record(row) for row in cards],
    }
    if totals["count"] > len(cards):
        last = cards[-1]
        stage["nextCursor"] = write_mark("ordem", Mark(last["rank"], last["id"], totals["count"]))
    return stage


# The totals come from one pass over the pipeline's cards (the outer join lets no planner look them up
# stage by stage), the first of each stage from the index of its order. The sums stand beside every card and are
# read once, so they come as text.
BOARD = f"""
WITH per_currency AS (
    SELECT c.stage_id, c.currency, count(*) AS cards, sum(c.value) AS value,
           count(*) FILTER (WHERE c.stage_since <= $4::timestamptz - make_interval(days => l.max_days)) AS late
    FROM cards c LEFT JOIN pipeline_stages l ON l.id = c.stage_id AND l.organization_id = c.organization_id
    WHERE c.organization_id = $1 AND c.env = $2 AND c.pipeline_id = $3
    GROUP BY c.stage_id, c.currency
), totals AS MATERIALIZED (
    SELECT stage_id, sum(cards)::bigint AS count, sum(late)::bigint AS late,
           jsonb_agg(jsonb_build_object('moeda', currency, 'valor', coalesce(value, 0)) ORDER BY currency)::text AS sums
    FROM per_currency GROUP BY stage_id
)
SELECT e.id AS column_id, coalesce(t.count, 0) AS count, coalesce(t.late, 0) AS late, t.sums, f.*
FROM pipeline_stages e
LEFT JOIN totals t ON t.stage_id = e.id
LEFT JOIN LATERAL (
    SELECT {columns_at("$6")} FROM cards c JOIN pipeline_stages s ON s.id = c.stage_id AND s.organization_id = c.organization_id
    WHERE c.stage_id = e.id AND c.organization_id = e.organization_id ORDER BY c.rank COLLATE "C" LIMIT $5) f ON true
WHERE e.organization_id = $1 AND e.env = $2 AND e.pipeline_id = $3
ORDER BY e.position, e.id, f.rank COLLATE "C"
"""
