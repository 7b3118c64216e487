"""The meaning of what EUM answers to SendTextMessage."""

from core.foundation.json_values import read_object
from core.providers.amazon.calls import ErrorBody, error_of
from core.providers.contracts import (
    Accepted,
    Answer,
    Failed,
    OutOfCredit,
    Refused,
    SmsRefusal,
    Throttled,
    Unknown,
)
from core.providers.gateway.exchange import HttpReply, Silence

OPTED_OUT = "DESTINATION_PHONE_NUMBER_OPTED_OUT"
SPENT = "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT"
DESTINATION = "DestinationPhoneNumber"

REFUSALS: dict[str, SmsRefusal] = {
    "DESTINATION_COUNTRY_BLOCKED": "carrier_rejected",
    "DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION": "carrier_rejected",
    "DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE": "carrier_rejected",
    "INVALID_IDENTITY_FOR_DESTINATION_COUNTRY": "carrier_rejected",
    "PRICE_OVER_THRESHOLD": "carrier_rejected",
}
"""Reasons that speak of this recipient: another try would end the same."""

REMEDIES = {
    "DESTINATION_PHONE_NUMBER_NOT_VERIFIED": (
        "the account is in Amazon's sandbox: ask for production access"
    ),
    "NO_ORIGINATION_IDENTITIES_FOUND": "no origin can send there: SVC_EUM_ORIGIN_…",
    "ResourceNotFoundException": (
        "an origin or the configuration set is not there: SVC_EUM_ORIGIN_…, "
        "SVC_EUM_CONFIGURATION_SET"
    ),
    "MESSAGE_TYPE_MISMATCH": "the origin is for another type of message: SVC_EUM_ORIGIN_…",
    "SENDER_ID_REQUIRES_REGISTRATION": "the sender id has to be registered: SVC_EUM_ORIGIN_…",
    "SENDER_ID_NOT_REGISTERED": "the sender id has to be registered: SVC_EUM_ORIGIN_…",
    "ACCOUNT_DISABLED": "the account is disabled: ask Amazon",
    "INSUFFICIENT_ACCOUNT_REPUTATION": "the account's reputation is too low: ask Amazon",
    "AccessDeniedException": (
        "the credentials may not: sms-voice:SendTextMessage (svc amazon setup --print)"
    ),
    "ExpiredTokenException": "the credentials have expired",
    "UnrecognizedClientException": "the credentials are not known to Amazon",
    "InvalidSignatureException": "the secret key is wrong, or this machine's clock is",
    SPENT: "the monthly spend limit is reached: ask Amazon to raise it",
}
"""What to do, for the log and for `svc doctor`."""


def answer_of(reply: HttpReply | Silence) -> Answer:
    """What became of a send: `Failed` only where Amazon cannot have taken it."""
    if isinstance(reply, Silence):
        return Unknown() if reply.handed_over else Failed()
    if 200 <= reply.status < 300:
        reference = reference_in(read_object(reply.body).get("MessageId"))
        return Accepted(reference) if reference else Unknown()
    error = error_of(reply)
    if reply.status == 429 or error.code == "ThrottlingException":
        return Throttled(1)
    if error.code:
        return _refusal(error)
    # Nothing of Amazon's can be read: a proxy's word, or half of an answer.
    return Failed() if 400 <= reply.status < 500 else Unknown()


def _refusal(error: ErrorBody) -> Answer:
    if error.reason == SPENT:
        return OutOfCredit()
    if error.reason == OPTED_OUT:
        return Refused("blacklisted", opted_out=True)
    if (reason := REFUSALS.get(error.reason)) is not None:
        return Refused(reason)
    if error.code == "ValidationException" and DESTINATION in error.fields:
        return Refused("invalid_number")
    return Failed()


def remedy_for(error: ErrorBody) -> str | None:
    """What to do about an error, where we know."""
    return REMEDIES.get(error.reason) or REMEDIES.get(error.code)


def reference_in(value: object) -> str:
    """An id of Amazon's; empty where it is none: the message may have been taken all the same."""
    if not isinstance(value, str) or not 0 < len(value) <= 80:
        return ""
    return value if value.isascii() and value.isprintable() else ""
