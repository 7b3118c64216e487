"""What may be asked of an export."""

from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field

from core.foundation.clock import as_shown
from core.foundation.database.pages import CEILING
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.validation.inputs import CURSOR, SINCE, UNTIL, QueryInput, UtcTime

MAX_PAGE_SIZE = 1_000
MAX_PERIOD = timedelta(days=31)


class ExportQuery(QueryInput):
    """Of which period, and from where on."""

    from_: UtcTime = Field(alias="from", description=SINCE)
    to: UtcTime = Field(description=f"{UNTIL}; up to {MAX_PERIOD.days} days after `from`")
    cursor: str | None = Field(default=None, description=f"{CURSOR}, with the same `from` and `to`")
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] = Field(
        default=500, description="How many at most"
    )

    @property
    def is_plain(self) -> bool:
        """Whether it is a page as long as those of other lists. A longer one is heavy work."""
        return self.limit <= CEILING

    @property
    def last(self) -> datetime:
        """The last instant of the period. Raises ValidationFailed for one that is too long or ends
        too early.
        """
        if self.to < self.from_:
            raise _refused(
                "too_small", "The period ends before it begins; send a to that is not before from"
            )
        if self.to - self.from_ > MAX_PERIOD:
            raise _refused("too_large", f"Ask for at most {MAX_PERIOD.days} days at a time")
        return as_shown(self.to)


def _refused(code: str, message: str) -> ValidationFailed:
    return ValidationFailed(errors=[FieldError("parameter", "to", code, message)])
