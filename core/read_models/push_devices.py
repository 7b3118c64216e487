"""Devices that notifications go to, read field by field."""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.push import token_end
from core.push.conditions import ACTIVE, narrow_devices
from core.read_models.query_compiler import Arguments, Entity, Field, column, time


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
    # The same as `core.push.device_record` makes of a row.
    fields={
        "id": column("id"),
        "appId": column("app_id"),
        "platform": column("platform"),
        "tokenEnd": Field("{t}.token", make=token_end),
        "active": Field(ACTIVE),
        "optedIn": column("opted_in"),
        "optedOutAt": time("opted_out_at"),
        "deactivatedAt": time("deactivated_at"),
        "env": column("env"),
        "contactId": column("contact_id"),
        "externalId": column("external_id"),
        "topics": column("topics"),
        "createdAt": time("created_at"),
        "updatedAt": time("updated_at"),
    },
    narrow=_narrow,
)
