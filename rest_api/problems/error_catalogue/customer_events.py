"""Error catalogue: refusals of customer events."""

from core.customer_events.errors import AmbiguousEmail, DifferentContacts
from rest_api.problems.error_doc import ErrorDoc, at

INVALID = (
    ErrorDoc(
        DifferentContacts(["phone", "externalId"]),
        "The identifiers of the event belong to different contacts.",
        "Send those of one contact; one is enough.",
        at("POST /v2/events"),
    ),
    ErrorDoc(
        AmbiguousEmail(),
        "Several contacts have the e-mail address of the event.",
        "Send `contactId`, `externalId` or `phone` with it.",
        at("POST /v2/events"),
    ),
)
