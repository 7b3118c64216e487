"""Error catalogue: refusals of e-mail."""

from core.email.errors import NoRelay, NoVerifiedSender
from core.messaging import RecipientOptedOut
from rest_api.problems.error_doc import ErrorDoc, at, nowhere
from rest_api.providers.smtp import BadFeedbackSignature

SEND = "POST /v2/email/messages"

UNSIGNED = (
    ErrorDoc(
        BadFeedbackSignature(),
        (
            "What was posted about an e-mail is not signed as it has to be, or its clock "
            "is off by more than five minutes."
        ),
        "Sign `<unix>`, `POST <path>` and the raw body, a line feed between them, "
        "with the shared secret, in "
        "`X-Smtp-Signature: t=<unix>,v2=<hex>`.",
        nowhere,
    ),
)

INVALID = (
    ErrorDoc(
        NoVerifiedSender(),
        "The e-mail is from an address that nobody has verified for the "
        "organization. In the sandbox only those of the "
        "domain unverified.test are not.",
        (
            "Write from a verified address or domain; whoever runs the service verifies "
            "with `svc email-sender verify`."
        ),
        at(SEND),
    ),
    ErrorDoc(
        RecipientOptedOut(),
        "The e-mail is marketing, and its recipient, or the contact that `contactId` "
        "names, asked not to receive any "
        "by e-mail or at all.",
        (
            "Do not send it. The category `transacional` reaches everybody; it is not "
            "for anything else."
        ),
        at(SEND),
    ),
)

UNAVAILABLE = (
    ErrorDoc(
        NoRelay(),
        "No mail relay is configured in this installation. Nothing was stored.",
        "Use a test key, or have the operator configure one.",
        at(SEND),
    ),
)
