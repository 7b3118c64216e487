"""The operations of dispatches."""

from core import push
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.push import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import DISPATCH


async def list_pushes(call: Call[None, push.PushFilter]) -> WrittenPage[push.DispatchPage]:
    return await push.list_pushes(call.caller, call.query)


async def send_push(call: Call[push.NewPush]) -> push.DispatchRecord:
    assert call.idempotency_key is not None
    return await push.send_push(call.caller, call.body, idempotency_key=call.idempotency_key)


async def get_push(call: Call) -> push.DispatchRecord:
    return await push.get_push(call.caller, call.path["id"])


async def cancel_push(call: Call) -> push.DispatchRecord:
    return await push.cancel_push(call.caller, call.path["id"])


async def preview_push(call: Call[push.PushDraft]) -> push.PushPreview:
    return await push.preview_push(call.caller, call.body)


operations = [
    Operation(
        "GET",
        "/v2/push/messages",
        list_pushes,
        Scope.PUSH_READ,
        "List dispatches, newest first",
        "Push",
        errors=(400, 401, 403, 422),
        query=push.PushFilter,
        answer=push.DispatchPage,
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
            "Answers when the queue of devices is built; they are notified afterwards, and each "
            "is paid for when its "
            "provider accepts. In the quiet hours it is put off to `quietDeferredTo`. An audience "
            "of nobody is no error: `metrics.reach` is 0, and `warnings` say so."
        ),
        errors=(400, 401, 402, 403, 409, 422),
        status=201,
        body=push.NewPush,
        answer=push.DispatchRecord,
        answers={
            "queued": examples.QUEUED,
            "deferred": examples.DEFERRED,
            "nobody": examples.REACHES_NOBODY,
        },
        needs_key=True,
        keys_itself=True,
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
        answer=push.DispatchRecord,
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
        answer=push.DispatchRecord,
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
        heavy=True,
        errors=(400, 401, 403),
        body=push.PushDraft,
        answer=push.PushPreview,
        answers={"text only": examples.PREVIEW},
        examples={"everybody": {"platforms": ["ios", "android"], "segment": "all_opt_in"}},
    ),
]
