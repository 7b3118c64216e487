"""Refused sends of a person who is erased: what stopped them stays, for whom they were goes."""

from collections.abc import Sequence

from tortoise.expressions import Q

from core.decisions.models import RefusedSend
from core.foundation.security.caller import Caller


async def forget_contact(caller: Caller, id: str, identities: Sequence[bytes]) -> int:
    """Take a contact out of its refused sends. Answers how many there were."""
    about = Q(contact_id=id) | Q(identity__in=list(identities))
    refused = RefusedSend.visible_to(caller).filter(about)
    return await refused.update(contact_id=None, identity=None, facts={})
