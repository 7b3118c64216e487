"""What the refusals of webhooks mean."""

from core.webhooks.errors import PingUnanswered, TooManyValidations
from core.webhooks.ping import MESSAGES
from rest_api.problems.rows import Cause, at, nowhere

INVALID = tuple(
    Cause(
        PingUnanswered(reason, message),
        "The revoked subscription was not resumed, because its endpoint did not take a signed `webhook.ping`: "
        + message,
        "Repair the endpoint, try it with `POST /webhooks/validate`, and set `status` to `active` again.",
        at("PATCH /webhooks/{id}") if reason == "non_2xx" else nowhere,
    )
    for reason, message in MESSAGES.items()
)

LIMITED = (
    Cause(
        TooManyValidations(retry_after=6),
        "More than 10 endpoints were tried within a minute.",
        "Wait for `Retry-After`.",
        at("POST /webhooks/validate", "POST /webhooks/{id}/test"),
    ),
)
