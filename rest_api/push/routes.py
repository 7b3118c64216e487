"""The push operations of the interface."""

from typing import Any

from core import push
from core.foundation.caller import Scope
from rest_api.push import examples
from rest_api.push.shapes import (
    CountedOpen,
    Dispatch,
    DispatchPage,
    OptedOutDevice,
    PushApp,
    PushAppList,
    PushPreview,
    PushSettingsRecord,
    RegisteredDevice,
)
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import DISPATCH


async def register_device(call: Call) -> dict[str, Any]:
    return await push.register_device(call.caller, call.body)


async def opt_out_device(call: Call) -> dict[str, Any]:
    return await push.opt_out_device(call.caller, call.body)


async def record_open(call: Call) -> dict[str, Any]:
    return await push.record_open(call.caller, call.path["id"], call.body)


async def list_pushes(call: Call) -> dict[str, Any]:
    return await push.list_pushes(call.caller, call.query)


async def send_push(call: Call) -> dict[str, Any]:
    assert call.idempotency_key is not None
    return await push.send_push(call.caller, call.body, idempotency_key=call.idempotency_key)


async def get_push(call: Call) -> dict[str, Any]:
    return await push.get_push(call.caller, call.path["id"])


async def cancel_push(call: Call) -> dict[str, Any]:
    return await push.cancel_push(call.caller, call.path["id"])


async def preview_push(call: Call) -> dict[str, Any]:
    return await push.preview_push(call.caller, call.body)


async def get_settings(call: Call) -> dict[str, Any]:
    return await push.get_settings(call.caller)


async def put_settings(call: Call) -> dict[str, Any]:
    return await push.put_settings(call.caller, call.body)


async def list_apps(call: Call) -> dict[str, Any]:
    return await push.list_apps(call.caller)


async def create_app(call: Call) -> dict[str, Any]:
    return await push.create_app(call.caller, call.body)


async def change_app(call: Call) -> dict[str, Any]:
    return await push.change_app(call.caller, call.path["appId"], call.body)


operations = [
    Operation(
        "POST",
        "/v2/push/tokens",
        register_device,
        Scope.PUSH_SEND,
        "Register a device",
        "Push",
        description=(
            "Call it on every opening of the app: there is one device for each app and token, and fields that are left "
            "out keep what is stored. A browser needs `p256dh` and `auth`. With a test key an unknown app is made."
        ),
        errors=(400, 401, 403, 404),
        body=push.NewDevice,
        answer=RegisteredDevice,
        answers={"registered": examples.REGISTERED},
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
        answer=OptedOutDevice,
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
            "Only the first open of a device counts. `id` came with the notification. Without `token` the first open "
            "of the dispatch counts once."
        ),
        errors=(400, 401, 403, 404),
        body=push.Opened,
        body_optional=True,
        answer=CountedOpen,
        answers={"first": {"counted": True}, "repeated": {"counted": False}},
        ids={"id": DISPATCH},
        examples={"device": {"token": examples.TOKEN}},
    ),
    Operation(
        "GET",
        "/v2/push/messages",
        list_pushes,
        Scope.PUSH_READ,
        "List dispatches, newest first",
        "Push",
        errors=(400, 401, 403, 422),
        query=push.PushFilter,
        answer=DispatchPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/push/messages",
        send_push,
        Scope.PUSH_SEND,
        "Send a notification",
        "Push",
        description=(
            "Answers when the queue of devices is built; they are notified afterwards, and each is paid for when its "
            "provider accepts. In the quiet hours it is put off to `quietDeferredTo`."
        ),
        errors=(400, 401, 402, 403, 409, 422),
        status=201,
        body=push.NewPush,
        answer=Dispatch,
        answers={"queued": examples.QUEUED, "deferred": examples.DEFERRED},
        needs_key=True,
        examples={
            "to everybody": examples.TO_SEGMENT,
            "to devices": examples.TO_DEVICES,
            "later": examples.SCHEDULED,
        },
    ),
    Operation(
        "GET",
        "/v2/push/messages/{id}",
        get_push,
        Scope.PUSH_READ,
        "Read a dispatch and its metrics",
        "Push",
        errors=(401, 403, 404),
        answer=Dispatch,
        answers={"sent": examples.SENT},
        ids={"id": DISPATCH},
    ),
    Operation(
        "POST",
        "/v2/push/messages/{id}/cancel",
        cancel_push,
        Scope.PUSH_SEND,
        "Cancel a scheduled or deferred dispatch",
        "Push",
        description="What was set aside for it is given back. Canceling twice changes nothing.",
        errors=(401, 403, 404, 409),
        answer=Dispatch,
        answers={"canceled": examples.CANCELED},
        ids={"id": DISPATCH},
    ),
    Operation(
        "POST",
        "/v2/push/preview",
        preview_push,
        Scope.PUSH_SEND,
        "Preview reach and cost",
        "Push",
        description="Creates nothing and charges nothing.",
        errors=(400, 401, 403),
        body=push.PushDraft,
        answer=PushPreview,
        answers={"text only": examples.PREVIEW},
        examples={"everybody": {"platforms": ["ios", "android"], "segment": "all_opt_in"}},
    ),
    Operation(
        "GET",
        "/v2/push/settings",
        get_settings,
        Scope.PUSH_SETTINGS,
        "Read the quiet hours",
        "Push",
        errors=(401, 403),
        answer=PushSettingsRecord,
        answers={"quiet at night": examples.QUIET, "never quiet": {"janelaSilencio": None, "excecoes": []}},
    ),
    Operation(
        "PUT",
        "/v2/push/settings",
        put_settings,
        Scope.PUSH_SETTINGS,
        "Set the quiet hours",
        "Push",
        errors=(400, 401, 403, 422),
        body=push.PushSettings,
        answer=PushSettingsRecord,
        answers={"quiet at night": examples.QUIET},
        examples={"quiet at night": examples.QUIET, "never quiet": {"janelaSilencio": None}},
    ),
    Operation(
        "GET",
        "/v2/push/apps",
        list_apps,
        Scope.PUSH_SETTINGS,
        "List the apps",
        "Push",
        errors=(401, 403),
        answer=PushAppList,
        answers={"one app": {"items": [examples.APP]}},
    ),
    Operation(
        "POST",
        "/v2/push/apps",
        create_app,
        Scope.PUSH_SETTINGS,
        "Register an app",
        "Push",
        description=(
            "With the credentials of its push providers, which are never shown again. For `web`, keys are made unless "
            "you send your own; browsers subscribe with `vapidPublicKey`."
        ),
        errors=(400, 401, 403, 409, 422),
        status=201,
        body=push.NewApp,
        answer=PushApp,
        answers={"registered": examples.APP},
        examples={"for browsers": examples.WEB_APP},
    ),
    Operation(
        "PATCH",
        "/v2/push/apps/{appId}",
        change_app,
        Scope.PUSH_SETTINGS,
        "Change an app",
        "Push",
        description="Credentials that are sent replace those of the same provider; null takes them away.",
        errors=(400, 401, 403, 404, 422),
        body=push.AppChanges,
        answer=PushApp,
        answers={"changed": examples.APP},
        ids={"appId": "loja"},
        examples={"rename": {"name": "Loja"}},
    ),
]
