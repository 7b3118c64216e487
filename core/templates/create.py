"""Use case: create a template."""

from core import audit
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.templates.checks import (
    one_name_each,
    refuse_taken_name,
    refuse_unfit_components,
    require_number,
)
from core.templates.inputs import NewTemplate, stored_components
from core.templates.models import Template, TemplateStatus
from core.templates.record import TemplateRecord, template_record


async def create_template(caller: Caller, new: NewTemplate) -> TemplateRecord:
    """Store a draft; answers the record. Raises UnknownTemplateNumber, ValidationFailed and
    TemplateNameTaken.
    """
    caller.require(Scope.TEMPLATES_WRITE)
    at = now()
    components = stored_components(new.components)
    await require_number(caller, new.number_id)
    await refuse_unfit_components(caller, new.number_id, components, new.category)
    draft = Template(
        id=new_id("tpl"),
        **owned_by(caller),
        number_id=new.number_id,
        name=new.name,
        language=new.language,
        category=new.category,
        status=TemplateStatus.DRAFT,
        components=components,
        header_example_url=new.header_example_url,
        version=1,
        created_at=at,
        updated_at=at,
    )
    with one_name_each():
        async with transaction():
            await refuse_taken_name(draft)
            await draft.save(force_create=True)
            await audit.write_entry(
                caller, "template.created", draft.id, {"category": new.category.value}, at=at
            )
    return template_record(draft)
