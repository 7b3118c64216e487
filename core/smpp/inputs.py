"""What a caller may say about accounts, binds and what waits for them."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from core.foundation.security.caller import Env
from core.foundation.validation.inputs import Changes, Input, KeptWhenLeftOut, SkipPage
from core.foundation.validation.time_zones import Zone
from core.organizations.keys.inputs import Networks
from core.smpp.models import (
    Charset,
    DeliveryStatus,
    LongReplies,
    ReceiptIds,
    Throttle,
    WhichReceipts,
)

MAX_BINDS = 50
MAX_WINDOW = 1000
MAX_DEDUPE_SECONDS = 120
MAX_CERTIFICATES = 10

AccountRoute = Literal["premium", "otp", "la_dedicada"]
"""The routes of SMS (core.sms.SmsRoute, which is above this package)."""

SystemId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{3,15}$")]
Binds = Annotated[int, Field(ge=1, le=MAX_BINDS, description="Binds at once, in all processes")]
Window = Annotated[
    int, Field(ge=1, le=MAX_WINDOW, description="Submits of a bind that are worked on at once")
]
Route = Annotated[AccountRoute, Field(description="What messages without a service_type leave by")]
ByThrottle = Annotated[
    Throttle, Field(description="What happens above the ceiling of the organization")
]
OfCharset = Annotated[Charset, Field(description="What data_coding 0 means")]
DedupeSeconds = Annotated[
    int,
    Field(
        ge=0,
        le=MAX_DEDUPE_SECONDS,
        description="For how many seconds the same submit again is the first message; 0: never",
    ),
]
OfReceipts = Annotated[
    WhichReceipts, Field(description="Of which messages its clients get receipts")
]
OfReceiptIds = Annotated[ReceiptIds, Field(description="What receipts of a text in parts are of")]
ReceiptZone = Annotated[
    Zone, Field(description="The time zone of the times in receipts, by its IANA name")
]
OfLongReplies = Annotated[
    LongReplies, Field(description="How replies come that are longer than a message")
]


def _plain_fingerprint(text: str) -> str:
    return text.replace(":", "").lower()


def _once_each(values: list[str]) -> list[str]:
    return list(dict.fromkeys(values))


Fingerprint = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9A-Fa-f]{2}(?::?[0-9A-Fa-f]{2}){31}$"),
    AfterValidator(_plain_fingerprint),
]
Certificates = Annotated[
    list[Fingerprint],
    Field(
        min_length=1,
        max_length=MAX_CERTIFICATES,
        description="SHA-256 fingerprints of the TLS certificates, of which its clients show one",
    ),
    AfterValidator(_once_each),
]
AccountId = Annotated[str, StringConstraints(min_length=1, max_length=30)]


class NewSmppAccount(Input):
    """An account to open. In live it names the networks that it may be used from: eight characters
    of a password are not enough alone.
    """

    env: Env = Field(description="The environment that it sends in")
    system_id: SystemId = Field(
        description="What clients name themselves by: 3 to 15 letters, digits, `.`, `_`, `-`; nobody else has it"
    )
    route: Route = "premium"
    ips: Networks | None = None
    max_binds: Binds = 4
    window: Window = 10
    throttle: ByThrottle = Throttle.REFUSE
    charset: OfCharset = Charset.GSM
    dedupe_seconds: DedupeSeconds = 0
    receipts: OfReceipts = WhichReceipts.AS_ASKED
    receipt_ids: OfReceiptIds = ReceiptIds.ALL
    receipt_zone: ReceiptZone = "UTC"
    long_replies: OfLongReplies = LongReplies.PARTS
    certificates: Certificates | None = None


class SmppAccountChanges(Changes):
    """What changes about an account; what is left out stays. `ips` null: from anywhere, which an
    account of live cannot be; `certificates` null: without one.
    """

    route: KeptWhenLeftOut[Route] = None
    ips: Networks | None = None
    max_binds: KeptWhenLeftOut[Binds] = None
    window: KeptWhenLeftOut[Window] = None
    throttle: KeptWhenLeftOut[ByThrottle] = None
    charset: KeptWhenLeftOut[OfCharset] = None
    dedupe_seconds: KeptWhenLeftOut[DedupeSeconds] = None
    receipts: KeptWhenLeftOut[OfReceipts] = None
    receipt_ids: KeptWhenLeftOut[OfReceiptIds] = None
    receipt_zone: KeptWhenLeftOut[ReceiptZone] = None
    long_replies: KeptWhenLeftOut[OfLongReplies] = None
    certificates: Certificates | None = None


class SmppPasswordRotation(Input):
    """A new password. The old one opens until the overlap ends."""

    overlap_hours: Annotated[int, Field(ge=0, le=168)] = Field(
        default=24, description="Hours for which both passwords open"
    )


class SmppAccountFilter(SkipPage):
    """Which accounts to list."""

    env: Env | None = Field(
        default=None, description="Accounts of this environment; of both unless told"
    )


class SmppBindFilter(SkipPage):
    """Which binds to list."""

    account_id: str | None = Field(default=None, description="Those of this account only")


class SmppDeliveryFilter(SkipPage):
    """Which receipts and replies to list."""

    account_id: str | None = Field(default=None, description="Those for this account only")
    status: DeliveryStatus | None = Field(
        default=None, description="Those that are still tried, were given up, or have expired"
    )


class SmppReplay(Input):
    """What is delivered again: all that waits for an account, the dead included."""

    account_id: AccountId = Field(description="The account")
