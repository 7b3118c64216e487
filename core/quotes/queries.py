"""Reading and listing quotes."""

from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.where import Where
from core.foundation.errors import Forbidden
from core.foundation.ids import well_formed_id
from core.foundation.records import WrittenPage, newest_uncounted
from core.foundation.security.caller import Caller
from core.quotes.inputs import QuoteFilter
from core.quotes.record import QUOTE, QUOTE_ITEM, QuoteChannel, QuotePage, QuoteRecord


async def get_quote(caller: Caller, id: str) -> QuoteRecord:
    """A quote of the caller's organization and environment, on a channel that it may read. Raises
    Forbidden and NotFound.
    """
    return await _read(_readable_by(caller), id)


async def read_quote(caller: Caller, id: str) -> QuoteRecord:
    """A quote of the caller's organization and environment, for whoever made it. Raises NotFound."""
    return await _read(Where.visible_to(caller, alias="q"), id)


async def _read(where: Where, id: str) -> QuoteRecord:
    where.narrow("q.id = {}", well_formed_id("qte", id))
    found = existing(await db.fetchrow(f"{ONE} WHERE {where}", *where.values))
    return QUOTE.make(found, unmasked=True)


async def list_quotes(caller: Caller, filter: QuoteFilter) -> WrittenPage[QuotePage]:
    """A page of quotes, newest first, on the channels that the caller may read. Raises Forbidden."""
    where = _readable_by(caller)
    if filter.valid is not None:
        holds = "(q.valid_until > {} AND q.canceled_at IS NULL)"
        where.narrow(holds if filter.valid else f"NOT {holds}", now())
    return await newest_uncounted(caller, QUOTE, "quotes", where, filter, select=SELECT, alias="q")


def readable_channels(caller: Caller) -> list[str]:
    """The channels that the caller reads or sends on. Raises Forbidden where there is none."""
    readable = [
        channel.value
        for channel in QuoteChannel
        if caller.scopes & {channel.facts.read, channel.facts.send}
    ]
    if not readable:
        raise Forbidden
    return readable


def _readable_by(caller: Caller) -> Where:
    """The caller's quotes on channels that it reads or sends on. Raises Forbidden."""
    readable = readable_channels(caller)
    where = Where.visible_to(caller, alias="q")
    where.narrow(
        "EXISTS (SELECT FROM quote_items i WHERE i.quote_id = q.id AND i.organization_id = q.organization_id "
        "AND i.channel = ANY ({}::text[]))",
        readable,
    )
    return where


def _select(items: str) -> str:
    return f"""
SELECT q.id, q.coins, q.valid_until, q.reserved, q.canceled_at, q.created_at, {items} AS items, i.remaining, i.held
FROM quotes q CROSS JOIN LATERAL (
    SELECT concat('[', string_agg({QUOTE_ITEM.open_json.text} || '}}', ',' ORDER BY place), ']') AS items,
           sum(remaining)::bigint AS remaining, sum(held)::bigint AS held
    FROM quote_items WHERE quote_id = q.id AND organization_id = q.organization_id) AS i"""


SELECT = _select("i.items")
ONE = _select("i.items::jsonb")
