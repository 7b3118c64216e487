"""Error catalogue: refusals of push."""

from core.foundation.errors import FieldError, ValidationFailed
from core.push.errors import (
    AppIdTaken,
    BrowserKeysMissing,
    NoLongerCancelable,
    NoSuchApp,
    UnusableEndpoint,
)
from rest_api.problems.error_doc import ErrorDoc, at

LIST = "GET /v2/push/messages"
REGISTER, SEND, PREVIEW = "POST /v2/push/tokens", "POST /v2/push/messages", "POST /v2/push/preview"

UNREADABLE = (
    ErrorDoc(
        BrowserKeysMissing(["p256dh", "auth"]),
        (
            "A browser was registered without the keys of its subscription, or, live, "
            "with keys of a wrong length."
        ),
        "Send `p256dh` and `auth` as `PushSubscription.toJSON()` of the browser gives them.",
        at(REGISTER),
    ),
    ErrorDoc(
        UnusableEndpoint(),
        "The token of a browser is no address that may be called.",
        "Send the `endpoint` of the browser's subscription.",
        at(REGISTER),
    ),
)

MISSING = (
    ErrorDoc(
        NoSuchApp(),
        "No app of this `appId` is registered in production; the sandbox makes it on first use.",
        "Register it with `POST /v2/push/apps`.",
        at(REGISTER, "PATCH /v2/push/apps/{appId}"),
    ),
)

CONFLICTS = (
    ErrorDoc(
        AppIdTaken(),
        "The app is registered already.",
        "Change it with `PATCH /v2/push/apps/{appId}`.",
        at("POST /v2/push/apps"),
    ),
    ErrorDoc(
        NoLongerCancelable(),
        "The dispatch has begun, or is over.",
        "Nothing to do: what was sent cannot be taken back.",
        at("POST /v2/push/messages/{id}/cancel"),
    ),
)

INVALID = (
    ErrorDoc(
        ValidationFailed(
            errors=[
                FieldError(
                    "pointer",
                    "",
                    "AUDIENCIA_INVALIDA",
                    "Send either segment or tokenIds, and not both",
                ),
            ]
        ),
        "A notification names both a segment and devices, or neither.",
        (
            "Send `segment` (`all_opt_in` for everybody) or `tokenIds`. In a preview the "
            "same is a 400."
        ),
        at(SEND, PREVIEW),
    ),
)
