"""What may be asked of quotes."""

from typing import Annotated

from pydantic import Field

from core.foundation.validation.inputs import CURSOR, LIMIT, QueryInput


class QuoteFilter(QueryInput):
    """Which quotes to list, newest first."""

    valid: bool | None = Field(
        default=None, alias="valida", description="Those that hold now, or that hold no longer"
    )
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)
