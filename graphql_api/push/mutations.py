"""What can be done with push."""

from core import push
from core.foundation.security.caller import Scope
from core.read_models.pushes import PUSH
from graphql_api.mutations import mutation_field, mutation_type
from graphql_api.push.schema import (
    CountedOpen,
    OptedOutPushDevice,
    PushApp,
    PushMessage,
    PushPreview,
    PushSettings,
    RegisteredPushDevice,
)

SEND, SETTINGS = Scope.PUSH_SEND, Scope.PUSH_SETTINGS


@mutation_type
class PushMutations:
    send_push: PushMessage | None = mutation_field(
        push.send_push,
        push.NewPush,
        scope=SEND,
        answers=PUSH,
        keyed=True,
        description=(
            "Send a notification to many devices; it answers when their queue is built. Draw "
            "a new key for each new notification."
        ),
    )
    cancel_push: PushMessage | None = mutation_field(
        push.cancel_push,
        scope=SEND,
        answers=PUSH,
        ids=("id",),
        description="Call off a notification that is scheduled or deferred.",
    )
    register_push_device: RegisteredPushDevice | None = mutation_field(
        push.register_device,
        push.NewDevice,
        scope=SEND,
        strict=False,
        description="Register a device, or tell what is new of one; there is one for each app and "
        "token.",
    )
    opt_out_push_device: OptedOutPushDevice | None = mutation_field(
        push.opt_out_device,
        push.DeviceOptOut,
        scope=SEND,
        strict=False,
        description="Send nothing to a device any more.",
    )
    record_push_open: CountedOpen | None = mutation_field(
        push.record_open,
        push.Opened,
        scope=SEND,
        ids=("id",),
        optional=True,
        strict=False,
        description=("Tell that a notification was opened; the first time of a device counts."),
        of="push message",
    )
    replace_push_settings: PushSettings | None = mutation_field(
        push.put_settings,
        push.PushSettings,
        scope=SETTINGS,
        description="Put settings of all notifications in the place of those before.",
    )
    create_push_app: PushApp | None = mutation_field(
        push.create_app,
        push.NewApp,
        scope=SETTINGS,
        description="Register an app with the credentials of its providers.",
    )
    update_push_app: PushApp | None = mutation_field(
        push.change_app,
        push.AppChanges,
        scope=SETTINGS,
        ids=("id",),
        description=(
            "Change what is sent of an app; null takes the credentials of a provider away."
        ),
    )


@mutation_type
class PushPreviews:
    push_preview: PushPreview | None = mutation_field(
        push.preview_push,
        push.PushDraft,
        scope=SEND,
        strict=False,
        description=(
            "How many devices a notification would go to, and what it would cost; nothing is "
            "created or charged."
        ),
    )
