"""Open sessions, read field by field: a person's own, or those of others for whoever looks after
them.
"""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.organizations.sessions.queries import (
    narrow_to_open,
    narrow_to_person,
    refuse_keys,
)
from core.organizations.sessions.record import SESSION as SESSION_RECORD
from core.read_models.query_compiler import Arguments, Entity, column, fields_of


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_to_person(where, caller, account_id=filter.get("accountId"))
    return ()


def _visible(where: Where, caller: Caller) -> None:
    refuse_keys(caller)
    narrow_to_open(where)
    if not caller.may(Scope.ACCOUNTS_MANAGE):
        where.narrow("account_id = {}", caller.account_id)


# `env` is where the caller works: sessions of both environments are a person's own.
TABLE = """
(SELECT id, organization_id, $2::text AS env, env AS opens, account_id, created_at, last_used_at, expires_at, ended_at
 FROM sessions)
"""

SESSION = Entity(
    name="Session",
    table=TABLE,
    alias="s",
    scope=Scope.ACCOUNTS_MANAGE,
    prefix="ses",
    fields={**fields_of(SESSION_RECORD), "env": column("opens")},
    narrow=_narrow,
    visible=_visible,
)
