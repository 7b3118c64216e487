"""The sandbox's endings of SMS and RCS: the last digits of the recipient choose the outcome."""

from dataclasses import dataclass

PROVIDER = "svc-sandbox"


@dataclass(frozen=True, slots=True)
class Ending:
    """What the recipient's last digits stand for.

    `status` None: no report, ever. `refused`: the provider is out of credit and says so at once.
    `path`: the way that a rich message took; `then`: what is reported after `status`.
    """

    status: str | None
    reason: str | None = None
    refused: bool = False
    path: str | None = None
    then: str | None = None


DELIVERED = Ending("delivered")

SMS: dict[str, Ending] = {
    "0005": DELIVERED,
    "0006": Ending("undelivered", "carrier_rejected"),
    "0008": Ending("failed", "invalid_number"),
    "0013": Ending("failed", "expired"),
    "0018": Ending("failed", "blacklisted"),
    "0099": Ending(None),
    "0114": Ending(None, refused=True),
}


RCS_DELIVERED = Ending("delivered", path="rcs")

RCS: dict[str, Ending] = {
    "0005": Ending("delivered", path="rcs", then="read"),
    "0006": Ending("failed", "no_rcs"),
    "0008": Ending("failed", "rejected", path="rcs"),
    "0013": Ending("failed", "expired", path="rcs"),
    "0099": Ending(None),
    "0114": Ending(None, refused=True),
}


def reference_of(message_id: str) -> str:
    """The id that the sandbox, as a provider, gives a message."""
    return f"sbx_{message_id[4:]}"


def sms_ending(recipient: str) -> Ending:
    """The ending of an SMS to this E.164 number; delivered when the digits say nothing."""
    return SMS.get(recipient[-4:], DELIVERED)


def rcs_ending(recipient: str, *, fallback: bool) -> Ending:
    """The ending of an RCS message to this E.164 number; with a fallback who has no RCS receives an
    SMS.
    """
    ending = RCS.get(recipient[-4:], RCS_DELIVERED)
    return Ending("delivered", path="sms") if fallback and ending.reason == "no_rcs" else ending
