"""Templates, read field by field."""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, Field, column, time
from core.templates.conditions import narrow_templates
from core.templates.record import wire_variables

FIELDS = {
    "id": column("id"),
    "organizationId": column("organization_id"),
    "numberId": column("number_id"),
    "name": column("name"),
    "language": column("language"),
    "category": column("category"),
    "status": column("status"),
    "components": column("components"),
    "variaveis": Field("{t}.components", make=wire_variables),
    "headerExampleUrl": column("header_example_url"),
    "metaTemplateId": column("meta_template_id"),
    "version": column("version"),
    "versaoDe": column("version_of"),
    "rejectionReason": column("rejection_reason"),
    "createdAt": time("created_at"),
    "updatedAt": time("updated_at"),
}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_templates(
        where,
        status=filter.get("status"),
        category=filter.get("category"),
        language=filter.get("language"),
        number_id=filter.get("numberId"),
    )
    return ()


TEMPLATE = Entity(
    name="Template",
    table="templates",
    alias="tp",
    scope=Scope.TEMPLATES_READ,
    prefix="tpl",
    fields=FIELDS,
    narrow=_narrow,
)
