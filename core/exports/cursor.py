"""The cursor of an export, good for the period and the owner it was given for."""

from datetime import datetime
from hashlib import sha256

from core.exports.inputs import ExportQuery
from core.foundation.database import pages
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import Caller


def write_cursor(caller: Caller, query: ExportQuery, at: datetime, id: str) -> str:
    """The mark behind a row."""
    return f"{_export_of(caller, query)}.{pages.cursor_after(at, id)}"


def read_cursor(caller: Caller, query: ExportQuery, cursor: str) -> tuple[datetime, str]:
    """The (time, id) behind which the page begins. Raises ValidationFailed for a mark of any other
    export.
    """
    export, _, place = cursor.partition(".")
    try:
        at, id = pages.read_cursor(place)
    except pages.UnreadableCursor:
        raise _refused() from None
    if export != _export_of(caller, query) or not query.from_ <= at <= query.last:
        raise _refused()
    return at, id


def _export_of(caller: Caller, query: ExportQuery) -> str:
    """Tells apart what one export reads from what another does."""
    what = f"{caller.organization_id} {caller.env} {query.from_.isoformat()} {query.to.isoformat()}"
    return sha256(what.encode()).hexdigest()[:16]


def _refused() -> ValidationFailed:
    message = "The cursor is not one that this export gave for this period"
    return ValidationFailed(errors=[FieldError("parameter", "cursor", "wrong_format", message)])
