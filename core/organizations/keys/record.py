"""What may be shown of a key after its issue."""

from datetime import datetime
from typing import Annotated, NotRequired, TypedDict

from core.foundation.clock import moment_of, real_now
from core.foundation.records import Column, Doc, Id, Instant, Loaded, Made, Page, Record, named
from core.foundation.security.caller import Env
from core.organizations.keys.status import KeyStatus, status_at
from core.organizations.models import ApiKey
from core.webhooks import SubscriptionOfKey


def _status(revoked_at: datetime | str | None, expires_at: datetime | str | None) -> KeyStatus:
    return status_at(revoked_at, None if expires_at is None else moment_of(expires_at), real_now())


STATUS = (
    f"CASE WHEN revoked_at IS NOT NULL THEN '\"{KeyStatus.REVOKED}\"' "
    f"WHEN expires_at <= asked_at THEN '\"{KeyStatus.EXPIRED}\"' ELSE '\"{KeyStatus.ACTIVE}\"' END"
)
"""The same in SQL; a list has the time of now as `asked_at`."""


@named(rest="ApiKey", graphql="ApiKey")
class KeyRecord(TypedDict):
    """A key without its text."""

    id: Annotated[Id, Doc("Names the key")]
    nome: Annotated[str, Column("name"), Doc("What the key is called")]
    env: Annotated[Env, Doc("The environment that it works in")]
    prefixo: Annotated[str, Column("prefix"), Doc("How the key begins, to recognise it by")]
    scopes: Annotated[list[str], Doc("What it may do")]
    ips: NotRequired[
        Annotated[
            list[str], Doc("The addresses and networks that it opens from; absent: from anywhere")
        ]
    ]
    status: Annotated[
        KeyStatus,
        Made(_status, ("revoked_at", "expires_at"), sql=STATUS),
        Doc("Whether it opens"),
    ]
    expiraEm: NotRequired[
        Annotated[Instant, Column("expires_at"), Doc("When it stops opening; absent: never")]
    ]
    createdById: Annotated[Id, Doc("The account that issued it")]
    createdAt: Annotated[Instant, Doc("When it was issued")]
    lastUsedAt: NotRequired[
        Annotated[Instant, Doc("When it was last used; absent while it was not")]
    ]
    revokedAt: NotRequired[Annotated[Instant, Doc("When it was taken back")]]
    replacedById: NotRequired[Annotated[Id, Doc("The key that took its place")]]


KEY = Record(KeyRecord)


@named(rest="ApiKeyPage")
class KeyPage(Page[KeyRecord]):
    """A page of keys, newest first."""


@named(rest="IssuedApiKey", graphql="IssuedApiKey")
class IssuedKey(KeyRecord):
    """A new key with its text."""

    key: Annotated[str, Loaded(), Doc("The key itself: it cannot be read again")]


@named(rest="ApiKeyWithWebhooks", graphql="RevokedApiKey")
class KeyWithSubscriptions(KeyRecord):
    """A key and the webhook subscriptions that were created with it."""

    webhooks: Annotated[
        list[SubscriptionOfKey],
        Loaded(),
        Doc("The subscriptions created with it, or with a key that it replaced"),
    ]


def key_record(key: ApiKey) -> KeyRecord:
    """The record of a key as it stands now; never the key itself."""
    return KEY.make(vars(key), unmasked=True)
