"""Push notifications: apps, devices, dispatches and their deliveries."""

from core.push.app_inputs import AppChanges, NewApp
from core.push.apps import change_app, create_app, list_apps
from core.push.cancel import cancel_push
from core.push.device_record import (
    CountedOpen,
    DevicePage,
    DeviceRecord,
    OptedOutDevice,
    RegisteredDevice,
)
from core.push.end_unstarted import fail_waiting
from core.push.errors import AppIdTaken, NoLongerCancelable
from core.push.inputs import (
    ALL_OPT_IN,
    DeviceFilter,
    DeviceOptOut,
    NewDevice,
    NewPush,
    Opened,
    PushDraft,
    PushFilter,
    PushSettings,
    QuietHours,
)
from core.push.live_sender import LiveSender
from core.push.models import (
    DispatchStatus,
    Origin,
    Platform,
    PushDeliveryStatus,
    PushProvider,
    QuietException,
    RateKind,
)
from core.push.on_opt_out import devices_of, remove_devices_of
from core.push.package import PACKAGE
from core.push.queries import get_push, list_devices, list_pushes
from core.push.quiet_window import get_settings, put_settings
from core.push.record import (
    REACHES_NOBODY,
    AppList,
    AppRecord,
    DispatchPage,
    DispatchRecord,
    PushPreview,
    SettingsRecord,
)
from core.push.record_open import record_open
from core.push.register_device import opt_out_device, register_device
from core.push.renew_credentials import renew_credentials
from core.push.sandbox_sender import drain_sandbox
from core.push.send import preview_push, send_push
from core.push.start import start_due

__all__ = [
    "ALL_OPT_IN",
    "PACKAGE",
    "REACHES_NOBODY",
    "AppChanges",
    "AppIdTaken",
    "AppList",
    "AppRecord",
    "CountedOpen",
    "DeviceFilter",
    "DeviceOptOut",
    "DevicePage",
    "DeviceRecord",
    "DispatchPage",
    "DispatchRecord",
    "DispatchStatus",
    "LiveSender",
    "NewApp",
    "NewDevice",
    "NewPush",
    "NoLongerCancelable",
    "Opened",
    "OptedOutDevice",
    "Origin",
    "Platform",
    "PushDeliveryStatus",
    "PushDraft",
    "PushFilter",
    "PushPreview",
    "PushProvider",
    "PushSettings",
    "QuietException",
    "QuietHours",
    "RateKind",
    "RegisteredDevice",
    "SettingsRecord",
    "cancel_push",
    "change_app",
    "create_app",
    "devices_of",
    "drain_sandbox",
    "fail_waiting",
    "get_push",
    "get_settings",
    "list_apps",
    "list_devices",
    "list_pushes",
    "opt_out_device",
    "preview_push",
    "put_settings",
    "record_open",
    "register_device",
    "remove_devices_of",
    "renew_credentials",
    "send_push",
    "start_due",
]
