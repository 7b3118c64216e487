"""Reading and listing quotes."""

from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.pages import cursor_after, cut, place_behind
from core.foundation.database.where import Where
from core.foundation.errors import Forbidden
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller
from core.quotes.inputs import QuoteFilter
from core.quotes.record import SCOPES, QuotePage, QuoteRecord, quote_record


async def get_quote(caller: Caller, id: str) -> QuoteRecord:
    """A quote of the caller's organization and environment, on a channel that it may read. Raises
    Forbidden and NotFound.
    """
    return await _read(_readable_by(caller), id)


async def read_quote(caller: Caller, id: str) -> QuoteRecord:
    """A quote of the caller's organization and environment, for whoever made it. Raises NotFound."""
    return await _read(Where.visible_to(caller), id)


async def _read(where: Where, id: str) -> QuoteRecord:
    where.narrow("id = {}", well_formed_id("qte", id))
    return quote_record(existing(await db.fetchrow(f"{SELECT} WHERE {where}", *where.values)))


async def list_quotes(caller: Caller, filter: QuoteFilter) -> QuotePage:
    """A page of quotes, newest first, on the channels that the caller may read. Raises Forbidden."""
    where = _readable_by(caller)
    if filter.valid is not None:
        holds = "(valid_until > {} AND canceled_at IS NULL)"
        where.narrow(holds if filter.valid else f"NOT {holds}", now())
    if filter.cursor is not None:
        where.narrow("(created_at, id) < ({}, {})", *place_behind(filter.cursor))
    limit = cut(filter.limit)
    rows = await db.fetch(
        f"{SELECT} WHERE {where} ORDER BY created_at DESC, id DESC LIMIT {limit + 1}",
        *where.values,
    )
    shown = rows[:limit]
    page: QuotePage = {"items": [quote_record(row) for row in shown]}
    if len(rows) > limit:
        page["nextCursor"] = cursor_after(shown[-1]["created_at"], shown[-1]["id"])
    return page


def readable_channels(caller: Caller) -> list[str]:
    """The channels that the caller reads or sends on. Raises Forbidden where there is none."""
    readable = [
        channel.value
        for channel, scopes in SCOPES.items()
        if caller.scopes & {scopes.read, scopes.send}
    ]
    if not readable:
        raise Forbidden
    return readable


def _readable_by(caller: Caller) -> Where:
    """The caller's quotes on channels that it reads or sends on. Raises Forbidden."""
    readable = readable_channels(caller)
    where = Where.visible_to(caller)
    where.narrow(
        "EXISTS (SELECT FROM quote_items i WHERE i.quote_id = q.id AND i.organization_id = q.organization_id "
        "AND i.channel = ANY ({}::text[]))",
        readable,
    )
    return where


SELECT = """
SELECT q.*, (SELECT jsonb_agg(i ORDER BY i.place) FROM quote_items i
             WHERE i.quote_id = q.id AND i.organization_id = q.organization_id) AS items
FROM quotes q
"""
