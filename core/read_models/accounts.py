"""The people of an organization, read field by field. They work in both of its environments."""

from core.foundation.security.caller import Scope
from core.foundation.security.masks import mask_email
from core.read_models.query_compiler import Entity, Field, column, time

FIELDS = {
    "id": column("id"),
    "organizationId": column("organization_id"),
    "name": column("name"),
    "email": Field("{t}.email", masked=mask_email),
    "role": column("role"),
    "status": column("status"),
    "createdAt": time("created_at"),
}

ACCOUNT = Entity(
    name="Account",
    table="(SELECT *, $2::text AS env FROM accounts)",
    alias="a",
    scope=Scope.CRM_READ,
    prefix="acc",
    fields=FIELDS,
)
