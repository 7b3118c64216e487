"""Who is asking: the organization, the environment and the scopes that a credential stands for."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from core.foundation.described_enum import DescribedEnum
from core.foundation.errors import Forbidden

Env = Literal["live", "test"]


class Environment(DescribedEnum, graphql="Env"):
    """In which of the two worlds of an organization a record lives."""

    LIVE = "live", "The world of live keys: messages reach people and cost money"
    TEST = "test", "The sandbox of test keys: it behaves like the other and reaches nobody"


class CredentialKind(DescribedEnum):
    """What somebody calls with."""

    KEY = "key", "An API key, for programs"
    SESSION = "session", "The token of a person who has logged in"


class Scope(StrEnum):
    """The catalogue of permissions."""

    SMS_READ = "sms:read"
    SMS_SEND = "sms:send"
    RCS_READ = "rcs:read"
    RCS_SEND = "rcs:send"
    EMAIL_READ = "email:read"
    EMAIL_SEND = "email:send"
    PUSH_READ = "push:read"
    PUSH_SEND = "push:send"
    PUSH_SETTINGS = "push:settings"
    MESSAGES_READ = "messages:read"
    MESSAGES_SEND = "messages:send"
    MESSAGES_FORCE = "messages:force"
    NUMBERS_READ = "numbers:read"
    MEDIA_READ = "media:read"
    MEDIA_WRITE = "media:write"
    TEMPLATES_READ = "templates:read"
    TEMPLATES_WRITE = "templates:write"
    FLOWS_READ = "flows:read"
    FLOWS_WRITE = "flows:write"
    CONTACTS_READ = "contacts:read"
    CONTACTS_WRITE = "contacts:write"
    CONTACTS_PII = "contacts:pii"
    PII_FULL = "pii:full"
    CAMPAIGNS_READ = "campaigns:read"
    CAMPAIGNS_WRITE = "campaigns:write"
    CRM_READ = "crm:read"
    CRM_WRITE = "crm:write"
    CRM_DELETE = "crm:delete"
    WEBHOOKS_READ = "webhooks:read"
    WEBHOOKS_WRITE = "webhooks:write"
    WALLET_READ = "wallet:read"
    AUDIT_READ = "audit:read"
    KEYS_MANAGE = "keys:manage"
    ACCOUNTS_MANAGE = "accounts:manage"


SESSION_ONLY = frozenset({Scope.CONTACTS_PII, Scope.KEYS_MANAGE, Scope.ACCOUNTS_MANAGE})
"""Scopes that no API key can hold."""

KEY_SCOPES = frozenset(Scope) - SESSION_ONLY
"""What `--scopes all` means."""

DEFAULT_KEY_SCOPES = KEY_SCOPES - {Scope.PII_FULL, Scope.MESSAGES_FORCE, Scope.CRM_DELETE}
"""What a key holds that was issued without a list."""

IMPLIED = {
    Scope.MESSAGES_READ: frozenset(
        {
            Scope.NUMBERS_READ,
            Scope.MEDIA_READ,
            Scope.TEMPLATES_READ,
            Scope.FLOWS_READ,
            Scope.EMAIL_READ,
        }
    ),
    Scope.MESSAGES_SEND: frozenset({Scope.MEDIA_WRITE}),
}
"""Scopes that an older one also satisfies, so that keys of the original vocabulary keep working."""


def with_implied(scopes: frozenset[Scope]) -> frozenset[Scope]:
    """The scopes together with what they imply."""
    return scopes.union(*(IMPLIED[scope] for scope in scopes if scope in IMPLIED))


class SecondFactorDue(Forbidden):
    """The organization demands a second factor, and the person who has logged in has none yet."""

    default_detail = (
        "The organization demands a second factor; add one (POST /v2/me/second-factor), and the "
        "session does the rest."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "SEGUNDO_FATOR_OBRIGATORIO"})


@dataclass(frozen=True, slots=True)
class Limits:
    """The ceilings that hold for an organization in an environment."""

    sms_per_second: int = 50
    graphql_cost: int = 100_000
    """Points for GraphQL; a quarter of them comes back each second, to one credential a fifth."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A credential at work. Every use case takes one and every row it reads is narrowed by it."""

    organization_id: str
    env: Env
    scopes: frozenset[Scope]
    credential_id: str | None = None
    account_id: str | None = None
    request_id: str | None = None
    kind: Literal["key", "session", "system", "journey"] = "key"
    limits: Limits = Limits()
    unifies_ninth_digit: bool = True
    """Whether the organization holds a Brazilian mobile with and without its ninth digit for one
    phone.
    """
    second_factor_due: bool = False
    """Whether the session only adds the second factor that its organization demands: it has no
    scopes.
    """
    has_clock: bool = False
    """Whether the clock of the sandbox was moved: then it is asked for, with each request."""
    journey_id: str | None = None
    """Of the kind `journey` alone: the version whose steps act."""

    def at_work(self, request_id: str | None) -> "Caller":
        """The same credential in another request. Written out, because `replace` is slow and this
        is every request.
        """
        return Caller(
            self.organization_id,
            self.env,
            self.scopes,
            self.credential_id,
            self.account_id,
            request_id,
            self.kind,
            self.limits,
            self.unifies_ninth_digit,
            self.second_factor_due,
            self.has_clock,
            self.journey_id,
        )

    def may(self, scope: Scope) -> bool:
        """Whether the credential carries the scope."""
        return scope in self.scopes

    def require(self, scope: Scope) -> None:
        """Refuse with Forbidden unless the credential carries the scope."""
        if scope not in self.scopes:
            raise self.refusal_without(scope)

    def refusal_without(self, scope: Scope) -> Forbidden:
        """Why the credential, which lacks the scope, is refused."""
        if self.second_factor_due:
            return SecondFactorDue()
        return Forbidden(meta={"escopoExigido": scope.value})

    def require_second_factor(self) -> None:
        """Refuse with SecondFactorDue a session that only adds its second factor."""
        if self.second_factor_due:
            raise SecondFactorDue

    @property
    def sees_personal_data(self) -> bool:
        """Whether recipients and phones are shown whole to this caller."""
        return Scope.PII_FULL in self.scopes


def system_caller(organization_id: str, env: Env, *, request_id: str | None = None) -> Caller:
    """The service itself at work for an organization: workers and the shell."""
    return Caller(organization_id, env, frozenset(Scope), request_id=request_id, kind="system")


def journey_caller(organization_id: str, env: Env, journey_id: str) -> Caller:
    """A journey at work for its organization: its steps change contacts and cards, and send."""
    whole = frozenset(Scope)
    return Caller(organization_id, env, whole, kind="journey", journey_id=journey_id)


STRANGER = Caller("", "live", frozenset())
"""Whoever calls what needs no credential: no organization, hence no rows, and no scopes."""
