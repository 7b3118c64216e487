"""Money of an organization in one environment, in whole coins (1 coin = 0.0001 BRL)."""

from enum import StrEnum

from tortoise import fields
from tortoise.migrations.constraints import CheckConstraint

from core.foundation.tenancy import OwnedModel


class Ledger(StrEnum):
    """The sides of a transfer. `externo` is the world outside the wallet."""

    AVAILABLE = "disponivel"
    HELD = "reservado"
    REVENUE = "receita"
    REFUND = "estorno"
    OUTSIDE = "externo"


class TransferKind(StrEnum):
    CREDIT = "credito"
    HOLD = "reserva"
    CAPTURE = "captura"
    RELEASE = "liberacao"
    ADJUSTMENT = "ajuste"


class Wallet(OwnedModel):
    """The balances. Each equals the sum of the transfers into it less those out of it."""

    id = fields.BigIntField(primary_key=True)
    available = fields.BigIntField(default=0)
    held = fields.BigIntField(default=0)
    revenue = fields.BigIntField(default=0)
    refund = fields.BigIntField(default=0)
    warn_below = fields.BigIntField(default=100_000)
    updated_at = fields.DatetimeField()

    class Meta:
        table = "wallets"
        unique_together = (("organization_id", "env"),)
        constraints = (
            CheckConstraint(check="available >= 0", name="wallets_available_not_negative"),
            CheckConstraint(check="held >= 0", name="wallets_held_not_negative"),
        )


class WalletTransfer(OwnedModel):
    """One movement between two sides; append-only. A (origin, kind) happens once, however often a job runs."""

    id = fields.BigIntField(primary_key=True)
    origin = fields.CharField(max_length=40)
    kind = fields.CharEnumField(TransferKind, max_length=10)
    source = fields.CharEnumField(Ledger, max_length=10)
    target = fields.CharEnumField(Ledger, max_length=10)
    coins = fields.BigIntField()
    request_id = fields.CharField(max_length=64, null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "wallet_transfers"
        unique_together = (("organization_id", "env", "origin", "kind"),)
        constraints = (CheckConstraint(check="coins > 0", name="wallet_transfers_coins_positive"),)
