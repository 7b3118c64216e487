"""How many messages an audience takes: those of its contacts that the channel has an address of."""

from collections.abc import Mapping

import asyncpg

from core import segments
from core.channels import PACKAGES
from core.foundation.database import db
from core.foundation.database.transactions import statements_within
from core.foundation.database.where import Where
from core.foundation.errors import FieldError, ServiceError, ValidationFailed
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.messaging.channel_package import Narrow, Reaches
from core.quotes import QuoteChannel
from core.segments.evaluate import EVALUATION_TIMEOUT

REACHES: Mapping[str, Reaches] = {
    channel.value: package.reaches
    for package in PACKAGES
    if package.reaches is not None
    for channel in package.channels
}


async def count_segment(caller: Caller, channel: QuoteChannel, id: str, *, pointer: str) -> int:
    """Contacts of a segment with an address on the channel. Raises Forbidden, ValidationFailed at
    the pointer, and what the segment itself refuses.
    """
    caller.require(Scope.CONTACTS_READ)
    found = (await segments.conditions_of(caller, [id])).get(id) if is_id("seg", id) else None
    if found is None:
        raise _wrong(pointer, "VINCULO_INVALIDO", "No segment of yours has this id")
    if isinstance(found, ServiceError):
        raise found
    return await _count_narrowed(caller, channel, lambda where: where.narrow_by(found), pointer)


async def count_list(caller: Caller, channel: QuoteChannel, id: str, *, pointer: str) -> int:
    """Contacts on a list with an address on the channel. Raises Forbidden, and ValidationFailed at
    the pointer.
    """
    caller.require(Scope.CONTACTS_READ)
    owned = Where.visible_to(caller)
    owned.narrow("id = {}", id)
    known = f"SELECT EXISTS (SELECT FROM contact_lists WHERE {owned})"
    if not is_id("lst", id) or not await db.fetchval(known, *owned.values):
        raise _wrong(pointer, "VINCULO_INVALIDO", "No list of yours has this id")
    condition = "c.id IN (SELECT m.contact_id FROM contact_list_members m WHERE m.list_id = {})"
    return await _count_narrowed(
        caller, channel, lambda where: where.narrow(condition, id), pointer
    )


async def _count_narrowed(
    caller: Caller, channel: QuoteChannel, narrow: Narrow, pointer: str
) -> int:
    """Contacts with an address on the channel, or what it reaches in place of addresses."""
    reaches = REACHES.get(channel)
    try:
        async with statements_within(EVALUATION_TIMEOUT):
            if reaches is not None:
                count = await reaches(caller, narrow)
            else:
                where = Where.visible_to(caller, alias="c")
                narrow(where)
                where.narrow(f"c.{channel.facts.address} IS NOT NULL")
                count = await db.fetchval(
                    f"SELECT count(*) FROM contacts c WHERE {where}",
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
