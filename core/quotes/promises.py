"""What quotes promise to sends, and how it is used up: never more than was promised."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.quotes.errors import QuoteExpired, QuoteOfAnotherRoute, UnknownQuote

Step = tuple[int, int]
"""So many segments, and the coins of each."""

PromiseKey = tuple[str, str, str, str]
"""Organization, environment, quote and route."""


@dataclass(slots=True)
class Promise:
    """What a quote still promises on one route, while its row is locked.

    `item_id` is None where the quote names other routes only. `is_over`: it expired, was canceled, or
    what was held for it is given back. `prepaid`: what it costs is held.
    """

    item_id: int | None
    steps: Sequence[Step]
    segments: int
    remaining: int
    is_over: bool
    prepaid: bool

    def price(self, segments: int) -> int:
        """Coins of the next segments at the promised prices."""
        used = self.segments - self.remaining
        return cost(self.steps, used + segments) - cost(self.steps, used)


def usable(promise: Promise | None) -> Promise | ServiceError:
    """The promise, however little is left of it; or why a send that names its quote is refused."""
    if promise is None:
        return UnknownQuote()
    if promise.is_over:
        return QuoteExpired()
    return QuoteOfAnotherRoute() if promise.item_id is None else promise


@dataclass(slots=True)
class Use:
    """What was sent of one item: segments, and coins that were held for it."""

    segments: int = 0
    coins: int = 0


def cost(steps: Sequence[Step], segments: int) -> int:
    """Coins of the first so many segments."""
    total, left = 0, segments
    for count, coins in steps:
        total += min(count, left) * coins
        left -= min(count, left)
    return total


async def lock_promises(
    keys: Collection[PromiseKey], channel: str, *, at: datetime
) -> dict[PromiseKey, Promise]:
    """What these quotes promise on these routes; nobody else uses it until the transaction ends.

    A quote that is not there is absent.
    """
    rows = await db.fetch(LOCK, *db.columns(sorted(set(keys)), 4), channel, at)
    return {
        (row["organization_id"], row["env"], row["quote_id"], row["route"]): Promise(
            row["item_id"],
            [(count, coins) for count, coins in row["steps"] or ()],
            row["segments"] or 0,
            row["remaining"] or 0,
            row["is_over"],
            row["reserved"],
        )
        for row in rows
    }


async def lock_quote(
    organization_id: str, env: str, id: str, *, at: datetime
) -> dict[tuple[str, str], Promise]:
    """What a quote promises, by channel and route; nobody else uses it until the transaction ends.
    Nothing of one that is not there.
    """
    rows = await db.fetch(LOCK_WHOLE, organization_id, env, id, at)
    return {
        (row["channel"], row["route"]): Promise(
            row["id"],
            [(count, coins) for count, coins in row["steps"]],
            row["segments"],
            row["remaining"],
            row["is_over"],
            row["reserved"],
        )
        for row in rows
    }


async def use_up(used: dict[int, Use]) -> None:
    """Lower what is left of locked items, and what is held for it."""
    if used:
        values = [(id, use.segments, use.coins) for id, use in used.items()]
        await db.execute(USE, *db.columns(values, 3))


IS_OVER = "q.valid_until <= {} OR q.canceled_at IS NOT NULL OR q.released_at IS NOT NULL"

LOCK_WHOLE = f"""
WITH locked AS MATERIALIZED (
    SELECT i.* FROM quote_items i WHERE i.organization_id = $1 AND i.env = $2 AND i.quote_id = $3
    ORDER BY i.id FOR UPDATE OF i
), quote_kept AS MATERIALIZED (
    SELECT q.reserved, {IS_OVER.format("$4")} AS is_over FROM quotes q
    WHERE q.organization_id = $1 AND q.env = $2 AND q.id = $3 AND (SELECT count(*) FROM locked) >= 0
    FOR SHARE OF q
)
SELECT i.*, q.reserved, q.is_over FROM quote_kept q CROSS JOIN locked i
"""

LOCK = f"""
WITH named AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS n (organization_id, env, quote_id, route)
), locked AS MATERIALIZED (
    -- FOR UPDATE reads what the one before left, however long it was waited for.
    SELECT i.* FROM quote_items i
    WHERE (i.quote_id, i.channel, i.route) IN (SELECT n.quote_id, $5, n.route FROM named n)
      AND (i.organization_id, i.env, i.quote_id) IN (SELECT organization_id, env, quote_id FROM named)
    ORDER BY i.id
    FOR UPDATE OF i
), quote_kept AS MATERIALIZED (
    -- Whoever ends a quote locks its items first, too: it waits for what is being sent, and is waited for.
    SELECT q.organization_id, q.env, q.id, q.reserved,
           {IS_OVER.format("$6")} AS is_over
    FROM quotes q
    WHERE (q.organization_id, q.env, q.id) IN (SELECT organization_id, env, quote_id FROM named)
      AND (SELECT count(*) FROM locked) >= 0
    ORDER BY q.id
    FOR SHARE OF q
)
SELECT n.*, q.is_over, q.reserved, i.id AS item_id, i.steps, i.segments, i.remaining
FROM named n
JOIN quote_kept q ON q.organization_id = n.organization_id AND q.env = n.env AND q.id = n.quote_id
LEFT JOIN locked i ON i.organization_id = n.organization_id AND i.env = n.env AND i.quote_id = n.quote_id
                  AND i.route = n.route
"""

USE = """
UPDATE quote_items i
SET remaining = i.remaining - u.segments, held = i.held - u.coins
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u (id, segments, coins)
WHERE i.id = u.id
"""
