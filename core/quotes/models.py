"""The tables of quotes: a price that is promised for so many segments, until a time."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import CheckConstraint, UniqueConstraint

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.tenancy import OwnedModel


class Quote(OwnedModel):
    """Prices that are promised until a time.

    `canceled_at`: from then on nothing is sent by it any more. `reserved`: its money is held, until `released_at`.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    coins = fields.BigIntField()
    reserved = fields.BooleanField()
    valid_until = fields.DatetimeField()
    canceled_at = fields.DatetimeField(null=True)
    released_at = fields.DatetimeField(null=True)
    request_id = fields.CharField(max_length=64, null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "quotes"
        indexes = (
            ("organization_id", "env", "created_at", "id"),
            ("valid_until",),
            WhereIndex(
                fields=("valid_until",),
                name="quotes_held",
                where="reserved AND released_at IS NULL",
            ),
        )


class QuoteItem(OwnedModel):
    """What a quote promises on one route.

    `steps`: [[segments, coins each], …], in the order in which they are used up. `remaining`: the segments that may
    still be sent at these prices; what is used up never comes back. `held`: the coins that are held for these.
    """

    id = fields.BigIntField(primary_key=True)
    quote_id = fields.CharField(max_length=30)
    place = fields.SmallIntField()
    channel = fields.CharField(max_length=10)
    route = fields.CharField(max_length=16)
    messages = fields.IntField()
    segments = fields.BigIntField()
    remaining = fields.BigIntField()
    steps: fields.Field[list[Any]] = fields.JSONField()
    coins = fields.BigIntField()
    held = fields.BigIntField()

    class Meta:
        table = "quote_items"
        constraints = (
            UniqueConstraint(
                fields=("quote_id", "channel", "route"),
                name="quote_items_key",
            ),
            CheckConstraint(
                check="remaining >= 0 AND remaining <= segments", name="quote_items_remaining"
            ),
            CheckConstraint(check="held >= 0", name="quote_items_held"),
        )
