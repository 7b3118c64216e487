"""Reading senders."""

from pydantic import Field

from core.email.models import SenderStatus
from core.email.senders.record import SENDER, SENDERS, SenderPage, SenderRecord
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import SkipPage


class SenderFilter(SkipPage):
    """Which senders to list, the newest first."""

    status: SenderStatus | None = Field(default=None, description="Senders in this status only")


async def get_sender(caller: Caller, id: str) -> SenderRecord:
    """One sender. Raises NotFound."""
    caller.require(Scope.EMAIL_READ)
    return await the_sender(caller, id)


async def the_sender(caller: Caller, id: str) -> SenderRecord:
    """The record of an id, whatever the caller may read. Raises NotFound."""
    where = Where.visible_to(caller)
    where.narrow("id = {}", id)
    row = await db.fetchrow(f"SELECT * FROM {SENDERS} AS s WHERE {where}", *where.values)
    if row is None:
        raise NotFound
    return SENDER.make(row, unmasked=True)


async def verified_id(caller: Caller, address: str) -> str | None:
    """The id of the verified sender with this address; None where there is none."""
    found: str | None = await db.fetchval(ID_OF, caller.organization_id, caller.env, address)
    return found


async def list_senders(caller: Caller, filter: SenderFilter) -> WrittenPage[SenderPage]:
    """A page of senders, the newest first. Raises ValidationFailed for a cursor of another list."""
    caller.require(Scope.EMAIL_READ)
    where = Where.visible_to(caller)
    narrow_senders(where, status=filter.status)
    return await newest_records(caller, SENDER, f"{SENDERS} AS s", where, filter, at=now())


def narrow_senders(where: Where, *, status: str | None) -> None:
    """Those in a status."""
    match status:
        case SenderStatus.VERIFIED:
            where.narrow("verified_at IS NOT NULL")
        case SenderStatus.EXPIRED:
            where.narrow("expires_at <= {}", now())
        case SenderStatus.PENDING:
            where.narrow("expires_at > {}", now())


ID_OF = """
SELECT coalesce(public_id, 'snd_' || lpad(id::text, 21, '0')) FROM email_senders
WHERE organization_id = $1 AND env = $2 AND address = $3
"""
