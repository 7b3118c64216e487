"""Movements of the wallet, read field by field."""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, Order, OrderKey, fields_of
from core.wallet.record import TRANSFER as RECORD

NEWEST = Order("newest", (OrderKey("{t}.id", "bigint"),), descending=True)


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    for condition, value in (
        ("origin = {}", filter.get("origin")),
        ("kind = {}", filter.get("kind")),
    ):
        if value is not None:
            where.narrow(condition, value)
    where.narrow_period("created_at", filter.get("since"), filter.get("until"))
    return ()


TRANSFER = Entity(
    name="WalletTransfer",
    table="wallet_transfers",
    alias="t",
    scope=Scope.WALLET_READ,
    prefix="",
    fields=fields_of(RECORD),
    orders={"": NEWEST},
    narrow=_narrow,
)
