"""How many messages an audience takes: those of its contacts that the channel has an address of."""

from collections.abc import Mapping

import asyncpg

from core import segments
from core.foundation.database import db
from core.foundation.database.transactions import statements_within
from core.foundation.database.where import Where
from core.foundation.errors import FieldError, ServiceError, ValidationFailed
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.quotes import QuoteChannel
from core.segments.evaluate import EVALUATION_TIMEOUT

ADDRESS: Mapping[QuoteChannel, str] = {
    QuoteChannel.SMS: "c.phone IS NOT NULL",
    QuoteChannel.RCS: "c.phone IS NOT NULL",
    QuoteChannel.EMAIL: "c.email IS NOT NULL",
    QuoteChannel.WHATSAPP: "c.phone IS NOT NULL",
}


async def count_segment(caller: Caller, channel: QuoteChannel, id: str, *, pointer: str) -> int:
    """Contacts of a segment with an address on the channel. Raises Forbidden, ValidationFailed at the
    pointer, and what the segment itself refuses.
    """
    caller.require(Scope.CONTACTS_READ)
    found = (await segments.conditions_of(caller, [id])).get(id) if is_id("seg", id) else None
    if found is None:
        raise _wrong(pointer, "VINCULO_INVALIDO", "No segment of yours has this id")
    if isinstance(found, ServiceError):
        raise found
    where = Where.visible_to(caller, alias="c")
    where.narrow_by(found)
    return await _count(where, channel, pointer)


async def count_list(caller: Caller, channel: QuoteChannel, id: str, *, pointer: str) -> int:
    """Contacts on a list with an address on the channel. Raises Forbidden, and ValidationFailed at the
    pointer.
    """
    caller.require(Scope.CONTACTS_READ)
    owned = Where.visible_to(caller)
    owned.narrow("id = {}", id)
    known = f"SELECT EXISTS (SELECT FROM contact_lists WHERE {owned})"
    if not is_id("lst", id) or not await db.fetchval(known, *owned.values):
        raise _wrong(pointer, "VINCULO_INVALIDO", "No list of yours has this id")
    where = Where.visible_to(caller, alias="c")
    where.narrow(
        "c.id IN (SELECT m.contact_id FROM contact_list_members m WHERE m.list_id = {})", id
    )
    return await _count(where, channel, pointer)


async def _count(where: Where, channel: QuoteChannel, pointer: str) -> int:
    try:
        async with statements_within(EVALUATION_TIMEOUT):
            count: int = await db.fetchval(
                f"SELECT count(*) FROM contacts c WHERE {where} AND {ADDRESS[channel]}",
                *where.values,
            )
    except asyncpg.QueryCanceledError:
        raise _wrong(
            pointer, "too_large", "Counting it takes too long; send `quantidade`"
        ) from None
    if not count:
        raise _wrong(pointer, "too_few", "Nobody in it has an address on the channel")
    return count


def _wrong(pointer: str, code: str, message: str) -> ValidationFailed:
    return ValidationFailed(errors=[FieldError("pointer", pointer, code, message)])
