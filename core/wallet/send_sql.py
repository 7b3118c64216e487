"""What a send does to wallets, as parts of the statement that accepts it: lock, hold, capture.

Each part reads a named query of the same statement. Money moves by two-sided transfers, as in
`ledger.py`; wallets are locked in one order.
"""

from core.foundation.database import db
from core.foundation.database.rows import column


def locked_sql(owners: str) -> str:
    """The balances of the wallets that `owners` selects (organization_id, env), locked."""
    return f"""
    SELECT w.organization_id, w.env, w.available, w.held, w.revenue, w.warn_below, w.warned_low, w.warned_depleted
    FROM wallets w WHERE (w.organization_id, w.env) IN ({owners})
    ORDER BY w.id FOR UPDATE"""


async def transfer_numbers(sends: int) -> list[int] | None:
    """The numbers of the transfers of so many sends, where a statement cannot draw them itself:
    where it runs whole on another machine. Those of one wallet come from one sequence, or its
    statement would be in disorder.
    """
    if not db.is_distributed():
        return None
    return column(await db.fetch(NUMBERS, 2 * sends), "id")


NUMBERS = "SELECT nextval('wallet_transfers_id_seq') AS id FROM generate_series(1, $1::int)"


def booked_sql(paid: str, *, at: str, quoted: bool = False, numbers: str | None = None) -> str:
    """The transfers of the sends that the query `paid` names: id, organization_id, env, price,
    captured, request_id.

    `quoted`: it names their quote_id too, and which are `prepaid`: their price is taken from what
    is held for the quote, and held for them from then on. `numbers`: the parameter that holds the
    ids of the transfers, where they have no default.
    """
    id, number = ("id, ", f"({numbers}::bigint[])[row_number() OVER ()], ") if numbers else ("", "")
    quote, of_quote = (", quote_id", ", t.quote_id") if quoted else ("", "")
    source = (
        "CASE WHEN k.always AND t.prepaid THEN 'reservado' ELSE k.source END"
        if quoted
        else "k.source"
    )
    return f"""
    INSERT INTO wallet_transfers ({id}organization_id, env, origin, kind, source, target, coins, request_id, created_at{quote})
    SELECT {number}t.organization_id, t.env, t.id, k.kind, {source}, k.target, t.price, t.request_id, {at}{of_quote}
    FROM {paid} t
    JOIN (VALUES ('reserva', 'disponivel', 'reservado', true), ('captura', 'reservado', 'receita', false))
        AS k (kind, source, target, always) ON k.always OR t.captured
    WHERE t.price > 0"""


def moved_sql(paid: str, locked: str, *, at: str, quoted: bool = False) -> str:
    """The balances after these sends, from the values that were locked: those of the statement's
    snapshot may be older, and PostgreSQL checks a row against its constraints before it finds that
    out. A send would fail although money has just been given back.
    """
    taken = "coalesce(sum(price) FILTER (WHERE NOT prepaid), 0)" if quoted else "sum(price)"
    return f"""
    UPDATE wallets w
    SET available = u.available - s.taken, held = u.held + s.taken - s.captured, revenue = u.revenue + s.captured,
        updated_at = {at}
    FROM (SELECT organization_id, env, {taken}::bigint AS taken,
                 coalesce(sum(price) FILTER (WHERE captured), 0)::bigint AS captured
          FROM {paid} WHERE price > 0 GROUP BY 1, 2) AS s
    JOIN {locked} u USING (organization_id, env)
    WHERE w.organization_id = s.organization_id AND w.env = s.env
    RETURNING w.organization_id, w.env, w.available"""
