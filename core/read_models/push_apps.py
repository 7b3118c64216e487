"""Apps that devices register for, read field by field."""

from core.foundation.security.caller import Scope
from core.push.record import APP
from core.read_models.query_compiler import Entity, Order, OrderKey, fields_of

PUSH_APP = Entity(
    name="PushApp",
    table="push_apps",
    alias="pa",
    scope=Scope.PUSH_SETTINGS,
    prefix="",
    fields=fields_of(APP),
    orders={"": Order("by id", (OrderKey("{t}.app_id", "text"),))},
)
