"""Devices that notifications go to, read field by field."""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.push.conditions import narrow_devices
from core.push.device_record import DEVICE
from core.read_models.query_compiler import Arguments, Entity, fields_of


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_devices(
        where,
        contact_id=filter.get("contactId"),
        app_id=filter.get("appId"),
        platform=filter.get("platform"),
        active=filter.get("active"),
        alias="pd",
    )
    return ()


PUSH_DEVICE = Entity(
    name="PushDevice",
    table="push_devices",
    alias="pd",
    scope=Scope.PUSH_READ,
    prefix="dev",
    fields=fields_of(DEVICE),
    narrow=_narrow,
)
