"""Keyset pages of contacts: newest first, or by their last change since a time."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from core.contacts.conditions import narrow_contacts
from core.contacts.models import OptInStatus, Source
from core.contacts.record import COLUMNS, CONTACT, ContactPage
from core.foundation.database.pages import UnreadableCursor, cursor_after, cut, read_cursor
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, read_rows, skipping
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.closed_set import ClosedSet
from core.foundation.validation.inputs import SkipPage, UtcTime


class ContactFilter(SkipPage):
    """Which contacts to list. A value that does not exist matches nothing."""

    tag: str | None = Field(default=None, description="A whole tag")
    opt_in_status: Annotated[str | None, ClosedSet.of(OptInStatus)] = Field(
        default=None, description="The consent that is in force"
    )
    source: Annotated[str | None, ClosedSet.of(Source)] = Field(
        default=None, description="How they came in"
    )
    external_id: str | None = Field(default=None, description="The whole id in your own system")
    list_id: str | None = Field(default=None, description="The contacts on this static list")
    updated_since: str | None = Field(
        default=None,
        description=(
            "Changed at or after this instant, the oldest change first; made for synchronising"
        ),
    )
    q: str | None = Field(
        default=None,
        description=(
            "A part of a name, the phone or the e-mail address; ignored, with a warning, "
            "without pii:full"
        ),
    )


_time = TypeAdapter[datetime](UtcTime)


async def list_contacts(caller: Caller, filter: ContactFilter) -> WrittenPage[ContactPage]:
    """A page of contacts.

    A cursor or a date that cannot be read gives an empty page, never the first one: that would loop
    a synchronisation. `total` is exact on the first page and travels on in the cursor.
    """
    caller.require(Scope.CONTACTS_READ)
    try:
        since = (
            _time.validate_python(filter.updated_since)
            if filter.updated_since is not None
            else None
        )
    except ValidationError:
        return WrittenPage([], 0, warnings=["updatedSince_invalido"])
    where = Where.visible_to(caller)
    warnings = narrow_contacts(
        where,
        caller,
        tag=filter.tag,
        opt_in_status=filter.opt_in_status,
        source=filter.source,
        external_id=filter.external_id,
        list_id=filter.list_id,
        updated_since=since,
        q=filter.q,
    )
    order = "created_at" if since is None else "updated_at"
    try:
        place = _read_cursor(filter.cursor, order) if filter.cursor is not None else None
    except UnreadableCursor:
        return WrittenPage([], 0, warnings=[*warnings, "cursor_invalido"])
    # Exact on the first page; it travels on in the cursor, so the others need not count again.
    total = f"SELECT count(*) FROM contacts WHERE {where}"
    if place is not None:
        where.narrow(
            f"({order}, id) {'<' if since is None else '>'} ({{}}, {{}})", place.at, place.id
        )
        total = where.value(place.total)
    limit = cut(filter.limit)
    by = f"{order} {'DESC' if since is None else 'ASC'}, id {'DESC' if since is None else 'ASC'}"
    read = await read_rows(
        caller,
        CONTACT,
        _rows(where, by, limit + 1, skip=filter.skip, is_plain=filter.is_plain),
        where.values,
        order=by,
        place=(order, "id"),
        total=total,
        limit=limit,
        keeps_plan=filter.is_plain,
    )
    cursor = None if read.last is None else _cursor(read.last, order, read.total)
    return WrittenPage(read.items, read.total, cursor, warnings)


def _rows(where: Where, by: str, limit: int, *, skip: int, is_plain: bool) -> str:
    """Places first, from the index alone; only the rows that are shown are fetched whole. A plain
    page has no others.
    """
    if is_plain:
        return f"SELECT {COLUMNS} FROM contacts WHERE {where} ORDER BY {by} LIMIT {limit}"
    return f"""
        SELECT {COLUMNS} FROM contacts WHERE id IN (
            SELECT id FROM contacts WHERE {where} ORDER BY {by}
            LIMIT {limit}{skipping(skip, where.values)})"""


@dataclass(frozen=True, slots=True)
class _ContactCursor:
    at: datetime
    id: str
    total: int


def _cursor(last: tuple[datetime, str], order: str, total: int) -> str:
    """A place, the order that it is one of, and how many contacts the first page found."""
    return f"{cursor_after(*last)}.{order[0]}{total}"


def _read_cursor(cursor: str, order: str) -> _ContactCursor:
    place, _, rest = cursor.partition(".")
    total = rest.removeprefix(order[0])
    if total == rest or not (total.isascii() and total.isdigit() and len(total) <= 15):
        raise UnreadableCursor("The cursor is not one of a list in this order")
    return _ContactCursor(*read_cursor(place), int(total))
