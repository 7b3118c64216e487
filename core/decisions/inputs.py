"""What may be asked of decisions."""

from typing import Annotated

from pydantic import Field

from core.decisions.record import DecisionChannel
from core.foundation.rules import Rule
from core.foundation.validation.inputs import (
    CURSOR,
    LIMIT,
    SINCE,
    UNTIL,
    QueryInput,
    UntilShown,
    UtcTime,
)


class DecisionFilter(QueryInput):
    """Which refused sends to list, newest first."""

    contact_id: str | None = Field(
        default=None, description="Those for this contact, named or found by its phone or e-mail"
    )
    request_id: str | None = Field(
        default=None, description="Those of the request with this `X-Request-Id`"
    )
    regra: Rule | None = Field(default=None, description="Those that this rule stopped")
    canal: DecisionChannel | None = Field(default=None, description="Those on this channel")
    from_: UtcTime | None = Field(default=None, alias="from", description=SINCE)
    to: UntilShown | None = Field(default=None, description=UNTIL)
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)
