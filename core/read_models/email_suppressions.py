"""Addresses that no e-mail is sent to, read field by field."""

from collections.abc import Sequence

from core.email.suppression_list import RECIPIENT, address_of, narrow_suppressions
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.masks import mask_email
from core.read_models.query_compiler import Arguments, Entity, Field, Order, OrderKey, column, time


def _masked(recipient: str) -> str | None:
    address = address_of(recipient)
    return None if address is None else mask_email(address)


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
        "id": Field(HASH),
        "to": Field(RECIPIENT.format("{t}"), make=address_of, masked=_masked),
        "reason": column("reason"),
        "messageId": column("message_id"),
        "createdAt": time("created_at"),
    },
    orders={"": NEWEST},
    narrow=_narrow,
)
