"""Push dispatches, read field by field."""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.push.conditions import narrow_dispatches
from core.push.record import DISPATCH
from core.read_models.query_compiler import Arguments, Entity, fields_of


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    created = filter.get("createdAt") or {}
    narrow_dispatches(
        where,
        status=filter.get("status"),
        origin=filter.get("origin"),
        since=created.get("from"),
        until=created.get("to"),
        alias="ps",
    )
    return ()


PUSH = Entity(
    name="PushMessage",
    table="push_dispatches",
    alias="ps",
    scope=Scope.PUSH_READ,
    prefix="psh",
    fields=fields_of(DISPATCH),
    narrow=_narrow,
)
