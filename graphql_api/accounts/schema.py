"""The people of an organization, and their log-ins."""

import strawberry
from strawberry import UNSET

from core.organizations import (
    AccountRecord,
    AccountStatus,
    OrganizationRecord,
    OrganizationSettings,
    Role,
    SessionRecord,
)
from core.read_models.accounts import ACCOUNT
from core.read_models.sessions import SESSION
from graphql_api.connections import Connection, connection_field, node_field, relation_field
from graphql_api.enums import enum_of
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type, type_of


@record_type(OrganizationRecord)
class Organization(Node):
    """Whom a credential works for."""

    settings: type_of(OrganizationSettings) | None = relation_field(
        "settings",
        description="What holds for everybody of it; in a session that holds accounts:manage",
    )


@record_type(AccountRecord)
class Account(Node):
    """A person who works for the organization, in both of its environments. Addresses are masked
    without pii:full.
    """


@record_type(SessionRecord)
class Session(Node):
    """A log-in that is still open."""

    account: Account | None = relation_field("account", description="Who has logged in")


@strawberry.input(description="Conditions that all hold.")
class AccountFilter:
    status: enum_of(AccountStatus) | None = strawberry.field(
        default=UNSET, description="Accounts in this status only"
    )
    role: enum_of(Role) | None = strawberry.field(
        default=UNSET, description="Accounts with this role only"
    )


@strawberry.input(description="Conditions that all hold.")
class SessionFilter:
    account_id: strawberry.ID | None = strawberry.field(
        default=UNSET,
        description=(
            "Those of this person, for whoever holds accounts:manage; one's own unless told"
        ),
    )


@strawberry.type
class AccountQueries:
    account: Account | None = node_field(ACCOUNT)
    accounts: Connection[Account] | None = connection_field(
        ACCOUNT, filter=AccountFilter, description="In the order in which they came"
    )
    sessions: Connection[Session] | None = connection_field(
        SESSION,
        filter=SessionFilter,
        description="Log-ins that are open, in either environment, newest first; in a session only",
    )
