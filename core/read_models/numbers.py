"""Numbers, read field by field."""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.numbers import record
from core.numbers.conditions import narrow_numbers
from core.read_models.query_compiler import Arguments, Entity, fields_of


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_numbers(where, status=filter.get("status"), quality_rating=filter.get("qualityRating"))
    return ()


NUMBER = Entity(
    name="Number",
    table="numbers",
    alias="n",
    scope=Scope.NUMBERS_READ,
    prefix="num",
    fields=fields_of(record.NUMBER),
    narrow=_narrow,
)
