"""The shapes of accounts and sessions."""

from typing import Literal

from rest_api.support.shapes import Env, Listed, Out, Timestamp


class Account(Out):
    """A person who works for an organization. Without pii:full the e-mail address is masked, but
    for one's own.
    """

    id: str
    organization_id: str
    name: str
    email: str | None
    role: Literal["owner", "admin", "operator"]
    status: Literal["invited", "active", "suspended"]
    created_at: Timestamp


class AccountPage(Listed):
    """Accounts in the order in which they came."""

    items: list[Account]
    total: int
    next_cursor: str | None = None


class OpenedSession(Out):
    """The token is shown this once. `expiresAt` moves on with each use, until seven days after the
    log-in.
    """

    token: str
    expires_at: Timestamp
    account: Account


class OwnOrganization(Out):
    """Whom the credential works for."""

    id: str
    nome: str


class OwnLimits(Out):
    """The ceilings that hold for the organization in this environment."""

    sms_per_second: int
    graphql_cost: int


class OwnCredential(Out):
    """The credential at work; a key has its name and, as `prefixo`, how its owner recognises it."""

    id: str
    kind: Literal["key", "session"]
    nome: str | None = None
    prefixo: str | None = None


class Me(Out):
    """What a credential is, and what it may do."""

    organization: OwnOrganization
    env: Env
    scopes: list[str]
    expires_at: Timestamp | None
    limits: OwnLimits
    credential: OwnCredential
    account: Account | None
