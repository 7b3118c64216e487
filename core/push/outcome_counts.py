"""The outcomes of deliveries, counted on their dispatch and settled with the wallet."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from core import wallet
from core.foundation.channels import AnyChannel
from core.foundation.database import db
from core.foundation.database.transactions import after_commit
from core.messaging import count_moved
from core.push.announce import announce

COUNTED_AS = AnyChannel.PUSH.value
"""The label `channel` of metrics: dispatches and devices are no messages, and so of no `Channel`.
"""


@dataclass(slots=True)
class OutcomeCounts:
    """Rows of one dispatch that have just become final. `first_row` is the lowest of their ids: a
    row becomes final once, so no other counts have it, and it names the movements of money.
    """

    dispatch_id: str
    first_row: int
    delivered: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    dropped: int = 0
    opted_out: int = 0

    def add(self, status: str, platform: str, rows: int, first_row: int) -> None:
        """Count some more."""
        self.first_row = min(self.first_row, first_row)
        if status == "dropped":
            self.dropped += rows
        else:
            counted = self.delivered if status == "delivered" else self.failed
            counted[platform] = counted.get(platform, 0) + rows

    @property
    def accepted(self) -> int:
        """How many a push service took."""
        return sum(self.delivered.values())

    @property
    def rejected(self) -> int:
        """How many failed."""
        return sum(self.failed.values())

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.accepted + self.rejected + self.dropped


def counts_of(rows: Iterable[db.Row]) -> list[OutcomeCounts]:
    """From rows of `dispatch_id, status, platform, rows, first_row, opted_out`, in the order in
    which all lock.
    """
    found: dict[str, OutcomeCounts] = {}
    for row in rows:
        id = row["dispatch_id"]
        counts = found.setdefault(id, OutcomeCounts(id, row["first_row"]))
        counts.add(row["status"], row["platform"], row["rows"], row["first_row"])
        counts.opted_out += row["opted_out"]
    return sorted(found.values(), key=lambda counts: counts.dispatch_id)


async def count(outcomes: Iterable[OutcomeCounts], *, at: datetime) -> None:
    """Count them, move the money, and end each dispatch whose last rows these were."""
    transfers: list[wallet.Transfer] = []
    changed: list[tuple[str, str, str]] = []
    for counts in outcomes:
        row = await _add(counts, at=at)
        if row is None:
            continue
        transfers += _transfers(counts, row)
        changed.append((row["organization_id"], row["env"], counts.dispatch_id))
        await after_commit(partial(_count_devices, row["env"], counts.accepted, counts.rejected))
    moving = [transfer for transfer in transfers if transfer.coins]
    if moving:
        await wallet.lock_balances(
            {(transfer.organization_id, transfer.env) for transfer in moving}
        )
        await wallet.book(moving, at=at)
    for one in changed:
        await announce(*one)


async def _add(counts: OutcomeCounts, *, at: datetime) -> db.Row | None:
    """Add to the counts of the dispatch. None where it is gone."""
    return await db.fetchrow(
        COUNT,
        counts.dispatch_id,
        counts.rows,
        *(counts.delivered.get(platform, 0) for platform in PLATFORMS),
        *(counts.failed.get(platform, 0) for platform in PLATFORMS),
        counts.accepted,
        counts.opted_out,
        at,
    )


def _transfers(counts: OutcomeCounts, row: db.Row) -> list[wallet.Transfer]:
    owner, unit = (row["organization_id"], row["env"]), row["unit_coins"]
    origin = f"{counts.dispatch_id}:{counts.first_row}"
    not_accepted = counts.rows - counts.accepted
    return [
        wallet.capture(owner, origin, counts.accepted * unit, row["request_id"], row["quote_id"]),
        wallet.release(owner, origin, not_accepted * unit, row["request_id"], row["quote_id"]),
    ]


async def _count_devices(env: str, accepted: int, failed: int) -> None:
    count_moved(COUNTED_AS, env, "delivered", accepted)
    count_moved(COUNTED_AS, env, "failed", failed)


PLATFORMS = ("ios", "android", "web")

# Sent while something is open and something was accepted; no acceptance at all is a failure.
COUNT = """
UPDATE push_dispatches p SET
    open_count = p.open_count - $2,
    delivered_ios = p.delivered_ios + $3, delivered_android = p.delivered_android + $4,
    delivered_web = p.delivered_web + $5,
    failed_ios = p.failed_ios + $6, failed_android = p.failed_android + $7, failed_web = p.failed_web + $8,
    captured_coins = p.captured_coins + p.unit_coins * $9::int,
    released_coins = p.released_coins + p.unit_coins * ($2 - $9::int),
    opted_out = p.opted_out + $10,
    status = CASE
        WHEN p.status = 'canceled' THEN p.status
        WHEN p.open_count = $2 AND p.delivered_ios + p.delivered_android + p.delivered_web + $9 > 0 THEN 'sent'
        WHEN p.open_count = $2 THEN 'failed'
        WHEN $9 > 0 THEN 'sending'
        ELSE p.status END,
    completed_at = CASE WHEN p.open_count = $2 THEN coalesce(p.completed_at, $11) ELSE p.completed_at END,
    updated_at = $11
WHERE p.id = $1
RETURNING p.organization_id, p.env, p.unit_coins, p.request_id, p.quote_id
"""
