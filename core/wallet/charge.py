"""Taking money for messages, many at once, inside the transaction that records them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation import db
from core.wallet.errors import BalanceChanged

Owner = tuple[str, str]
"""Organization id and environment."""


@dataclass(frozen=True, slots=True)
class Charge:
    """What one message costs. `origin` is its id: a (origin, kind) is booked once, however often it is tried."""

    organization_id: str
    env: str
    origin: str
    coins: int
    request_id: str | None


async def lock_balances(owners: Iterable[Owner]) -> dict[Owner, int]:
    """Lock the wallets in one order for all, and answer the available coins of each."""
    pairs = sorted(set(owners))
    rows = await db.fetch(LOCK, [pair[0] for pair in pairs], [pair[1] for pair in pairs])
    return {(row["organization_id"], row["env"]): row["available"] for row in rows}


async def hold_and_capture(charges: Sequence[Charge], *, at: datetime) -> None:
    """Book hold and capture together, for a provider that answered before the transaction ended.

    The wallets must be locked. Raises BalanceChanged when one of them does not cover its sum.
    """
    if not charges:
        return
    wallets = len({(charge.organization_id, charge.env) for charge in charges})
    paid = await db.fetchval(
        HOLD_AND_CAPTURE,
        [charge.organization_id for charge in charges],
        [charge.env for charge in charges],
        [charge.origin for charge in charges],
        [charge.coins for charge in charges],
        [charge.request_id for charge in charges],
        at,
    )
    if paid != wallets:
        raise BalanceChanged


LOCK = """
SELECT w.organization_id, w.env, w.available
FROM wallets w
JOIN unnest($1::text[], $2::text[]) AS o (organization_id, env) USING (organization_id, env)
ORDER BY w.id
FOR UPDATE OF w
"""

HOLD_AND_CAPTURE = """
WITH charge AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
        AS c (organization_id, env, origin, coins, request_id)
), paid AS (
    UPDATE wallets w
    SET available = w.available - s.coins, revenue = w.revenue + s.coins, updated_at = $6
    FROM (SELECT organization_id, env, sum(coins)::bigint AS coins FROM charge GROUP BY 1, 2) AS s
    WHERE w.organization_id = s.organization_id AND w.env = s.env AND w.available >= s.coins
    RETURNING w.id
), booked AS (
    INSERT INTO wallet_transfers
        (organization_id, env, origin, kind, source, target, coins, request_id, created_at)
    SELECT c.organization_id, c.env, c.origin, k.kind, k.source, k.target, c.coins, c.request_id, $6
    FROM charge c
    CROSS JOIN (VALUES ('reserva', 'disponivel', 'reservado'), ('captura', 'reservado', 'receita'))
        AS k (kind, source, target)
    WHERE c.coins > 0
)
SELECT count(*) FROM paid
"""
