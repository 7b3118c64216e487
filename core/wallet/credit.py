"""Opening wallets and putting money in or taking it back, from the shell."""

from datetime import datetime

from core.foundation import db
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.transactions import transaction
from core.wallet.errors import BelowZero, NoWallet
from core.wallet.models import Ledger, TransferKind

SANDBOX_START = 10_000_000
"""Coins of a new sandbox wallet; a live one starts with nothing."""


async def open_wallets(organization_id: str, *, at: datetime) -> None:
    """Give an organization its two wallets, the sandbox one with enough to try everything."""
    await db.execute(
        """
        INSERT INTO wallets (organization_id, env, available, held, revenue, refund, warn_below, updated_at)
        SELECT $1, e, 0, 0, 0, 0, 100000, $2 FROM unnest(ARRAY['live', 'test']) AS e
        """,
        organization_id,
        at,
    )
    await credit(organization_id, "test", SANDBOX_START)


async def credit(organization_id: str, env: str, coins: int) -> int:
    """Add coins, or take some back with a negative amount. Answers the new available balance.

    Raises NoWallet, or BelowZero when more would be taken than there is.
    """
    at = now()
    source, target = (Ledger.OUTSIDE, Ledger.AVAILABLE) if coins > 0 else (Ledger.AVAILABLE, Ledger.OUTSIDE)
    kind = TransferKind.CREDIT if coins > 0 else TransferKind.ADJUSTMENT
    async with transaction():
        balance: int | None = await db.fetchval(
            "SELECT available FROM wallets WHERE organization_id = $1 AND env = $2 FOR UPDATE",
            organization_id,
            env,
        )
        if balance is None:
            raise NoWallet
        if balance + coins < 0:
            raise BelowZero
        if coins:
            await db.execute(
                "UPDATE wallets SET available = available + $3, updated_at = $4 "
                "WHERE organization_id = $1 AND env = $2",
                organization_id,
                env,
                coins,
                at,
            )
            await db.execute(
                "INSERT INTO wallet_transfers "
                "(organization_id, env, origin, kind, source, target, coins, created_at) "
                "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                organization_id,
                env,
                new_id("trf"),
                kind.value,
                source.value,
                target.value,
                abs(coins),
                at,
            )
    return balance + coins
