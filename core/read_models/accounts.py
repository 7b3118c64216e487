"""The people of an organization, read field by field. They work in both of its environments."""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.organizations.accounts.queries import narrow_accounts
from core.organizations.accounts.record import ACCOUNT as ACCOUNT_RECORD
from core.read_models.query_compiler import OLDEST, Arguments, Entity, fields_of


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_accounts(where, status=filter.get("status"), role=filter.get("role"))
    return ()


ACCOUNT = Entity(
    name="Account",
    table="(SELECT *, $2::text AS env FROM accounts)",
    alias="a",
    scope=Scope.CRM_READ,
    prefix="acc",
    fields=fields_of(ACCOUNT_RECORD),
    orders={"": OLDEST},
    narrow=_narrow,
)
