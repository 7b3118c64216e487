"""Error catalogue: refusals of webhooks."""

from core.webhooks.errors import AddressUnconfirmed, CursorLost, PingUnanswered, TooManyValidations
from core.webhooks.subscriptions.ping import MESSAGES
from rest_api.problems.error_doc import ErrorDoc, at, nowhere

INVALID = tuple(
    ErrorDoc(
        PingUnanswered(reason, message),
        f"The revoked subscription was not resumed: its endpoint did not take a signed `webhook.ping`. {message}",
        (
            "Repair the endpoint, try it with `POST /webhooks/validate`, and set "
            "`status` to `active` again."
        ),
        at("PATCH /webhooks/{id}") if reason == "non_2xx" else nowhere,
    )
    for reason, message in MESSAGES.items()
)

CONFLICTS = (
    ErrorDoc(
        AddressUnconfirmed(),
        "The address of the subscription has never answered a delivery or a sample "
        "with 2xx, so nothing is replayed to "
        "it and at most 100 deliveries an hour go to its host.",
        "Let `POST /webhooks/{id}/test` succeed; then ask for the replay again.",
        at("POST /webhooks/{id}/replay"),
    ),
)

GONE = (
    ErrorDoc(
        CursorLost("WzIsODE2NDkyMDU1NywxODgxLDQ5ODcxOF0"),
        "The database was replaced by a copy that lacks its last commits, in a "
        "fail-over or a restore, and the cursor "
        "is of the time that was lost. Events that you were told from then on may no "
        "longer exist, and others have "
        "their positions.",
        "Go on with `meta.cursor`: it stands behind the last event before yours that "
        "is left. What you are told again "
        "has the ids that you know.",
        at("GET /v2/event-feed"),
    ),
)

LIMITED = (
    ErrorDoc(
        TooManyValidations(retry_after=6),
        "More than 10 endpoints were tried within a minute.",
        "Wait for `Retry-After`.",
        at("POST /webhooks/validate", "POST /webhooks/{id}/test"),
    ),
)
