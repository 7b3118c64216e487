"""The rate of a route for an organization: its price table and its volume of the month."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any

from core.foundation.absent import without_none
from core.foundation.bounded_cache import BoundedCache
from core.foundation.database import db
from core.wallet.price_table import (
    CONVERSATION_TEMPLATE,
    PUSH,
    SMS,
    SMS_REPLY,
    Band,
    bands_of,
    price_of_segments,
)
from core.wallet.recent_prices import RecentPrices

RouteOf = tuple[str, str]
"""Organization id and route."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The bands of a route and the live segments already accepted this month."""

    bands: tuple[Band, ...]
    accepted: int

    def price(self, segments: int) -> int:
        """Coins for this many more segments."""
        return price_of_segments(self.bands, accepted=self.accepted, segments=segments)

    def steps(self, segments: int) -> list[tuple[int, int]]:
        """So many more segments, by price: how many, and the coins of each, in their order."""
        steps, first, last = [], self.accepted, self.accepted + segments
        for place, band in enumerate(self.bands, 1):
            end = self.bands[place].from_segment - 1 if place < len(self.bands) else last
            if first < end:
                if last <= end:  # asked of every send: most end here
                    steps.append((last - first, band.coins))
                    break
                steps.append((end - first, band.coins))
                first = end
        return steps


def month_of(at: datetime) -> str:
    """The accounting month, in UTC: `2026-11`."""
    return at.strftime("%Y-%m")


async def read_rates(
    routes: Iterable[RouteOf], *, at: datetime, lock: bool = False
) -> dict[RouteOf, Rate]:
    """The rates of these routes, in one query; with `lock`, held until the transaction ends.

    A route without a table price is absent.
    """
    pairs = sorted(set(routes))
    organizations, names = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    if lock:
        await db.execute(OPEN, organizations, names, month_of(at))
        await db.execute(LOCK, organizations, names, month_of(at))
    rows = await db.fetch(READ, organizations, names, month_of(at))
    found = {
        (row["organization_id"], row["route"]): rate_of(row["route"], row["accepted"], row["own"])
        for row in rows
    }
    return without_none(found)


def rate_of(route: str, accepted: int, own: Mapping[str, Any] | None) -> Rate | None:
    """The rate of a route by the published table, or by the organization's `own` one; None without
    a price.
    """
    bands = SMS.get(route) if own is None else bands_of(own.get(route, ()))
    return Rate(bands, accepted) if bands else None


ENTRY_BYTES, BAND_BYTES = 700, 200

RateOf = tuple[str, str, str]
"""Organization id, route and month."""


def _weigh(_: tuple[str, RateOf], known: tuple[Rate | None, float]) -> int:
    rate, _until = known
    return ENTRY_BYTES + BAND_BYTES * (0 if rate is None else len(rate.bands))


_recent: RecentPrices[RateOf, Rate | None] = RecentPrices(
    BoundedCache(max_bytes=4_000_000, weigh=_weigh), organization_of=itemgetter(0)
)


async def recent_rates(routes: set[RouteOf], *, at: datetime) -> dict[RouteOf, Rate]:
    """The rates of these routes as of these two seconds; what changed in this process is seen at
    once.
    """
    month = month_of(at)

    async def read(keys: Collection[RateOf]) -> dict[RateOf, Rate | None]:
        found = await read_rates({(id, route) for id, route, _ in keys}, at=at)
        return {key: found.get(key[:2]) for key in keys if key[2] == month}

    rates = await _recent.of([(*route, month) for route in routes], read)
    return {key[:2]: rate for key, rate in rates.items() if rate is not None}


def forget_rates(organization_id: str) -> None:
    """What this process took for the present rates of an organization has changed."""
    _recent.forget(organization_id)


async def reply_price(organization_id: str) -> int:
    """Coins for one reply (MO)."""
    own = await db.fetchval(
        "SELECT (other ->> 'smsReply')::bigint FROM price_tables WHERE organization_id = $1",
        organization_id,
    )
    return SMS_REPLY if own is None else int(own)


async def push_price(organization_id: str, kind: str) -> int:
    """Coins for a notification of this kind on one device."""
    own = await db.fetchval(
        "SELECT (push ->> $2::text)::bigint FROM price_tables WHERE organization_id = $1",
        organization_id,
        kind,
    )
    return PUSH[kind] if own is None else int(own)


async def conversation_price(organization_id: str) -> int:
    """Coins for one template outside the service window."""
    own = await db.fetchval(
        "SELECT (other ->> 'conversationTemplate')::bigint FROM price_tables WHERE "
        "organization_id = $1",
        organization_id,
    )
    return CONVERSATION_TEMPLATE if own is None else int(own)


async def add_volume(segments: dict[RouteOf, int], *, at: datetime) -> None:
    """Count accepted live segments; the rows must be locked by `read_rates`."""
    for organization_id, _ in segments:
        forget_rates(organization_id)
    await db.execute(
        """
        UPDATE sms_volumes v SET accepted = v.accepted + s.segments
        FROM unnest($1::text[], $2::text[], $3::bigint[]) AS s (organization_id, route, segments)
        WHERE v.organization_id = s.organization_id AND v.env = 'live' AND v.route = s.route AND v.month = $4
        """,
        [organization_id for organization_id, _ in segments],
        [route for _, route in segments],
        list(segments.values()),
        month_of(at),
    )


OPEN = """
INSERT INTO sms_volumes (organization_id, env, month, route, accepted)
SELECT r.organization_id, 'live', $3, r.route, 0 FROM unnest($1::text[], $2::text[]) AS r (organization_id, route)
ORDER BY 1, 4
ON CONFLICT (organization_id, env, month, route) DO NOTHING
"""

LOCK = """
SELECT FROM sms_volumes v
JOIN unnest($1::text[], $2::text[]) AS r (organization_id, route) USING (organization_id, route)
WHERE v.env = 'live' AND v.month = $3
ORDER BY v.organization_id, v.route
FOR UPDATE OF v
"""

READ = """
SELECT r.organization_id, r.route, coalesce(v.accepted, 0) AS accepted,
       t.organization_id IS NOT NULL AS has_own, t.sms AS own
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS r (organization_id, route, place)
LEFT JOIN sms_volumes v
  ON v.organization_id = r.organization_id AND v.env = 'live' AND v.month = $3 AND v.route = r.route
LEFT JOIN price_tables t ON t.organization_id = r.organization_id
ORDER BY r.place
"""
