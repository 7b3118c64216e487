"""Use case: delete a template, here and on the platform, unless messages are about to leave with it."""

from core import templates
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.dry_run import refuse_dry_run
from core.foundation.security.caller import Caller, Scope


async def delete_template(caller: Caller, id: str) -> None:
    """Remove a template for good; the platform forgets it first.

    Raises NotFound, TemplateStatusConflict while it is under review, TemplateInUse while messages wait to
    leave with it, NoTemplatePlatform, and DependencyFailed when the platform does not remove it: then it
    stays here too.
    """
    caller.require(Scope.TEMPLATES_WRITE)
    refuse_dry_run()
    async with transaction():
        found = await _deletable(caller, id)
        known_there = await templates.is_the_last_there(found)
    if known_there:
        await templates.remove_there(found)
    async with transaction():
        await templates.remove(caller, await _deletable(caller, id), at=now())


async def _deletable(caller: Caller, id: str) -> templates.Template:
    found = await templates.lock_deletable(caller, id)
    if await db.fetchval(IN_USE, caller.organization_id, caller.env, id, found.number_id):
        raise templates.TemplateInUse
    return found


# Of what waits to leave the number or is leaving, which have indexes of their own; a template has
# none.
IN_USE = """
SELECT true FROM waiting_messages w JOIN messages m ON m.id = w.message_id AND m.organization_id = w.organization_id
WHERE w.sender_id = $4 AND w.organization_id = $1 AND w.env = $2 AND m.template_id = $3
UNION ALL
SELECT true FROM messages
WHERE settle_at IS NOT NULL AND status = 'sending' AND organization_id = $1 AND env = $2 AND template_id = $3
LIMIT 1
"""
