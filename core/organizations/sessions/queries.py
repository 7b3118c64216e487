"""Reading the sessions that are open, of either environment: a person looks after all of them."""

from core.foundation.clock import real_now
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.organizations.sessions.errors import NotForKeys
from core.organizations.sessions.inputs import SessionFilter
from core.organizations.sessions.record import SESSION, SessionPage


async def list_sessions(caller: Caller, filter: SessionFilter) -> WrittenPage[SessionPage]:
    """A page of a person's open sessions, newest first: the caller's own unless another is named.

    Raises NotForKeys, and Forbidden without the scope to look after others.
    """
    where = Where([caller.organization_id], ["organization_id = $1"])
    narrow_to_open(where)
    narrow_to_person(where, caller, account_id=filter.account_id)
    return await newest_records(caller, SESSION, "sessions", where, filter)


def narrow_to_open(where: Where) -> None:
    """Those that have not ended."""
    where.narrow("ended_at IS NULL AND expires_at > {}", real_now())


def narrow_to_person(where: Where, caller: Caller, *, account_id: str | None) -> None:
    """Those of one person; see `list_sessions`."""
    refuse_keys(caller)
    if account_id is not None and account_id != caller.account_id:
        caller.require(Scope.ACCOUNTS_MANAGE)
    where.narrow("account_id = {}", account_id or caller.account_id)


def refuse_keys(caller: Caller) -> None:
    """Raises NotForKeys for anything but a person who has logged in, since no key holds the scope,
    and SecondFactorDue for who has yet to add a second factor.
    """
    caller.require_second_factor()
    if caller.kind != "session" and not caller.may(Scope.ACCOUNTS_MANAGE):
        raise NotForKeys
