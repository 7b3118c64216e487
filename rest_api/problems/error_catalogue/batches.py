"""Error catalogue: refusals of batches."""

from core.conversations.errors import NotFinished
from core.messaging import NoProvider
from rest_api.problems.error_doc import ErrorDoc, at

BULK, RESEND = "POST /messages/bulk", "POST /messages/bulk-resend"
PAID = (BULK, RESEND)
ARCHIVE = "POST /messages/{id}/archive"

CONFLICTS = (
    ErrorDoc(
        NotFinished(),
        "The message waits, is being sent, or was sent and not reported on yet.",
        "Archive it once it is delivered, read or failed.",
        at(ARCHIVE),
    ),
)

UNAVAILABLE = (
    ErrorDoc(
        NoProvider(),
        (
            "No platform is configured for live conversations in this installation. "
            "Nothing was stored."
        ),
        "Use a test key, or have the operator configure one.",
        at(*PAID),
    ),
)
