"""Recording an open that the app reports: the only source of the open rate."""

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.push.announce import announce
from core.push.device_record import CountedOpen
from core.push.inputs import Opened
from core.push.register_device import token_hash


async def record_open(caller: Caller, id: str, opened: Opened) -> CountedOpen:
    """Count the first open on a device, or, without one, the first open at all. Raises NotFound."""
    caller.require(Scope.PUSH_SEND)
    scope = (caller.organization_id, caller.env, id if is_id("psh", id) else None)
    async with transaction():
        if not await db.fetchval(EXISTS, *scope):
            raise NotFound
        if opened.token is None:
            counted = await db.fetchval(OPEN, *scope) is not None
        else:
            counted = (
                await db.fetchval(OPEN_ON_DEVICE, *scope, token_hash(opened.token), now())
                is not None
            )
        if counted:
            await announce(caller.organization_id, caller.env, id)
    return {"counted": counted}


EXISTS = "SELECT true FROM push_dispatches WHERE organization_id = $1 AND env = $2 AND id = $3"

OPEN = """
UPDATE push_dispatches SET opened_by_nobody = 1
WHERE organization_id = $1 AND env = $2 AND id = $3
  AND opened_by_nobody + opened_ios + opened_android + opened_web = 0
RETURNING 1
"""

OPEN_ON_DEVICE = """
WITH opened AS (
    UPDATE push_deliveries q SET opened_at = $5 FROM push_devices d
    WHERE d.organization_id = $1 AND d.env = $2 AND d.token_hash = $4
      AND q.device_id = d.id AND q.dispatch_id = $3 AND q.organization_id = d.organization_id AND q.opened_at IS NULL
    RETURNING q.platform
)
UPDATE push_dispatches p SET
    opened_ios = p.opened_ios + (o.platform = 'ios')::int,
    opened_android = p.opened_android + (o.platform = 'android')::int,
    opened_web = p.opened_web + (o.platform = 'web')::int
FROM (SELECT platform FROM opened LIMIT 1) o
WHERE p.organization_id = $1 AND p.env = $2 AND p.id = $3
RETURNING 1
"""
