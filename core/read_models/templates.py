"""Templates, read field by field."""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, fields_of
from core.templates import record
from core.templates.conditions import narrow_templates


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
    fields=fields_of(record.TEMPLATE),
    narrow=_narrow,
)
