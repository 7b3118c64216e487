"""Addresses that no e-mail is sent to, read field by field."""

from collections.abc import Sequence

from core.email.suppression_list import (
    RECIPIENT,
    SUPPRESSION,
    address_of,
    masked_address_of,
    narrow_suppressions,
)
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, Field, Order, OrderKey, fields_of


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_suppressions(where, caller, to=filter.get("to"))
    return ()


HASH = "encode({t}.identity, 'hex')"

NEWEST = Order(
    "newest", (OrderKey("{t}.created_at", "timestamptz"), OrderKey(HASH, "text")), descending=True
)

EMAIL_SUPPRESSION = Entity(
    name="EmailSuppression",
    table="email_suppressions",
    alias="s",
    scope=Scope.EMAIL_READ,
    prefix="sup",
    fields={
        **fields_of(SUPPRESSION),
        "id": Field(HASH),
        "to": Field(RECIPIENT.format("{t}"), make=address_of, masked=masked_address_of),
    },
    orders={"": NEWEST},
    narrow=_narrow,
)
