"""Whether anybody listens to events of a type, for those that are published for listeners alone."""

from core.foundation.database import db


async def is_listened_to(organization_id: str, env: str, type: str) -> bool:
    """Whether a subscription of the owner names this type of event, also one that is paused."""
    found: bool = await db.fetchval(LISTENS, organization_id, env, type)
    return found


LISTENS = """
SELECT EXISTS (
    SELECT FROM webhook_subscriptions WHERE organization_id = $1 AND env = $2 AND $3::text = ANY (events))
"""
