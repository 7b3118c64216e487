"""Opening wallets, and crediting or debiting them."""

from datetime import datetime
from typing import TypedDict, cast, get_args

from core import audit
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import is_id, new_id
from core.foundation.security.caller import Caller, Env, Scope, system_caller
from core.wallet.errors import BelowZero, NoWallet, WrongAmount
from core.wallet.inputs import WalletChanges
from core.wallet.ledger import Transfer, book
from core.wallet.low_balance import warn
from core.wallet.models import Ledger, TransferKind, Wallet
from core.wallet.record import BalanceRecord
from core.wallet.statement import get_wallet

SANDBOX_START = 10_000_000
"""Coins of a new sandbox wallet, and what it is topped up to; a live one starts with nothing."""


async def open_wallets(organization_id: str, *, at: datetime) -> None:
    """Give an organization its two wallets, the sandbox one with enough to try everything."""
    async with transaction():
        await db.execute(
            "INSERT INTO wallets (organization_id, env, available, held, revenue, refund, "
            "warn_below, updated_at) "
            "SELECT $1, e, 0, 0, 0, 0, 100000, $2 FROM unnest(ARRAY['live', 'test']) AS e",
            organization_id,
            at,
        )
        await move(organization_id, "test", SANDBOX_START, at=at)


async def credit(organization_id: str, env: str, coins: int) -> int:
    """Add coins, more than none. Answers the new available balance.

    What is owed is paid first. Raises NoWallet, or WrongAmount.
    """
    _refuse_signs(coins)
    at = now()
    async with transaction():
        balance = await move(organization_id, env, coins, at=at)
        facts = {"coins": coins, "balanceCoins": balance}
        await audit.write_entry(
            _service(organization_id, env), "wallet.credited", organization_id, facts, at=at
        )
    return balance


async def debit(organization_id: str, env: str, coins: int) -> int:
    """Take coins back as an adjustment, more than none. Answers the new available balance.

    Raises NoWallet, WrongAmount, or BelowZero when more would be taken than there is.
    """
    _refuse_signs(coins)
    at = now()
    async with transaction():
        balance = await move(organization_id, env, -coins, at=at)
        facts = {"coins": coins, "balanceCoins": balance}
        await audit.write_entry(
            _service(organization_id, env), "wallet.debited", organization_id, facts, at=at
        )
    return balance


def _refuse_signs(coins: int) -> None:
    if coins <= 0:
        raise WrongAmount


async def move(
    organization_id: str, env: str, coins: int, *, origin: str | None = None, at: datetime
) -> int:
    """The movement alone, in the transaction around: what fills a sandbox is nothing that somebody
    asks about. `origin`: what it comes from, which happens once.
    """
    wallet = existing(await _locked(organization_id, env), NoWallet)
    if wallet.available + coins < 0:
        raise BelowZero
    origin = origin or new_id("trf")
    owner = (organization_id, env)
    if coins > 0:
        repaid = min(coins, wallet.owed)
        transfers = [
            Transfer(*owner, origin, TransferKind.CREDIT, Ledger.OUTSIDE, Ledger.AVAILABLE, coins),
            Transfer(
                *owner, origin, TransferKind.ADJUSTMENT, Ledger.AVAILABLE, Ledger.OWED, repaid
            ),
        ]
    else:
        transfers = [
            Transfer(
                *owner, origin, TransferKind.ADJUSTMENT, Ledger.AVAILABLE, Ledger.OUTSIDE, -coins
            )
        ]
    balances = await book(transfers, at=at)
    await warn(balances, rising=coins > 0, at=at)
    return balances[owner].available if balances else wallet.available


async def credit_sandbox(caller: Caller) -> int:
    """Fill the caller's sandbox wallet up again. Answers the balance. Raises NotFound for a live
    key.
    """
    caller.require(Scope.WALLET_READ)
    if caller.env != "test":
        raise NotFound
    async with transaction():
        wallet = existing(await _locked(caller.organization_id, "test"), NoWallet)
        missing = SANDBOX_START - wallet.available + wallet.owed
        return await move(caller.organization_id, "test", max(0, missing), at=now())


async def refill_sandbox(organization_id: str, *, at: datetime) -> None:
    """Release all that is held in a sandbox, and fill its wallet up again: what it was held for is
    gone. Without a wallet there is nothing to do.
    """
    async with transaction():
        wallet = await _locked(organization_id, "test")
        if wallet is None:
            return
        owner, origin = (organization_id, "test"), new_id("trf")
        await book(
            [
                Transfer(
                    *owner, origin, TransferKind.RELEASE, Ledger.HELD, Ledger.AVAILABLE, wallet.held
                )
            ],
            at=at,
        )
        missing = SANDBOX_START - wallet.available - wallet.held + wallet.owed
        await move(organization_id, "test", max(0, missing), at=at)


async def top_up_sandboxes(*, at: datetime) -> int:
    """Fill every sandbox wallet up to its start; what is owed is paid first. Answers how many were
    below it.

    The origin names the day: running twice on one day adds nothing.
    """
    async with transaction():
        rows = await db.fetch(
            "SELECT organization_id, available, owed FROM wallets WHERE env = 'test' AND "
            "available - owed < $1 "
            "ORDER BY id FOR UPDATE",
            SANDBOX_START,
        )
        balances = await book(
            [transfer for row in rows for transfer in _top_up(cast(SandboxWalletRow, row), at)],
            at=at,
        )
        await warn(balances, rising=True, at=at)
    return len(balances)


class SandboxWalletRow(TypedDict):
    """A wallet of a sandbox with less than it starts with."""

    organization_id: str
    available: int
    owed: int


def _top_up(row: SandboxWalletRow, at: datetime) -> list[Transfer]:
    owner, origin = (row["organization_id"], "test"), f"topup_{at:%Y-%m-%d}"
    coins = SANDBOX_START - row["available"] + row["owed"]
    return [
        Transfer(*owner, origin, TransferKind.CREDIT, Ledger.OUTSIDE, Ledger.AVAILABLE, coins),
        Transfer(
            *owner, origin, TransferKind.ADJUSTMENT, Ledger.AVAILABLE, Ledger.OWED, row["owed"]
        ),
    ]


async def warn_below(organization_id: str, env: str, coins: int) -> None:
    """Set the balance under which wallet.low_balance is published. Raises NoWallet."""
    await _warn_below(_service(organization_id, env), coins)


async def change_wallet(caller: Caller, changes: WalletChanges) -> BalanceRecord:
    """Set the balance under which the organization is warned, in the environment of the session.
    Answers the balances. Raises NoWallet.
    """
    caller.require(Scope.ACCOUNTS_MANAGE)
    await _warn_below(caller, changes.limite_aviso_coins)
    return await get_wallet(caller)


async def _warn_below(caller: Caller, coins: int) -> None:
    async with transaction():
        wallet = Wallet.filter(organization_id=caller.organization_id, env=caller.env)
        if not await wallet.update(warn_below=coins):
            raise NoWallet
        facts = {"coins": coins}
        await audit.write_entry(
            caller, "wallet.threshold_set", caller.organization_id, facts, at=now()
        )


async def _locked(organization_id: str, env: str) -> Wallet | None:
    """A wallet, held until the transaction ends; None also where these name none at all."""
    if not is_id("org", organization_id) or env not in get_args(Env):
        return None
    own = Wallet.filter(organization_id=organization_id, env=env)
    return await own.select_for_update().get_or_none()


def _service(organization_id: str, env: str) -> Caller:
    return system_caller(organization_id, cast(Env, env))
