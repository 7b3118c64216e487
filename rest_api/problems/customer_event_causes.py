"""What the refusals of customer events mean."""

from core.customer_events.errors import AmbiguousEmail, DifferentContacts
from rest_api.problems.rows import Cause, at

INVALID = (
    Cause(
        DifferentContacts(["phone", "externalId"]),
        "The identifiers of the event belong to different contacts.",
        "Send those of one contact; one is enough.",
        at("POST /v2/events"),
    ),
    Cause(
        AmbiguousEmail(),
        "Several contacts have the e-mail address of the event.",
        "Send `contactId`, `externalId` or `phone` with it.",
        at("POST /v2/events"),
    ),
)
