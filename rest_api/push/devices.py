"""The operations of devices: how they come and go, and what they say they opened."""

from core import push
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.push import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import DISPATCH


async def register_device(call: Call[push.NewDevice]) -> push.RegisteredDevice:
    return await push.register_device(call.caller, call.body)


async def opt_out_device(call: Call[push.DeviceOptOut]) -> push.OptedOutDevice:
    return await push.opt_out_device(call.caller, call.body)


async def record_open(call: Call[push.Opened]) -> push.CountedOpen:
    return await push.record_open(call.caller, call.path["id"], call.body)


async def list_devices(call: Call[None, push.DeviceFilter]) -> WrittenPage[push.DevicePage]:
    return await push.list_devices(call.caller, call.query)


operations = [
    Operation(
        "GET",
        "/v2/push/tokens",
        list_devices,
        Scope.PUSH_READ,
        "List devices, newest first",
        "Push",
        description="Of a token only its end is shown.",
        errors=(401, 403, 422),
        query=push.DeviceFilter,
        answer=push.DevicePage,
        answers={"one page": examples.DEVICES},
    ),
    Operation(
        "POST",
        "/v2/push/tokens",
        register_device,
        Scope.PUSH_SEND,
        "Register a device",
        "Push",
        description=(
            "Call it on every opening of the app: there is one device for each app and token, "
            "and fields that are left "
            "out keep what is stored. Without `platform` it is the app's, where its providers "
            "tell it, else what the "
            "token looks like, else android; `warnings` tell of a guess. A browser needs "
            "`p256dh` and `auth`. With a "
            "test key an unknown app is made."
        ),
        errors=(400, 401, 403, 404),
        body=push.NewDevice,
        answer=push.RegisteredDevice,
        answers={"registered": examples.REGISTERED, "guessed": examples.GUESSED},
        examples={"android": examples.NEW_DEVICE, "browser": examples.BROWSER},
    ),
    Operation(
        "POST",
        "/v2/push/tokens/opt-out",
        opt_out_device,
        Scope.PUSH_SEND,
        "Send nothing to a device any more",
        "Push",
        # The interface lists no status for a body that cannot be read; 400 says it.
        errors=(400, 401, 403, 404),
        body=push.DeviceOptOut,
        answer=push.OptedOutDevice,
        answers={"opted out": examples.OPTED_OUT},
        examples={"device": examples.OF_DEVICE},
    ),
    Operation(
        "POST",
        "/v2/push/dispatches/{id}/opened",
        record_open,
        Scope.PUSH_SEND,
        "Tell that a notification was opened",
        "Push",
        description=(
            "Only the first open of a device counts. `id` came with the notification. Without "
            "`token` the first open "
            "of the dispatch counts once."
        ),
        errors=(400, 401, 403, 404),
        body=push.Opened,
        body_optional=True,
        answer=push.CountedOpen,
        answers={"first": {"counted": True}, "repeated": {"counted": False}},
        ids={"id": DISPATCH},
        examples={"device": {"token": examples.TOKEN}},
    ),
]
