"""Use cases: read one number, and pages of them."""

from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.numbers.conditions import narrow_numbers
from core.numbers.inputs import NumberFilter
from core.numbers.models import Number
from core.numbers.record import NUMBER, NumberPage, NumberRecord, number_record


async def get_number(caller: Caller, id: str) -> NumberRecord:
    """One number of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.NUMBERS_READ)
    return number_record(caller, await the_number(caller, id))


async def list_numbers(caller: Caller, filter: NumberFilter) -> WrittenPage[NumberPage]:
    """A page of numbers, newest first.

    A cursor that cannot be read gives an empty page, never the first one: that would loop a
    synchronisation.
    """
    caller.require(Scope.NUMBERS_READ)
    where = Where.visible_to(caller)
    narrow_numbers(where, status=filter.status, quality_rating=filter.quality_rating)
    return await newest_records(caller, NUMBER, "numbers", where, filter, warns=True)


async def the_number(caller: Caller, id: str) -> Number:
    """The caller's number. Raises NotFound."""
    return await Number.own(caller, "num", id)
