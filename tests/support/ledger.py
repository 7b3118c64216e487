"""Balances and the movements behind them, inside the transaction of a test."""

from core.foundation.database import db
from core.wallet import Owner

BALANCES = """
SELECT organization_id, env, available AS disponivel, held AS reservado, revenue AS receita, refund AS estorno,
       -owed AS devido FROM wallets
"""
SUMS = """
SELECT organization_id, env, side, sum(coins)::bigint AS coins FROM (
    SELECT organization_id, env, target AS side, coins FROM wallet_transfers
    UNION ALL SELECT organization_id, env, source, -coins FROM wallet_transfers) AS s
GROUP BY 1, 2, 3
"""


async def balances(owner: Owner) -> dict[str, int]:
    """What each side holds; what is owed is negative."""
    row = await db.fetchrow(f"{BALANCES} WHERE organization_id = $1 AND env = $2", *owner)
    assert row is not None
    return {name: value for name, value in row.items() if name not in ("organization_id", "env")}


async def check_books() -> None:
    """Every balance is the sum of the movements into it less those out of it."""
    sums = {
        (row["organization_id"], row["env"], row["side"]): row["coins"]
        for row in await db.fetch(SUMS)
    }
    for wallet in await db.fetch(BALANCES):
        for side in ("disponivel", "reservado", "receita", "estorno", "devido"):
            assert wallet[side] == sums.get((wallet["organization_id"], wallet["env"], side), 0), (
                side
            )
    assert sum(sums.values()) == 0  # what goes out somewhere comes in elsewhere
