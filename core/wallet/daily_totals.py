"""Daily totals of the ledger: a proof adds these and the movements since, not all of its history.

Whoever books has locked the balances before, so the movements of a wallet are committed in the
order of their ids: who sees one sees all before it. Days are summed up to an id, and stay when
their movements go.
"""

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.wallet.ledger import Owner
from core.wallet.models import WalletSum

SUM_BATCH_SIZE = 20_000
"""Movements that are added in one transaction, at most."""


async def sum_days() -> int:
    """Add the movements that are behind to the sums of their days. Answers how many there were."""
    added = 0
    for row in await db.fetch(BEHIND):
        while some := await _add_some((row["organization_id"], row["env"])):
            added += some
    return added


async def _add_some(owner: Owner) -> int:
    async with transaction():
        await db.execute(BEGIN, *owner)
        organization_id, env = owner
        summed = WalletSum.filter(organization_id=organization_id, env=env)
        # Another worker that is at it does the same.
        held = await summed.select_for_update(skip_locked=True).get_or_none()
        return 0 if held is None else await db.fetchval(ADD, *owner, held.until_id) or 0


BEHIND = """
SELECT w.organization_id, w.env
FROM wallets w
LEFT JOIN wallet_sums s ON s.organization_id = w.organization_id AND s.env = w.env
WHERE EXISTS (
    SELECT FROM wallet_transfers t
    WHERE t.organization_id = w.organization_id AND t.env = w.env AND t.id > coalesce(s.until_id, 0))
"""

BEGIN = """
INSERT INTO wallet_sums (organization_id, env, until_id) VALUES ($1, $2, 0)
ON CONFLICT (organization_id, env) DO NOTHING
"""

ADD = f"""
WITH slice AS MATERIALIZED (
    SELECT id, source, target, coins, (created_at AT TIME ZONE 'UTC')::date AS day FROM wallet_transfers
    WHERE organization_id = $1 AND env = $2 AND id > $3 ORDER BY id LIMIT {SUM_BATCH_SIZE}
), added AS (
    INSERT INTO wallet_days AS d (organization_id, env, day, side, came, went)
    SELECT $1, $2, day, side, sum(came), sum(went) FROM (
        SELECT day, target AS side, coins AS came, 0 AS went FROM slice
        UNION ALL SELECT day, source, 0, coins FROM slice) AS moved
    GROUP BY day, side
    ON CONFLICT (organization_id, env, day, side) DO UPDATE
    SET came = d.came + excluded.came, went = d.went + excluded.went
)
UPDATE wallet_sums SET until_id = (SELECT max(id) FROM slice)
WHERE organization_id = $1 AND env = $2 AND EXISTS (SELECT FROM slice)
RETURNING (SELECT count(*) FROM slice)
"""
