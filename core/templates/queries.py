"""Reading templates."""

from typing import Any

from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.pages import cursor_after, cut, place_behind
from core.foundation.where import Where
from core.templates.conditions import narrow_templates
from core.templates.inputs import TemplateFilter
from core.templates.record import template_record


async def get_template(caller: Caller, id: str) -> dict[str, Any]:
    """One template of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.TEMPLATES_READ)
    row = await db.fetchrow(ONE, caller.organization_id, caller.env, id) if is_id("tpl", id) else None
    if row is None:
        raise NotFound
    return template_record(row)


async def list_templates(caller: Caller, filter: TemplateFilter) -> dict[str, Any]:
    """A page of templates, newest first: `{items, total, nextCursor?}`. Raises ValidationFailed for a wrong cursor."""
    caller.require(Scope.TEMPLATES_READ)
    where = Where([caller.organization_id, caller.env], ["organization_id = $1", "env = $2"])
    narrow_templates(
        where,
        status=filter.status,
        category=filter.category,
        language=filter.language,
        number_id=filter.number_id,
    )
    total = await db.fetchval(f"SELECT count(*) FROM templates WHERE {where}", *where.values)
    if filter.cursor is not None:
        where.narrow("(created_at, id) < ({}, {})", *place_behind(filter.cursor))
    limit = cut(filter.limit)
    rows = await db.fetch(
        f"SELECT * FROM templates WHERE {where} ORDER BY created_at DESC, id DESC "
        f"LIMIT {limit + 1} OFFSET {filter.skip}",
        *where.values,
    )
    page: dict[str, Any] = {"items": [template_record(row) for row in rows[:limit]], "total": total}
    if len(rows) > limit:
        page["nextCursor"] = cursor_after(rows[limit - 1]["created_at"], rows[limit - 1]["id"])
    return page


ONE = "SELECT * FROM templates WHERE organization_id = $1 AND env = $2 AND id = $3"
