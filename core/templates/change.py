"""Use case: change a template; unused ones in place, one in use by a new version beside it."""

from datetime import datetime

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.templates.checks import (
    locked_template,
    one_name_each,
    refuse_taken_name,
    refuse_unfit_components,
)
from core.templates.errors import (
    ImmutableTemplateCategory,
    ImmutableTemplateName,
    NewerTemplateVersion,
    TemplateStatusConflict,
)
from core.templates.inputs import TemplateChanges, stored_components
from core.templates.models import Template, TemplateStatus
from core.templates.record import TemplateRecord, template_record

IN_PLACE = (TemplateStatus.DRAFT, TemplateStatus.REJECTED)
BY_VERSION = (TemplateStatus.APPROVED, TemplateStatus.PAUSED)


async def change_template(caller: Caller, id: str, changes: TemplateChanges) -> TemplateRecord:
    """Change what was sent; answers the record that has it.

    A draft is changed in place; so is a rejected one, which becomes a draft of the next version. Of
    an approved or paused one a new draft is made, which names it in `versaoDe`; it stays as it is
    until that draft is approved. Raises NotFound, TemplateStatusConflict, NewerTemplateVersion,
    ImmutableTemplateName, ImmutableTemplateCategory, TemplateNameTaken and ValidationFailed.
    """
    caller.require(Scope.TEMPLATES_WRITE)
    at = now()
    with one_name_each():
        async with transaction():
            found = await locked_template(caller, id)
            if not changes.model_fields_set:
                return template_record(found)
            if found.status not in (*IN_PLACE, *BY_VERSION):
                raise TemplateStatusConflict(
                    "A template under review or disabled cannot be changed.", found.status
                )
            if found.status in BY_VERSION and (newer := await _newer_version(found)):
                raise NewerTemplateVersion(newer)
            changed = _changed(found, changes, at=at)
            # The platform keeps the category of what it knows: another one here would let
            # advertising pass for something else and reach those who asked not to receive any.
            if changed.category != found.category and changed.is_known_there:
                raise ImmutableTemplateCategory
            await refuse_unfit_components(
                caller, changed.number_id, changed.components, changed.category
            )
            if _names(changed) != _names(found):
                if found.version > 1 or found.status is not TemplateStatus.DRAFT:
                    raise ImmutableTemplateName
                await refuse_taken_name(changed)
            await changed.save(force_create=changed.id != id, force_update=changed.id == id)
            facts = {
                "version": changed.version,
                "of": changed.version_of,
                "changed": sorted(changes.model_fields_set),
            }
            await audit.write_entry(caller, "template.changed", changed.id, facts, at=at)
    return template_record(changed)


def _changed(found: Template, changes: TemplateChanges, *, at: datetime) -> Template:
    """The template as it is to be: the same row, or a new one that is to replace it. `found` stays
    as it is.
    """
    changed = found.clone(pk=found.id)
    sent = changes.model_fields_set
    for name in sent - {"components"}:
        setattr(changed, name, getattr(changes, name))
    if changes.components is not None:
        changed.components = stored_components(changes.components)
    changed.updated_at = at
    if found.status is not TemplateStatus.DRAFT:
        changed.status = TemplateStatus.DRAFT
        changed.version = found.version + 1
        changed.rejection_reason = None
    if found.status in BY_VERSION:
        changed.id = new_id("tpl")
        changed.version_of = found.id
        changed.meta_template_id = None
        changed.created_at = at
    return changed


def _names(template: Template) -> tuple[str, str]:
    return template.name, template.language


async def _newer_version(template: Template) -> str | None:
    newer = await Template.filter(
        organization_id=template.organization_id, env=template.env, version_of=template.id
    ).first()
    return None if newer is None else newer.id
