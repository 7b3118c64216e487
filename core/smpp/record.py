"""What is told of accounts, their binds, and what waits for them."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import Column, Doc, Id, Instant, Loaded, Page, Record, named
from core.foundation.security.caller import Env
from core.smpp.inputs import AccountRoute
from core.smpp.models import (
    BindMode,
    Charset,
    DeliveryKind,
    DeliveryStatus,
    LongReplies,
    ReceiptIds,
    SmppAccount,
    Throttle,
    WhichReceipts,
)


@named(rest="SmppAccount", graphql="SmppAccount")
class SmppAccountRecord(TypedDict):
    """What clients of SMPP bind with, without its password."""

    id: Annotated[Id, Doc("Names the account")]
    env: Annotated[Env, Doc("The environment that it sends in")]
    systemId: Annotated[str, Doc("What clients name themselves by")]
    route: Annotated[AccountRoute, Doc("What messages without a service_type leave by")]
    ips: NotRequired[
        Annotated[
            list[str], Doc("The addresses and networks that it binds from; absent: from anywhere")
        ]
    ]
    maxBinds: Annotated[int, Doc("Binds at once, in all processes")]
    window: Annotated[
        int, Column("window_size"), Doc("Submits of a bind that are worked on at once")
    ]
    throttle: Annotated[Throttle, Doc("What happens above the ceiling of the organization")]
    charset: Annotated[Charset, Doc("What data_coding 0 means")]
    dedupeSeconds: Annotated[
        int, Doc("For how many seconds the same submit again is the first message; 0: never")
    ]
    receipts: Annotated[WhichReceipts, Doc("Of which messages its clients get receipts")]
    receiptIds: Annotated[ReceiptIds, Doc("What receipts of a text in parts are of")]
    receiptZone: Annotated[str, Doc("The time zone of the times in receipts")]
    longReplies: Annotated[LongReplies, Doc("How replies come that are longer than a message")]
    certificates: NotRequired[
        Annotated[
            list[str],
            Doc(
                "SHA-256 fingerprints of the TLS certificates, of which its clients show one; absent: they need none"
            ),
        ]
    ]
    createdAt: Annotated[Instant, Doc("When it was opened")]
    revokedAt: NotRequired[Annotated[Instant, Doc("When it was taken back")]]


SMPP_ACCOUNT = Record(SmppAccountRecord)


@named(rest="SmppAccountPage")
class SmppAccountPage(Page[SmppAccountRecord]):
    """A page of accounts, newest first."""


@named(rest="SmppCredentials", graphql="SmppCredentials")
class SmppCredentials(SmppAccountRecord):
    """An account with its password."""

    password: Annotated[str, Loaded(), Doc("The password: it cannot be read again")]


@named(rest="SmppBind", graphql="SmppBind")
class SmppBindRecord(TypedDict):
    """A bind that is open in one of our processes."""

    id: Annotated[Id, Doc("Names the bind")]
    accountId: Annotated[Id, Doc("The account that it is of")]
    env: Annotated[Env, Doc("The environment of the account")]
    mode: Annotated[BindMode, Doc("What it may do")]
    peer: Annotated[str, Doc("The address that it came from")]
    process: Annotated[str, Doc("The process of ours that holds it")]
    submits: Annotated[int, Doc("Messages and parts that came by it, as of the last ten seconds")]
    deliveries: Annotated[int, Doc("Receipts and replies that it took, as of the last ten seconds")]
    windowUsed: Annotated[int, Doc("Requests that were worked on, within the last ten seconds")]
    openedAt: Annotated[Instant, Doc("When it was opened")]
    heardAt: NotRequired[Annotated[Instant, Doc("When the client last said anything")]]


SMPP_BIND = Record(SmppBindRecord)


@named(rest="SmppBindPage")
class SmppBindPage(Page[SmppBindRecord]):
    """A page of binds, newest first."""


@named(rest="SmppDelivery", graphql="SmppDelivery")
class SmppDeliveryRecord(TypedDict):
    """A receipt or a reply that no client has taken yet."""

    id: Annotated[Id, Doc("Names it: the id that its client knows, or that of the reply")]
    accountId: Annotated[Id, Doc("The account that it is for")]
    env: Annotated[Env, Doc("The environment of the account")]
    kind: Annotated[DeliveryKind, Doc("What it is")]
    status: Annotated[DeliveryStatus, Doc("Whether it is still tried")]
    messageId: Annotated[Id, Doc("The message that it tells of")]
    attempts: Annotated[int, Doc("How often it was tried")]
    createdAt: Annotated[Instant, Doc("When it was asked for, or written")]
    dueAt: NotRequired[Annotated[Instant, Doc("When it is tried next; absent: not any more")]]


SMPP_DELIVERY = Record(SmppDeliveryRecord)


@named(rest="SmppDeliveryPage")
class SmppDeliveryPage(Page[SmppDeliveryRecord]):
    """A page of deliveries, newest first."""


@named(rest="SmppReplayed", graphql="SmppReplayed")
class SmppReplayed(TypedDict):
    """What a replay has begun."""

    due: Annotated[int, Doc("How many are due now; 10,000 at most, of which more may wait")]


@named(graphql="SmppWaiting")
class SmppWaiting(TypedDict):
    """What waits for an account; what was given up, or has expired, is not counted."""

    waiting: Annotated[int, Doc("Receipts and replies that are still tried")]
    oldestAt: NotRequired[
        Annotated[
            Instant, Doc("When the oldest one was asked for, or written; null: nothing waits")
        ]
    ]


def account_record(account: SmppAccount) -> SmppAccountRecord:
    """What may be shown of an account."""
    return SMPP_ACCOUNT.make({**vars(account), "window_size": account.window}, unmasked=True)
