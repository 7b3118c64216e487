"""The people of an organization."""

import strawberry

from core.organizations.models import AccountStatus as Status
from core.organizations.models import Role
from graphql_api.enums import wire_enum
from graphql_api.nodes.schema import Node
from graphql_api.scalars import DateTime

AccountRole = wire_enum("AccountRole", Role)
AccountStatus = wire_enum("AccountStatus", Status)


@strawberry.type(
    description="A person who works for the organization. Addresses are masked without pii:full."
)
class Account(Node):
    organization_id: strawberry.ID
    name: str
    email: str | None
    role: AccountRole
    status: AccountStatus
    created_at: DateTime
