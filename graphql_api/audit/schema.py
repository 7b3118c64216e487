"""The audit trail."""

import strawberry
from strawberry import UNSET

from core.audit import AuditRecord
from core.read_models.audit import AUDIT_ENTRY
from graphql_api.connections import Connection, connection_field, node_field
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type
from graphql_api.scalars import DateTime


@record_type(AuditRecord)
class AuditEntry(Node):
    """Something that was done, by whom, and with what it was done to."""


@strawberry.input(description="Conditions that all hold.")
class AuditFilter:
    action: str | None = strawberry.field(
        default=UNSET, description="The whole name of an action, such as `contact.deleted`"
    )
    subject_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The id of what the action was done to"
    )
    actor_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The id of the account or the key that did it"
    )
    since: DateTime | None = strawberry.field(
        default=UNSET, description="Done at or after this instant"
    )
    until: DateTime | None = strawberry.field(
        default=UNSET, description="Done at or before this instant"
    )


@strawberry.type
class AuditQueries:
    audit_entry: AuditEntry | None = node_field(AUDIT_ENTRY)
    audit_entries: Connection[AuditEntry] | None = connection_field(
        AUDIT_ENTRY,
        filter=AuditFilter,
        description="What was done, newest first; what concerns the organization as a whole stands "
        "in `live`",
    )
