"""Closed sets of push."""

from typing import Literal

from core.push import DeliveryStatus, DispatchStatus, Origin, Platform, RateKind
from graphql_api.enums import wire_enum
from graphql_api.inputs import spell

PushStatus = wire_enum("PushStatus", DispatchStatus)
PushOrigin = wire_enum("PushOrigin", Origin)
PushPlatform = wire_enum("PushPlatform", Platform)
PushDeliveryStatus = wire_enum("PushDeliveryStatus", DeliveryStatus)
PushRateKind = wire_enum("PushRateKind", RateKind)
PushProvider = wire_enum("PushProvider", ("apns", "fcm", "vapid"))
QuietException = wire_enum("QuietException", ("silent",))

spell(Platform, PushPlatform)
spell(Literal["silent"], QuietException)
