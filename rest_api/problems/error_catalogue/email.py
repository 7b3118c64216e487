"""Error catalogue: refusals of e-mail."""

from core.email.errors import (
    CodeNotSent,
    InvalidCode,
    NoRelay,
    NoVerifiedSender,
    TooManySenderRequests,
    TooManySenders,
    VerificationExpired,
)
from core.email.senders.request import MAX_WAITING
from core.messaging import RecipientOptedOut
from rest_api.problems.error_doc import ErrorDoc, at, nowhere
from rest_api.providers.smtp import BadFeedbackSignature

SEND = "POST /v2/email/messages"
REQUEST = "POST /v2/email/senders"
VERIFY = "POST /v2/email/senders/{id}/verify"

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

CONFLICTS = (
    ErrorDoc(
        TooManySenders(MAX_WAITING),
        "A hundred senders of the organization wait to be verified, in this environment.",
        "Verify some of them, or remove those that nobody needs: `DELETE /v2/email/senders/{id}`.",
        at(REQUEST),
    ),
    ErrorDoc(
        CodeNotSent(),
        "The e-mail with the code would not arrive: there is no relay, nobody to write it from, or the address has "
        "bounced. Nothing was stored.",
        "Ask for the domain of the address instead (`@example.com`), and set the TXT record that is named.",
        at(REQUEST),
    ),
    ErrorDoc(
        VerificationExpired(),
        "The TXT record of the domain was not found within seven days.",
        "Ask for the sender again with `POST /v2/email/senders`: the record stays the same.",
        at(VERIFY),
    ),
)

LIMITED = (
    ErrorDoc(
        TooManySenderRequests(retry_after=7),
        "An organization asks for 30 senders an hour and has 10 of them checked a minute, in an environment; an address "
        "gets 3 e-mails an hour, whoever asks for them.",
        "Wait for the seconds in `Retry-After`. What waits is looked for anyway.",
        at(REQUEST, VERIFY),
    ),
)

INVALID = (
    ErrorDoc(
        InvalidCode(),
        "The code is not that of the newest e-mail to the address, was used, or is older than 24 hours. Which of them is "
        "never told.",
        "Send the code as it stands in the newest e-mail, or ask for another one with `POST /v2/email/senders`.",
        at(VERIFY),
    ),
    ErrorDoc(
        NoVerifiedSender(),
        "The e-mail is from an address that nobody has verified for the "
        "organization. In the sandbox only those of the "
        "domain unverified.test are not.",
        "Write from a verified address or domain; `POST /v2/email/senders` says how one becomes verified.",
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
