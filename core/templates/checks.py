"""Checks of a written template against stored rows: names, flows, numbers."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from core.foundation.database import db
from core.foundation.database.unique_violations import conflict_as
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import Caller
from core.numbers import Number
from core.templates.errors import TemplateNameTaken, UnknownTemplateNumber
from core.templates.models import Template, TemplateCategory
from core.templates.sending import flows_in
from core.templates.validation.components import defects_of


async def refuse_unfit_components(
    caller: Caller,
    number_id: str,
    components: Sequence[Mapping[str, Any]],
    category: TemplateCategory,
) -> None:
    """Name every component that does not go with the category, or opens a flow that the number does
    not have.
    """
    errors = [
        FieldError(
            "pointer", "/".join(["/components", *map(str, one.place)]), one.code, one.message
        )
        for one in defects_of(components, category)
    ]
    flows = flows_in(components)
    known = await db.fetch_for(flows, FLOWS, caller.organization_id, caller.env, number_id, flows)
    if len(known) < len(flows):
        index = next(index for index, one in enumerate(components) if one["type"] == "BUTTONS")
        buttons = components[index]["payload"]["buttons"]
        place = next(place for place, button in enumerate(buttons) if button["type"] == "FLOW")
        pointer = f"/components/{index}/payload/buttons/{place}/flowId"
        errors.append(
            FieldError("pointer", pointer, "not_found", "The number has no flow of this id")
        )
    if errors:
        raise ValidationFailed(errors=errors)


async def require_number(caller: Caller, number_id: str) -> None:
    """Raises UnknownTemplateNumber."""
    if not await Number.visible_to(caller).filter(id=number_id).exists():
        raise UnknownTemplateNumber


async def refuse_taken_name(template: Template) -> None:
    """The database decides between two that come at once; this finds one whose version has moved
    on.
    """
    same = Template.filter(
        organization_id=template.organization_id,
        env=template.env,
        number_id=template.number_id,
        name=template.name,
        language=template.language,
    )
    if await same.exclude(id=template.id).exists():
        raise TemplateNameTaken


async def locked_template(caller: Caller, id: str) -> Template:
    """The caller's template, locked until the transaction ends. Raises NotFound."""
    return await Template.own(caller, "tpl", id, lock=True)


one_name_each = partial(conflict_as, {"templates_once": TemplateNameTaken})
"""The database decides who had the name first. Raises TemplateNameTaken."""


FLOWS = """
SELECT id FROM flows
WHERE organization_id = $1 AND env = $2 AND number_id = $3 AND id = ANY ($4) AND status IN ('draft', 'active', 'paused')
"""
