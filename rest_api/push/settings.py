"""The operations of the quiet hours and of the apps."""

from core import push
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.push import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call


async def get_settings(call: Call) -> push.SettingsRecord:
    return await push.get_settings(call.caller)


async def put_settings(call: Call[push.PushSettings]) -> push.SettingsRecord:
    return await push.put_settings(call.caller, call.body)


async def list_apps(call: Call) -> WrittenPage[push.AppList]:
    return await push.list_apps(call.caller)


async def create_app(call: Call[push.NewApp]) -> push.AppRecord:
    return await push.create_app(call.caller, call.body)


async def change_app(call: Call[push.AppChanges]) -> push.AppRecord:
    return await push.change_app(call.caller, call.path["appId"], call.body)


operations = [
    Operation(
        "GET",
        "/v2/push/settings",
        get_settings,
        Scope.PUSH_SETTINGS,
        "Read the quiet hours",
        "Push",
        errors=(401, 403),
        answer=push.SettingsRecord,
        answers={
            "quiet at night": examples.QUIET,
            "never quiet": {"janelaSilencio": None, "excecoes": []},
        },
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
        answer=push.SettingsRecord,
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
        answer=push.AppList,
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
            "With the credentials of its push providers, which are never shown again. For `web`, "
            "keys are made unless "
            "you send your own; browsers subscribe with `vapidPublicKey`."
        ),
        errors=(400, 401, 403, 409, 422),
        status=201,
        body=push.NewApp,
        answer=push.AppRecord,
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
        description="Credentials that are sent replace those of the same provider; null takes "
        "them away.",
        errors=(400, 401, 403, 404, 422),
        body=push.AppChanges,
        answer=push.AppRecord,
        answers={"changed": examples.APP},
        ids={"appId": "loja"},
        examples={"rename": {"name": "Loja"}},
    ),
]
