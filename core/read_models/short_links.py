"""The short links of messages, read field by field: whoever reads a message reads its links."""

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Entity, Order, OrderKey, fields_of
from core.short_links import queries


def _visible(where: Where, caller: Caller) -> None:
    """They hang on a message, which the caller may read."""


AS_WRITTEN = Order("as written", (OrderKey("{t}.position", "smallint"),))

SHORT_LINK = Entity(
    name="ShortLink",
    table="short_links",
    alias="sl",
    scope=Scope.SMS_READ,
    prefix="",
    fields=fields_of(queries.SHORT_LINK),
    orders={"": AS_WRITTEN},
    visible=_visible,
)
