"""Use cases: read one template, and pages of them."""

from typing import Any

from core.foundation.database import db
from core.foundation.database.newest_page import newest_page
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.templates.conditions import narrow_templates
from core.templates.inputs import TemplateFilter
from core.templates.record import template_record


async def get_template(caller: Caller, id: str) -> dict[str, Any]:
    """One template of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.TEMPLATES_READ)
    row = (
        await db.fetchrow(ONE, caller.organization_id, caller.env, id) if is_id("tpl", id) else None
    )
    if row is None:
        raise NotFound
    return template_record(row)


async def list_templates(caller: Caller, filter: TemplateFilter) -> dict[str, Any]:
    """A page of templates, newest first: `{items, total, nextCursor?}`. Raises ValidationFailed for
    a wrong cursor.
    """
    caller.require(Scope.TEMPLATES_READ)
    where = Where.visible_to(caller)
    narrow_templates(
        where,
        status=filter.status,
        category=filter.category,
        language=filter.language,
        number_id=filter.number_id,
    )
    return await newest_page("templates", where, filter, template_record)


ONE = "SELECT * FROM templates WHERE organization_id = $1 AND env = $2 AND id = $3"
