"""Who may do something about whom: nobody about a person of a higher role, nor give one."""

from core.foundation.errors import Forbidden
from core.foundation.security.caller import Caller
from core.organizations.models import Account, Role

RANK = {Role.OPERATOR: 0, Role.ADMIN: 1, Role.OWNER: 2}


class RoleAboveOwn(Forbidden):
    default_detail = "Only an owner does this: the role is above your own."

    def __init__(self) -> None:
        super().__init__(meta={"code": "PAPEL_ACIMA_DO_PROPRIO"})


async def own_role(caller: Caller) -> Role:
    """The role of the person who calls."""
    account = await Account.get(id=caller.account_id, organization_id=caller.organization_id)
    return account.role


def refuse_above(own: Role, *others: Role) -> None:
    """Raises RoleAboveOwn where one of the others is higher."""
    if any(RANK[other] > RANK[own] for other in others):
        raise RoleAboveOwn
