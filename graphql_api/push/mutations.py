"""What can be done with push."""

from core import push
from core.dashboards.pushes import PUSH
from core.foundation.security.caller import Scope
from graphql_api.mutations import deeds, does
from graphql_api.push.types import (
    CountedOpen,
    OptedOutPushDevice,
    PushApp,
    PushMessage,
    PushPreview,
    PushSettings,
    RegisteredPushDevice,
)

SEND, SETTINGS = Scope.PUSH_SEND, Scope.PUSH_SETTINGS


@deeds
class PushMutations:
    send_push: PushMessage | None = does(
        push.send_push,
        push.NewPush,
        scope=SEND,
        answers=PUSH,
        keyed=True,
        description="Answers when the queue of devices is built. Draw a new key for each new notification.",
    )
    cancel_push: PushMessage | None = does(
        push.cancel_push,
        scope=SEND,
        answers=PUSH,
        ids=("id",),
        description="Of a scheduled or deferred one.",
    )
    register_push_device: RegisteredPushDevice | None = does(
        push.register_device, push.NewDevice, scope=SEND, strict=False
    )
    opt_out_push_device: OptedOutPushDevice | None = does(
        push.opt_out_device, push.DeviceOptOut, scope=SEND, strict=False
    )
    record_push_open: CountedOpen | None = does(
        push.record_open,
        push.Opened,
        scope=SEND,
        ids=("id",),
        optional=True,
        strict=False,
        description="The first of a device counts.",
    )
    replace_push_settings: PushSettings | None = does(
        push.put_settings, push.PushSettings, scope=SETTINGS
    )
    create_push_app: PushApp | None = does(push.create_app, push.NewApp, scope=SETTINGS)
    update_push_app: PushApp | None = does(
        push.change_app, push.AppChanges, scope=SETTINGS, ids=("id",)
    )


@deeds
class PushPreviews:
    push_preview: PushPreview | None = does(
        push.preview_push,
        push.PushDraft,
        scope=SEND,
        strict=False,
        description="Creates nothing and charges nothing.",
    )
