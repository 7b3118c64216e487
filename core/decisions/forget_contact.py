"""Refused sends of a person who is erased: what stopped them stays, for whom they were goes."""

from collections.abc import Sequence

from core.foundation.database import db
from core.foundation.security.caller import Caller


async def forget_contact(caller: Caller, id: str, identities: Sequence[bytes]) -> int:
    """Take a contact out of its refused sends. Answers how many there were."""
    return await db.execute(FORGET, caller.organization_id, caller.env, id, list(identities))


FORGET = """
UPDATE refused_sends SET contact_id = NULL, identity = NULL, facts = '{}'
WHERE organization_id = $1 AND env = $2 AND (contact_id = $3 OR identity = ANY ($4))
"""
