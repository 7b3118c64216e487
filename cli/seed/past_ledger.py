"""Movements of the past: booked two-sided like any other, each at its own time, many in one go.

What a chunk costs is paid in before it, in round sums, so that no balance was ever below zero and
the money that is there today is not touched.
"""

from collections import Counter
from datetime import datetime
from operator import itemgetter

from cli.seed.copy_text import joined
from core import wallet
from core.foundation.database import db
from core.wallet import Ledger, TransferKind

ROUND_COINS = 100_000
"""A payment is a multiple of it: R$ 10."""

COLUMNS = ("organization_id", "env", "origin", "kind", "source", "target", "coins", "created_at")
SIDES = {
    Ledger.AVAILABLE: "available", Ledger.HELD: "held", Ledger.REVENUE: "revenue", Ledger.REFUND: "refund"
}  # fmt: skip


class PastLedger:
    """The movements of one chunk, to be written once they are all there."""

    def __init__(self, owner: wallet.Owner) -> None:
        self._owner = owner
        self._sums = Counter[Ledger]()
        # Texts and no objects: collecting the garbage of so many would take longer than making
        # them.
        self._lines: list[tuple[datetime, str]] = []

    def book(self, at: datetime, transfer: wallet.Transfer) -> None:
        """A movement and when it happened; one of nothing is left out."""
        if transfer.coins:
            self._sums[transfer.target] += transfer.coins
            self._sums[transfer.source] -= transfer.coins
            self._lines.append((at, self._line(at, transfer)))

    def closed(self, origin: str) -> "ClosedLedger":
        """The whole as it is written: in order of time, behind the payment that covers it."""
        self._lines.sort(key=itemgetter(0))
        begin = []
        spent = -self._sums[Ledger.AVAILABLE]
        if spent > 0:
            coins = -(-spent // ROUND_COINS) * ROUND_COINS
            paid = wallet.Transfer(
                *self._owner, origin, TransferKind.CREDIT, Ledger.OUTSIDE, Ledger.AVAILABLE, coins
            )
            begin.append(self._line(self._lines[0][0], paid))
            self._sums[Ledger.AVAILABLE] += coins
        return ClosedLedger(
            self._owner, joined([*begin, *(line for _, line in self._lines)]), self._sums
        )

    def _line(self, at: datetime, transfer: wallet.Transfer) -> str:
        sides = (transfer.kind, transfer.source, transfer.target)
        return "\t".join(
            (*self._owner, transfer.origin, *sides, str(transfer.coins), at.isoformat())
        )


class ClosedLedger:
    """Movements that are ready to be written."""

    def __init__(self, owner: wallet.Owner, lines: bytes, sums: Counter[Ledger]) -> None:
        self._owner = owner
        self._lines = lines
        self._sums = sums

    async def write(self, *, at: datetime) -> None:
        """Write them down and move the balances, in the transaction of their cause. Raises
        NoWallet.
        """
        if not self._sums:
            return
        await wallet.lock_balances({self._owner})
        await db.copy_in("wallet_transfers", COLUMNS, self._lines)
        moved = ", ".join(
            f"{column} = {column} + ${place}" for place, column in enumerate(SIDES.values(), 4)
        )
        found = await db.execute(
            f"UPDATE wallets SET updated_at = $3, {moved} WHERE organization_id = $1 AND env = $2",
            *self._owner,
            at,
            *(self._sums[side] for side in SIDES),
        )
        if not found:
            raise wallet.NoWallet
        await wallet.warn(await wallet.lock_balances({self._owner}), rising=True, at=at)
