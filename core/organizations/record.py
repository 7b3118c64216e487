"""What a credential learns of itself, as the interface spells it."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.described_enum import DescribedEnum
from core.foundation.records import Doc, Id, Instant, named
from core.foundation.security.caller import CredentialKind, Environment
from core.organizations.accounts.record import AccountRecord


@named(rest="OwnOrganization", graphql="Organization")
class OrganizationRecord(TypedDict):
    """Whom a credential works for."""

    id: Annotated[Id, Doc("Names the organization")]
    nome: Annotated[str, Doc("What the organization is called")]


class OwnLimits(TypedDict):
    """The ceilings that hold for the organization in this environment."""

    smsPerSecond: Annotated[int, Doc("How many SMS it may send in a second")]
    graphqlCost: Annotated[int, Doc("How many points of GraphQL it may use up at once")]


class Capability(DescribedEnum):
    """Something that a client asks for before it relies on it."""

    DRY_RUN = "dry-run", "Writes are rehearsed with the header `X-SVC-Dry-Run: true`"


class OwnCredential(TypedDict):
    """The credential at work. A key has a name, and the beginning by which its owner recognises
    it.
    """

    id: Annotated[Id, Doc("Names the key or the session")]
    kind: Annotated[CredentialKind, Doc("Whether it is a key or a session")]
    nome: NotRequired[Annotated[str, Doc("The name of the key")]]
    prefixo: NotRequired[Annotated[str, Doc("The first characters of the key")]]


@named(rest="Me", graphql="Me")
class MeRecord(TypedDict):
    """What a credential is, and what it may do."""

    organization: Annotated[OrganizationRecord, Doc("Whom it works for")]
    env: Annotated[Environment, Doc("Where it works")]
    scopes: Annotated[list[str], Doc("What it may do")]
    expiresAt: Annotated[
        Instant | None,
        Doc(
            "When it ends; that of a session moves on with each use, to seven days after the log-in"
        ),
    ]
    limits: Annotated[OwnLimits, Doc("The ceilings that hold for its calls")]
    capacidades: Annotated[list[Capability], Doc("What this version of the service can do")]
    credential: Annotated[OwnCredential, Doc("The key or the session itself")]
    account: Annotated[AccountRecord | None, Doc("The person who logged in, or who issued the key")]
