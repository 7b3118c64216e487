"""Error catalogue: refusals of SMS, some of which RCS shares."""

from core.foundation.security.rate_limit import Grant
from core.messaging import Landline, NoSuchContact
from core.sms.errors import (
    AboveCeiling,
    NoProvider,
    OutcomeUnknown,
    ProviderOutOfCredit,
    ProviderRefused,
    ProviderThrottled,
    QuoteOnlyRoute,
    SmsRecipientOptedOut,
)
from rest_api.problems.error_catalogue import rcs
from rest_api.problems.error_doc import ErrorDoc, at, nowhere
from rest_api.providers.gateway import BadGatewaySignature
from rest_api.support.sample_ids import MESSAGE

SEND_SMS = at("POST /v2/sms/messages")
SEND_SMS_OR_RCS = at("POST /v2/sms/messages", rcs.SEND)
SEND_SMS_RCS_OR_EMAIL = at("POST /v2/sms/messages", rcs.SEND, "POST /v2/email/messages")

UNSIGNED = (
    ErrorDoc(
        BadGatewaySignature(),
        "A callback of the provider `gateway` is not signed as it has to be, or its "
        "clock is off by more than five "
        "minutes.",
        "Sign `<unix>`, `POST <path>` and the raw body, a line feed between them, "
        "with the shared secret, in "
        "`X-Gateway-Signature: t=<unix>,v2=<hex>`.",
        nowhere,
    ),
)

UNPRICED = (
    ErrorDoc(
        QuoteOnlyRoute(),
        "The route has no table price: la_dedicada is sold by quote.",
        "Ask for a quote, or send by `premium` or `otp`.",
        at("POST /v2/sms/messages", "POST /v2/sms/preview", "POST /v2/quotes"),
    ),
)

INVALID = (
    ErrorDoc(
        SmsRecipientOptedOut(),
        (
            "The contact behind this phone, or the one that `contactId` names, asked not "
            "to receive communication."
        ),
        (
            "Do not send it. The route `otp` is transactional and reaches everybody; it "
            "is not for anything else."
        ),
        SEND_SMS,
    ),
    ErrorDoc(
        NoSuchContact(),
        "`contactId` names no contact of this organization in the environment of the credential.",
        (
            "Send the id of one that `GET /contacts` lists, or leave it out: the "
            "recipient is who `to` says."
        ),
        SEND_SMS_RCS_OR_EMAIL,
    ),
    ErrorDoc(
        Landline(),
        "The number is a fixed line, which receives no text messages. A live send to "
        "it is refused before any charge; "
        "in the sandbox the last digits decide, as for every number.",
        "Send to a mobile number.",
        SEND_SMS_OR_RCS,
    ),
)

LIMITED = (
    ErrorDoc(
        AboveCeiling(Grant(0, 0, 1)),
        "More SMS per second than contracted. No message was stored.",
        (
            "Spread the sends: the headers `RateLimit-Policy` and `RateLimit` tell the "
            "ceiling and what is left of it."
        ),
        SEND_SMS,
    ),
    ErrorDoc(
        ProviderThrottled(MESSAGE, retry_after=5),
        "The provider limits the route right now. The message is stored as failed "
        "under `meta.messageId`; nothing "
        "was sent or charged.",
        "Wait for `Retry-After` and send again; the same Idempotency-Key makes a new send.",
        SEND_SMS,
    ),
)

UPSTREAM = (
    ErrorDoc(
        ProviderRefused(MESSAGE),
        "The provider failed before it took the message. It is stored as failed "
        "under `meta.messageId`; nothing was "
        "sent or charged.",
        "Send it again; the same Idempotency-Key makes a new send.",
        SEND_SMS_OR_RCS,
    ),
    ErrorDoc(
        OutcomeUnknown(MESSAGE),
        "The provider was reached and did not answer in time: the message may be on its way.",
        "Do not send it with a new key, which could send it twice. Read it by "
        "`meta.messageId`, or repeat the request "
        "with the same Idempotency-Key: both tell what became of it.",
        SEND_SMS_OR_RCS,
    ),
)

UNAVAILABLE = (
    ErrorDoc(
        ProviderOutOfCredit(MESSAGE),
        "The provider takes no messages now (sandbox: a recipient that ends in "
        "0114). The message is stored as failed "
        "under `meta.messageId`; nothing was sent or charged.",
        "Try again later; the same Idempotency-Key makes a new send.",
        SEND_SMS_OR_RCS,
    ),
    ErrorDoc(
        NoProvider(),
        "No provider is configured for live sends in this installation. Nothing was stored.",
        "Use a test key, or have the operator configure one.",
        SEND_SMS_OR_RCS,
    ),
)
