"""Use cases: read one template, and pages of them."""

from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.templates.conditions import narrow_templates
from core.templates.inputs import TemplateFilter
from core.templates.models import Template
from core.templates.record import TEMPLATE, TemplatePage, TemplateRecord, template_record


async def get_template(caller: Caller, id: str) -> TemplateRecord:
    """One template of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.TEMPLATES_READ)
    found = await Template.own(caller, "tpl", id)
    return template_record(found)


async def list_templates(caller: Caller, filter: TemplateFilter) -> WrittenPage[TemplatePage]:
    """A page of templates, newest first. Raises ValidationFailed for a wrong cursor."""
    caller.require(Scope.TEMPLATES_READ)
    where = Where.visible_to(caller)
    narrow_templates(
        where,
        status=filter.status,
        category=filter.category,
        language=filter.language,
        number_id=filter.number_id,
    )
    return await newest_records(caller, TEMPLATE, "templates", where, filter)
