"""The tables of wallets, transfers, prices and volumes, in whole coins (1 coin = 0.0001 BRL)."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import CheckConstraint
from tortoise.models import Model

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class Ledger(DescribedEnum, rest="WalletAccount", graphql="WalletAccount"):
    """The accounts of a wallet, between which coins move."""

    AVAILABLE = "disponivel", "What may be spent"
    HELD = "reservado", "Held for what is still to leave"
    REVENUE = "receita", "Paid for what has left"
    REFUND = "estorno", "What was paid back"
    OWED = "devido", "Owed for what could not be refused"
    OUTSIDE = "externo", "The world outside the wallet, where payments come from"


class TransferKind(DescribedEnum, rest="WalletTransferKind", graphql="WalletTransferKind"):
    """The kinds of movements."""

    CREDIT = "credito", "Coins were paid in"
    HOLD = "reserva", "Coins were held for a send"
    CAPTURE = "captura", "Held coins were charged"
    RELEASE = "liberacao", "Held coins were given back"
    ADJUSTMENT = "ajuste", "Anything else, debts and their payment too"


class Wallet(OwnedModel):
    """The balances. Each equals the sum of the transfers into it less those out of it."""

    id = fields.BigIntField(primary_key=True)
    available = fields.BigIntField(default=0)
    held = fields.BigIntField(default=0)
    revenue = fields.BigIntField(default=0)
    refund = fields.BigIntField(default=0)
    owed = fields.BigIntField(default=0, db_default=0)
    warn_below = fields.BigIntField(default=100_000)
    warned_low = fields.BooleanField(default=False, db_default=False)
    warned_depleted = fields.BooleanField(default=False, db_default=False)
    updated_at = fields.DatetimeField()

    class Meta:
        table = "wallets"
        unique_together = (("organization_id", "env"),)
        constraints = (
            CheckConstraint(check="available >= 0", name="wallets_available_not_negative"),
            CheckConstraint(check="held >= 0", name="wallets_held_not_negative"),
            CheckConstraint(check="owed >= 0", name="wallets_owed_not_negative"),
        )


class WalletDay(OwnedModel, SqlTable):
    """What moved into and out of a side on a day (UTC), of the movements up to `WalletSum.until_id`.

    SQL alone: the statement that sums a slice of the ledger adds to it, and it is read with
    that.
    """

    id = fields.BigIntField(primary_key=True)
    day = fields.DateField()
    side = fields.CharEnumField(Ledger, max_length=10)
    came = fields.BigIntField()
    went = fields.BigIntField()

    class Meta:
        table = "wallet_days"
        unique_together = (("organization_id", "env", "day", "side"),)


class WalletSum(OwnedModel):
    """Up to which movement the days of a wallet are summed."""

    id = fields.BigIntField(primary_key=True)
    until_id = fields.BigIntField()

    class Meta:
        table = "wallet_sums"
        unique_together = (("organization_id", "env"),)


class WalletTransfer(OwnedModel):
    """One movement between two sides; append-only. A (origin, kind) happens once, however often a job runs."""

    id = fields.BigIntField(primary_key=True)
    origin = fields.CharField(max_length=40)
    kind = fields.CharEnumField(TransferKind, max_length=10)
    source = fields.CharEnumField(Ledger, max_length=10)
    target = fields.CharEnumField(Ledger, max_length=10)
    coins = fields.BigIntField()
    request_id = fields.CharField(max_length=64, null=True)
    quote_id = fields.CharField(max_length=30, null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "wallet_transfers"
        unique_together = (("organization_id", "env", "origin", "kind"),)
        indexes = (
            ("organization_id", "env", "id"),
            WhereIndex(
                # A send makes none of these, unless it fails.
                fields=("organization_id", "env", "kind", "id"),
                name="wallet_transfers_rare",
                where="kind IN ('credito', 'liberacao', 'ajuste')",
            ),
        )
        constraints = (CheckConstraint(check="coins > 0", name="wallet_transfers_coins_positive"),)


class SmsVolume(OwnedModel, SqlTable):
    """Segments accepted live on a route in a calendar month (UTC): what decides the price band.

    SQL alone: volumes are counted and locked for all routes of a batch of sends.
    """

    id = fields.BigIntField(primary_key=True)
    month = fields.CharField(max_length=7)
    route = fields.CharField(max_length=16)
    accepted = fields.BigIntField(default=0)

    class Meta:
        table = "sms_volumes"
        unique_together = (("organization_id", "env", "month", "route"),)


class PriceTable(Model):
    """An organization's own prices, in both environments; what it leaves out is not sold to it by table.

    `sms`: {route: [[from segment, coins], …]}; `rcs`: {route: coins}; the rest {name: coins}.
    """

    organization_id = fields.CharField(max_length=30, primary_key=True)
    sms: fields.Field[dict[str, Any]] = fields.JSONField()
    rcs: fields.Field[dict[str, Any]] = fields.JSONField()
    push: fields.Field[dict[str, Any]] = fields.JSONField()
    other: fields.Field[dict[str, Any]] = fields.JSONField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "price_tables"
