"""Every setting of the service, a module for each topic."""

from core.foundation.settings.group import Switch
from core.foundation.settings.observability import LogFormat
from core.foundation.settings.read import (
    MADE,
    Settings,
    SettingsError,
    current,
    how_to_make,
    load,
)
from core.foundation.settings.security import MAKE_KEY
from core.foundation.settings.sms import SMS_PROVIDERS, SMS_ROUTES, sms_providers_of

__all__ = [
    "MADE",
    "MAKE_KEY",
    "SMS_PROVIDERS",
    "SMS_ROUTES",
    "LogFormat",
    "Settings",
    "SettingsError",
    "Switch",
    "current",
    "how_to_make",
    "load",
    "sms_providers_of",
]
