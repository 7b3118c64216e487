"""Prices that are the same for every message: of RCS by route, and of e-mail."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.foundation.bounded_cache import BoundedCache
from core.foundation.database import db
from core.wallet.price_table import EMAIL, RCS
from core.wallet.recent_prices import RecentPrices


@dataclass(frozen=True, slots=True)
class UnitPrices:
    """Coins for one RCS message, by route, and for one e-mail. A route that is absent has no price."""

    rcs: Mapping[str, int]
    email: int


PUBLISHED = UnitPrices(RCS, EMAIL)

ENTRY_BYTES = 700

_recent: RecentPrices[str, UnitPrices] = RecentPrices(
    BoundedCache(max_bytes=2_000_000, weigh=lambda _, known: ENTRY_BYTES + 100 * len(known[0].rcs)),
    organization_of=str,
)


async def recent_unit_prices(organization_ids: Collection[str]) -> dict[str, UnitPrices]:
    """The prices as of these two seconds, by organization; what changed in this process is seen at
    once.
    """
    return await _recent.of(organization_ids, read_unit_prices)


def forget_unit_prices(organization_id: str) -> None:
    """What this process took for the present prices of an organization has changed."""
    _recent.forget(organization_id)


async def read_unit_prices(organization_ids: Collection[str]) -> dict[str, UnitPrices]:
    """The prices that hold now, by organization."""
    rows = await db.fetch(READ, list(organization_ids))
    own = {
        row["organization_id"]: UnitPrices(
            PUBLISHED.rcs if row["rcs"] is None else row["rcs"],
            PUBLISHED.email if row["email"] is None else row["email"],
        )
        for row in rows
    }
    return {id: own.get(id, PUBLISHED) for id in organization_ids}


READ = """
SELECT organization_id, rcs, (other ->> 'email')::bigint AS email FROM price_tables
WHERE organization_id = ANY ($1::text[])
"""
