"""The push providers: the sandbox, Web Push, Firebase and Apple."""

from core.providers.push.contracts import (
    Answer,
    DeviceGone,
    PushAccepted,
    PushDeferred,
    PushEnding,
    PushNotification,
    PushRejected,
    PushSender,
    PushTarget,
)
from core.providers.push.credentials import Apns, Fcm, PushCredentials
from core.providers.push.services import Services, open_services
from core.providers.push.vapid import Vapid, new_vapid_keys, vapid_keys

__all__ = [
    "Answer",
    "Apns",
    "DeviceGone",
    "Fcm",
    "PushAccepted",
    "PushCredentials",
    "PushDeferred",
    "PushEnding",
    "PushNotification",
    "PushRejected",
    "PushSender",
    "PushTarget",
    "Services",
    "Vapid",
    "new_vapid_keys",
    "open_services",
    "vapid_keys",
]
