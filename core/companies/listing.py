"""Pages of companies by their names; by cursor at the same price at any depth."""

from typing import NamedTuple

from core.companies.conditions import narrow_companies
from core.companies.inputs import CompanyFilter
from core.companies.record import COLUMNS, COMPANY, COUNTED, COUNTS, CompanyPage
from core.foundation.database.pages import (
    NOT_OF_THIS_LIST,
    UnreadableCursor,
    cursor_of,
    read_text,
    text_in_cursor,
    text_in_full,
    values_of,
)
from core.foundation.database.where import Where
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.records import WrittenPage, read_rows, skipping
from core.foundation.security.caller import Caller, Scope

MAX_CURSOR_VALUE = 10**15

NAME = "svc_fold({t}.name)"
"""By what companies stand in order: their names without case and accents."""


class _CompanyCursor(NamedTuple):
    """Behind a company: its name or the beginning and the digest of a long one, its id, and how
    many there are.
    """

    name: str
    digest: str
    id: str
    total: int


async def list_companies(caller: Caller, filter: CompanyFilter) -> WrittenPage[CompanyPage]:
    """A page of companies. `total` is exact on the first page and travels on in the cursor.

    Raises ValidationFailed for a cursor that is not one of ours.
    """
    caller.require(Scope.CRM_READ)
    where = Where.visible_to(caller)
    narrow_companies(where, q=filter.q, owner_id=filter.owner_id)
    place = _read_cursor(filter.cursor) if filter.cursor is not None else None
    total = f"SELECT count(*) FROM companies WHERE {where}"
    if place is not None:
        name = text_in_full(NAME, "companies")
        where.narrow(f"(svc_fold(name), id) > ({name}, {{2}})", place.name, place.digest, place.id)
        total = where.value(place.total)
    read = await read_rows(
        caller,
        COMPANY,
        _rows(where, filter.limit + 1, skip=filter.skip),
        where.values,
        order="folded, id",
        place=("folded", "id"),
        total=total,
        limit=filter.limit,
        keeps_plan=filter.is_plain,
    )
    cursor = None
    if read.last is not None:
        name, id = read.last
        cursor = cursor_of([text_in_cursor(name), id, read.total])
    return WrittenPage(read.items, read.total, cursor)


def _rows(where: Where, limit: int, *, skip: int) -> str:
    """Only what is shown is counted for."""
    return f"""
        SELECT {COUNTED} FROM (
            SELECT {COLUMNS}, svc_fold(name) AS folded FROM companies
            WHERE {where} ORDER BY svc_fold(name), id
            LIMIT {limit}{skipping(skip, where.values)}) AS c
        {COUNTS}"""


def _read_cursor(cursor: str) -> _CompanyCursor:
    try:
        name, id, total = values_of(cursor)
        read = read_text(name)
        if read is None or not isinstance(id, str) or "\x00" in id:
            raise UnreadableCursor
        if type(total) is not int or not 0 <= total < MAX_CURSOR_VALUE:
            raise UnreadableCursor
    except ValueError:
        message = NOT_OF_THIS_LIST
        raise ValidationFailed(
            errors=[FieldError("parameter", "cursor", "wrong_format", message)]
        ) from None
    return _CompanyCursor(*read, id, total)
