"""Push services: the sandbox, Web Push, Firebase and Apple."""

from core.providers.push.contracts import (
    Answer,
    Gone,
    Notification,
    PushProvider,
    Rejected,
    Taken,
    Target,
    TryLater,
)
from core.providers.push.credentials import Apns, Credentials, Fcm
from core.providers.push.sandbox import Ending
from core.providers.push.services import Services, open_services
from core.providers.push.vapid import Vapid, new_vapid_keys, vapid_keys

__all__ = [
    "Answer",
    "Apns",
    "Credentials",
    "Ending",
    "Fcm",
    "Gone",
    "Notification",
    "PushProvider",
    "Rejected",
    "Services",
    "Taken",
    "Target",
    "TryLater",
    "Vapid",
    "new_vapid_keys",
    "open_services",
    "vapid_keys",
]
