"""Sessions as the interface spells them."""

from typing import Annotated, TypedDict

from core.foundation.records import Doc, Id, Instant, Page, Record, named
from core.foundation.security.caller import Environment
from core.organizations.accounts.record import AccountRecord


class OpenedSession(TypedDict):
    """The token is shown this once. `expiresAt` moves on with each use, until seven days after the
    log-in.
    """

    token: Annotated[str, Doc("Goes where an API key goes: `Authorization: Bearer …`")]
    expiresAt: Annotated[Instant, Doc("When the session ends unless it is used")]
    account: Annotated[AccountRecord, Doc("Who has logged in")]
    secondFactorDue: Annotated[
        bool,
        Doc("Whether the session only adds a second factor, which the organization demands"),
    ]


@named(rest="Session", graphql="Session")
class SessionRecord(TypedDict):
    """A log-in that is still open. `credential.id` of `GET /v2/me` names the one that calls."""

    id: Annotated[Id, Doc("Names the session")]
    accountId: Annotated[Id, Doc("Who has logged in")]
    env: Annotated[Environment, Doc("Where the session works")]
    createdAt: Annotated[Instant, Doc("When the person logged in")]
    lastUsedAt: Annotated[Instant, Doc("When the session was last used, to the minute")]
    expiresAt: Annotated[
        Instant,
        Doc("When the session ends unless it is used; at the latest 7 days after the log-in"),
    ]


SESSION = Record(SessionRecord)


class SessionPage(Page[SessionRecord]):
    """Open sessions, the newest log-in first."""
