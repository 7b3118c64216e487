"""The statement of a wallet: balances, movements, and the proof that they agree."""

from datetime import date
from typing import Annotated

from pydantic import Field

from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.pages import UnreadableCursor, cut, read_cursor
from core.foundation.database.rows import by_column
from core.foundation.database.where import Where
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.records import WrittenPage, read_rows
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.foundation.validation.inputs import (
    CURSOR,
    LIMIT,
    SINCE,
    UNTIL,
    Day,
    QueryInput,
    UtcTime,
)
from core.wallet.errors import NoWallet
from core.wallet.models import Ledger, TransferKind, Wallet
from core.wallet.record import (
    BALANCE,
    TRANSFER,
    BalanceRecord,
    Proof,
    ProvedAccount,
    TransferPage,
)


class TransferFilter(QueryInput):
    """Which movements to list, newest first."""

    origin: str | None = Field(
        default=None, description="The message, reply or payment behind it: `origem`"
    )
    kind: TransferKind | None = Field(default=None, description="`tipo`")
    from_: UtcTime | None = Field(default=None, alias="from", description=SINCE)
    to: UtcTime | None = Field(default=None, description=UNTIL)
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)


class ProofDay(QueryInput):
    """The day, in UTC, up to whose end the books are checked; today when it is left out."""

    dia: Annotated[Day, Field(lt=date.max)] | None = Field(
        default=None,
        description="The day, in UTC, up to whose end the books are checked; today unless told",
    )


async def get_wallet(caller: Caller) -> BalanceRecord:
    """The balances in coins. Raises NotFound where nothing is charged."""
    caller.require(Scope.WALLET_READ)
    wallet = existing(
        await Wallet.visible_to(caller).get_or_none() if current().charges else None, NoWallet
    )
    return BALANCE.make_for(caller, vars(wallet))


async def list_transfers(caller: Caller, filter: TransferFilter) -> WrittenPage[TransferPage]:
    """A page of movements, newest first. Raises NotFound where nothing is charged."""
    caller.require(Scope.WALLET_READ)
    if not current().charges:
        raise NoWallet
    where = Where.visible_to(caller)
    where.narrow_given(
        ("origin = {}", filter.origin),
        ("kind = {}", filter.kind),
        ("id < {}", _place(filter.cursor)),
    )
    where.narrow_period("created_at", filter.from_, filter.to)
    limit = cut(filter.limit)
    read = await read_rows(
        caller,
        TRANSFER,
        f"SELECT * FROM wallet_transfers WHERE {where} ORDER BY id DESC LIMIT {limit + 1}",
        where.values,
        order="id DESC",
        place=("created_at", "id::text"),
        total=WALLETS,
        limit=limit,
        keeps_plan=filter.is_plain,
    )
    if not read.total:
        raise NoWallet
    return WrittenPage(read.items, None, read.next_cursor)


async def prove(caller: Caller, day: ProofDay) -> Proof:
    """The proof of one day: the sums of all movements until its end, and whether today's balances
    equal them all.

    `confere` is true when every balance equals the sum of the movements into it less those out of
    it, and every sum of the day is complete.
    """
    caller.require(Scope.WALLET_READ)
    asked = day.dia or now().date()
    rows = (
        await db.fetch(PROOF, caller.organization_id, caller.env, asked)
        if current().charges
        else []
    )
    if not rows:
        raise NoWallet
    wallet, booked = rows[0], by_column(rows, "side")
    accounts: list[ProvedAccount] = []
    agrees = True
    for side, column, sign in SIDES:
        row = booked.get(side)
        total = sign * row["total"] if row else 0
        agrees = agrees and total == wallet[column]
        accounts.append(
            {
                "conta": side,
                "saldoCoins": wallet[column],
                "somaCoins": total,
                "inicioDoDiaCoins": sign * row["before"] if row else 0,
                "entradasCoins": row["day_in"] if row else 0,
                "saidasCoins": row["day_out"] if row else 0,
                "fimDoDiaCoins": sign * (row["before"] + row["day_in"] - row["day_out"])
                if row
                else 0,
            }
        )
    return {"dia": asked.isoformat(), "confere": agrees, "contas": accounts}


SIDES = (
    (Ledger.AVAILABLE, "available", 1),
    (Ledger.HELD, "held", 1),
    (Ledger.REVENUE, "revenue", 1),
    (Ledger.REFUND, "refund", 1),
    (Ledger.OWED, "owed", -1),
)


def _place(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    try:
        place = int(read_cursor(cursor)[1])
    except (UnreadableCursor, ValueError):
        place = 0
    if not 0 < place < 2**63:
        message = "The cursor is not one that this list gave"
        raise ValidationFailed(errors=[FieldError("parameter", "cursor", "wrong_format", message)])
    return place


WALLETS = "SELECT count(*) FROM wallets WHERE organization_id = $1 AND env = $2"
"""Told with the movements: whether the caller has a wallet at all."""

# Balances and movements in one statement: what is booked meanwhile is in both or in neither.
PROOF = """
WITH tail AS (
    SELECT * FROM wallet_transfers
    WHERE organization_id = $1 AND env = $2
      AND id > coalesce((SELECT until_id FROM wallet_sums WHERE organization_id = $1 AND env = $2), 0)
), moved AS (
    SELECT day, side, came, went FROM wallet_days WHERE organization_id = $1 AND env = $2
    UNION ALL
    SELECT (created_at AT TIME ZONE 'UTC')::date, target, coins, 0 FROM tail
    UNION ALL
    SELECT (created_at AT TIME ZONE 'UTC')::date, source, 0, coins FROM tail
), booked AS (
    SELECT side, sum(came - went)::bigint AS total,
           coalesce(sum(came - went) FILTER (WHERE day < $3), 0)::bigint AS before,
           coalesce(sum(came) FILTER (WHERE day = $3), 0)::bigint AS day_in,
           coalesce(sum(went) FILTER (WHERE day = $3), 0)::bigint AS day_out
    FROM moved GROUP BY side
)
SELECT w.available, w.held, w.revenue, w.refund, w.owed, b.*
FROM wallets w LEFT JOIN booked b ON true
WHERE w.organization_id = $1 AND w.env = $2
"""
