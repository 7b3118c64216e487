"""Removing a template, here and on the platform. (Whether it is in use is asked where messages are at hand.)"""

from datetime import datetime

from core import audit
from core.foundation.errors import DependencyFailed
from core.foundation.security.caller import Caller
from core.numbers import Number, sender_account_of
from core.providers import registry
from core.providers.platform import UpstreamError
from core.templates.checks import locked_template
from core.templates.errors import NoTemplatePlatform, TemplateStatusConflict
from core.templates.models import Template


async def lock_deletable(caller: Caller, id: str) -> Template:
    """A template that is not under review, held until the transaction ends. Raises NotFound and
    TemplateStatusConflict.
    """
    found = await locked_template(caller, id)
    if found.is_under_review:
        raise TemplateStatusConflict(
            "A template under review cannot be deleted; wait for the decision.", found.status
        )
    return found


async def is_the_last_there(template: Template) -> bool:
    """Whether the platform is to forget it: it knows all versions under one id, and keeps it for
    the others.
    """
    if template.env != "live" or template.meta_template_id is None:
        return False
    others = await Template.filter(
        organization_id=template.organization_id,
        env=template.env,
        meta_template_id=template.meta_template_id,
    ).count()
    return others == 1


async def remove(caller: Caller, template: Template, *, at: datetime) -> None:
    """Remove a locked template for good, in the transaction that found it unused."""
    await template.delete()
    facts = {"status": template.status.value}
    await audit.write_entry(caller, "template.deleted", template.id, facts, at=at)


async def remove_there(template: Template) -> None:
    """Let the platform forget it, with no transaction open. Raises NoTemplatePlatform and
    DependencyFailed.
    """
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
