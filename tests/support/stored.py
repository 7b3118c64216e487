"""What a refusal must leave behind: nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.foundation.database import db

COUNTS = """
SELECT (SELECT count(*) FROM messages) AS messages,
       (SELECT count(*) FROM sandbox_reports) AS reports,
       (SELECT count(*) FROM wallet_transfers) AS transfers,
       (SELECT coalesce(sum(available), 0)::bigint FROM wallets) AS available,
       (SELECT coalesce(sum(held), 0)::bigint FROM wallets) AS held,
       (SELECT count(*) FROM idempotency_keys) AS keys,
       (SELECT count(*) FROM webhook_events WHERE type NOT LIKE 'wallet.%') AS events,
       (SELECT count(*) FROM webhook_subscriptions) AS subscriptions,
       (SELECT count(*) FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
        WHERE e.type NOT LIKE 'wallet.%') AS deliveries
"""
"""A send that is refused for lack of money may warn of it (wallet.depleted): that event is no trace
of the send.
"""


async def stored() -> dict[str, int]:
    """How much there is of everything that a send or a subscription writes."""
    row = await db.fetchrow(COUNTS)
    assert row is not None
    return dict(row)


@asynccontextmanager
async def nothing_stored() -> AsyncIterator[None]:
    """What happens inside writes nothing, moves no money and tells nobody."""
    before = await stored()
    yield
    assert await stored() == before
