"""Use case: delete a template, here and on the platform."""

from core import audit
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import DependencyFailed
from core.foundation.security.caller import Caller, Scope
from core.numbers import Number, sender_account_of
from core.providers import registry
from core.providers.platform import UpstreamError
from core.templates.checks import locked_template
from core.templates.errors import NoTemplatePlatform, TemplateInUse, TemplateStatusConflict
from core.templates.models import Template, TemplateStatus

UNDER_REVIEW = (TemplateStatus.SUBMITTED, TemplateStatus.PENDING)


async def delete_template(caller: Caller, id: str) -> None:
    """Remove a template for good; the platform forgets it first.

    Raises NotFound, TemplateStatusConflict while it is under review, TemplateInUse while messages wait to
    leave with it, NoTemplatePlatform, and DependencyFailed when the platform does not remove it: then it
    stays here too.
    """
    caller.require(Scope.TEMPLATES_WRITE)
    async with transaction():
        found = await _deletable(caller, id)
        known_there = caller.env == "live" and await _is_the_last_there(found)
    if known_there:
        await _remove_there(found)
    at = now()
    async with transaction():
        found = await _deletable(caller, id)
        await found.delete()
        await audit.write_entry(
            caller, "template.deleted", id, {"status": found.status.value}, at=at
        )


async def _deletable(caller: Caller, id: str) -> Template:
    found = await locked_template(caller, id)
    if found.status in UNDER_REVIEW:
        raise TemplateStatusConflict(
            "A template under review cannot be deleted; wait for the decision.", found.status
        )
    if await db.fetchval(IN_USE, caller.organization_id, caller.env, id, found.number_id):
        raise TemplateInUse
    return found


async def _is_the_last_there(template: Template) -> bool:
    """The platform knows all versions under one id: it keeps it for the others."""
    if template.meta_template_id is None:
        return False
    others = await Template.filter(
        organization_id=template.organization_id,
        env=template.env,
        meta_template_id=template.meta_template_id,
    ).count()
    return others == 1


async def _remove_there(template: Template) -> None:
    platform = registry.for_conversations()
    number = await Number.get_or_none(
        id=template.number_id, organization_id=template.organization_id, env=template.env
    )
    if platform is None or number is None:
        raise NoTemplatePlatform
    try:
        await platform.remove_template(
            sender_account_of(number), name=template.name, template_id=template.meta_template_id
        )
    except UpstreamError as failed:
        if not failed.gone:
            facts = {"upstreamCode": failed.code}
            raise DependencyFailed(
                "The platform did not remove the template; try again later.", meta=facts
            ) from None


# Of what waits to leave the number or is leaving, which have indexes of their own; a template has
# none.
IN_USE = """
SELECT true FROM waiting_messages w JOIN messages m ON m.id = w.message_id
WHERE w.sender_id = $4 AND w.organization_id = $1 AND w.env = $2 AND m.template_id = $3
UNION ALL
SELECT true FROM messages
WHERE settle_at IS NOT NULL AND status = 'sending' AND organization_id = $1 AND env = $2 AND template_id = $3
LIMIT 1
"""
