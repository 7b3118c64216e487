"""Ending quotes: on request, or because their time is over. What is still held for them is given
back.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from core import wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import narrowed
from core.foundation.security.caller import Caller
from core.quotes.models import Quote
from core.quotes.queries import get_quote, read_quote
from core.quotes.record import QuoteChannel, QuoteRecord

KEPT = timedelta(days=90)
"""How long a quote can be read after its time."""
SWEEP_BATCH_SIZE = 500


async def cancel_quote(caller: Caller, id: str) -> QuoteRecord:
    """Send nothing by this quote any more; what was sent stays paid as promised, and what is held
    for the rest is given back. Repeated, it changes nothing. Raises NotFound.
    """
    quote = await get_quote(caller, id)
    for item in quote["itens"]:
        caller.require(QuoteChannel(item["canal"]).facts.send)
    at = now()
    async with transaction():
        await _lock_items([id])
        valid = Quote.visible_to(caller).filter(id=id, canceled_at=None)
        if await valid.update(canceled_at=at, updated_at=at):
            await _give_back([id], at=at)
        return await read_quote(caller, id)


async def sweep_quotes(*, at: datetime) -> int:
    """End a batch of quotes whose time is over: give back what is held for them, and delete those
    of 90 days ago. Answers how many there were.
    """
    async with transaction():
        due = column(await db.fetch(*narrowed(DUE, at, SWEEP_BATCH_SIZE)), "id")
        await _lock_items(due)
        released = await _give_back(due, at=at)
    return released + await db.execute(*narrowed(DELETE, at - KEPT, SWEEP_BATCH_SIZE))


async def _lock_items(quote_ids: Sequence[str]) -> None:
    """As sends do: items first, then quotes, then wallets."""
    await db.execute(LOCK_ITEMS, list(quote_ids))


async def _give_back(quote_ids: Sequence[str], *, at: datetime) -> int:
    """Release what is still held for quotes with locked items. Answers for how many."""
    rows = await db.fetch(RELEASE, list(quote_ids), at)
    releases = [
        wallet.release(
            (row["organization_id"], row["env"]),
            row["id"],
            row["held"],
            row["request_id"],
            row["id"],
        )
        for row in rows
    ]
    await wallet.lock_balances({(one.organization_id, one.env) for one in releases})
    await wallet.warn(await wallet.book(releases, at=at), rising=True, at=at)
    return len(rows)


DUE = """
SELECT id FROM quotes WHERE reserved AND released_at IS NULL AND valid_until <= $1 /* whose */
ORDER BY valid_until LIMIT $2
"""

NEXT_END = """
SELECT min(valid_until) FROM quotes
WHERE organization_id = $1 AND env = 'test' AND reserved AND released_at IS NULL
"""
"""When the money that is held for a quote of a sandbox is given back next."""

LOCK_ITEMS = "SELECT FROM quote_items WHERE quote_id = ANY ($1) ORDER BY id FOR UPDATE"

RELEASE = """
WITH still AS MATERIALIZED (
    SELECT q.id FROM quotes q WHERE q.id = ANY ($1) AND q.reserved AND q.released_at IS NULL ORDER BY q.id FOR UPDATE
), held AS (
    SELECT i.quote_id, sum(i.held)::bigint AS held FROM quote_items i WHERE i.quote_id IN (SELECT id FROM still)
    GROUP BY i.quote_id
), emptied AS (
    UPDATE quote_items SET held = 0 WHERE quote_id IN (SELECT id FROM still)
)
UPDATE quotes q SET released_at = $2, updated_at = $2
FROM held h
WHERE q.id = h.quote_id
RETURNING q.id, q.organization_id, q.env, q.request_id, h.held
"""

DELETE = """
WITH old AS MATERIALIZED (
    SELECT id FROM quotes WHERE valid_until < $1 AND (NOT reserved OR released_at IS NOT NULL) /* whose */
    ORDER BY valid_until LIMIT $2 FOR UPDATE SKIP LOCKED
), items AS (
    DELETE FROM quote_items WHERE quote_id IN (SELECT id FROM old)
)
DELETE FROM quotes WHERE id IN (SELECT id FROM old)
"""
