"""The ledger: double-entry transfers, and the balances in the same statement.

A transfer that was booked before (same origin, same kind) moves nothing, so a use case may run twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict, cast

import asyncpg

from core.foundation.database import db
from core.wallet.errors import BalanceChanged
from core.wallet.models import Ledger, TransferKind

Owner = tuple[str, str]
"""Organization id and environment."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Coins from one side to another. `origin` is the message, reply, payment or quote that causes it;
    `quote_id` the quote by which it was priced.
    """

    organization_id: str
    env: str
    origin: str
    kind: TransferKind
    source: Ledger
    target: Ledger
    coins: int
    request_id: str | None = None
    quote_id: str | None = None


@dataclass(frozen=True, slots=True)
class Balance:
    """What is available to an owner, and what its owner was already told of it."""

    available: int
    warn_below: int
    warned_low: bool
    warned_depleted: bool


@dataclass(frozen=True, slots=True)
class TransferMaker:
    """Makes the transfers of one kind, from one ledger to another."""

    kind: TransferKind
    source: Ledger
    target: Ledger

    def __call__(
        self,
        owner: Owner,
        origin: str,
        coins: int,
        request_id: str | None = None,
        quote_id: str | None = None,
    ) -> Transfer:
        """The transfer of coins of an owner; `origin`: what it is for."""
        return Transfer(
            *owner, origin, self.kind, self.source, self.target, coins, request_id, quote_id
        )


hold = TransferMaker(TransferKind.HOLD, Ledger.AVAILABLE, Ledger.HELD)
"""Set coins aside until the provider has answered."""
capture = TransferMaker(TransferKind.CAPTURE, Ledger.HELD, Ledger.REVENUE)
"""Keep what was set aside: the provider accepted."""
release = TransferMaker(TransferKind.RELEASE, Ledger.HELD, Ledger.AVAILABLE)
"""Give back what was set aside."""


def charge_for_reply(owner: Owner, origin: str, *, paid: int, owed: int) -> list[Transfer]:
    """A reply is paid from what is there; the rest is owed."""
    return [
        Transfer(*owner, origin, TransferKind.CAPTURE, Ledger.AVAILABLE, Ledger.REVENUE, paid),
        Transfer(*owner, origin, TransferKind.ADJUSTMENT, Ledger.OWED, Ledger.REVENUE, owed),
    ]


async def lock_balances(owners: set[Owner]) -> dict[Owner, Balance]:
    """Lock the wallets, in one order for all, and read them. An owner without a wallet is absent."""
    pairs = sorted(owners)
    rows = await db.fetch(LOCK, [pair[0] for pair in pairs], [pair[1] for pair in pairs])
    return {(row["organization_id"], row["env"]): _balance(cast(BalanceRow, row)) for row in rows}


async def book(transfers: Sequence[Transfer], *, at: datetime) -> dict[Owner, Balance]:
    """Write transfers down and move the balances; the wallets should be locked. Answers those that
    moved.

    Raises BalanceChanged when one would go below zero: whoever books has looked at the locked
    balance before.
    """
    if not transfers:
        return {}
    columns = db.columns([_row_of(transfer) for transfer in transfers], 8)
    try:
        rows = await db.fetch(BOOK, *columns, at, _quotes_of(transfers))
    except asyncpg.CheckViolationError:
        raise BalanceChanged from None
    return {(row["organization_id"], row["env"]): _balance(cast(BalanceRow, row)) for row in rows}


def _row_of(transfer: Transfer) -> tuple[object, ...]:
    return (
        transfer.organization_id,
        transfer.env,
        transfer.origin,
        transfer.kind.value,
        transfer.source.value,
        transfer.target.value,
        transfer.coins,
        transfer.request_id,
    )


def _quotes_of(transfers: Sequence[Transfer]) -> list[str | None] | None:
    """None where there are none: an array of nulls costs as much as one of texts."""
    quotes = [transfer.quote_id for transfer in transfers]
    return quotes if any(quotes) else None


class BalanceRow(TypedDict):
    """What a wallet has, and what its owner was warned of."""

    available: int
    warn_below: int
    warned_low: bool
    warned_depleted: bool


def _balance(row: BalanceRow) -> Balance:
    return Balance(row["available"], row["warn_below"], row["warned_low"], row["warned_depleted"])


LOCK = """
SELECT w.organization_id, w.env, w.available, w.warn_below, w.warned_low, w.warned_depleted
FROM wallets w
JOIN unnest($1::text[], $2::text[]) AS o (organization_id, env) USING (organization_id, env)
ORDER BY w.id
FOR UPDATE OF w
"""

BOOK = """
WITH booked AS (
    INSERT INTO wallet_transfers (organization_id, env, origin, kind, source, target, coins, request_id, quote_id,
                                  created_at)
    SELECT t.*, $9 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[],
                               $8::text[], $10::text[])
        AS t (organization_id, env, origin, kind, source, target, coins, request_id, quote_id)
    WHERE t.coins > 0
    ON CONFLICT (organization_id, env, origin, kind) DO NOTHING
    RETURNING organization_id, env, source, target, coins
), side AS (
    SELECT organization_id, env, target AS side, coins FROM booked
    UNION ALL SELECT organization_id, env, source, -coins FROM booked
), moved AS (
    SELECT organization_id, env,
           coalesce(sum(coins) FILTER (WHERE side = 'disponivel'), 0)::bigint AS available,
           coalesce(sum(coins) FILTER (WHERE side = 'reservado'), 0)::bigint AS held,
           coalesce(sum(coins) FILTER (WHERE side = 'receita'), 0)::bigint AS revenue,
           coalesce(sum(coins) FILTER (WHERE side = 'estorno'), 0)::bigint AS refund,
           coalesce(-sum(coins) FILTER (WHERE side = 'devido'), 0)::bigint AS owed
    FROM side GROUP BY 1, 2
)
UPDATE wallets w
SET available = w.available + m.available, held = w.held + m.held, revenue = w.revenue + m.revenue,
    refund = w.refund + m.refund, owed = w.owed + m.owed, updated_at = $9
FROM moved m
WHERE w.organization_id = m.organization_id AND w.env = m.env
RETURNING w.organization_id, w.env, w.available, w.warn_below, w.warned_low, w.warned_depleted
"""
