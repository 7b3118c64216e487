"""The filter of the audit trail."""

from typing import Annotated

from pydantic import Field

from core.foundation.validation.inputs import (
    CURSOR,
    LIMIT,
    SINCE,
    UNTIL,
    QueryInput,
    UntilShown,
    UtcTime,
)


class AuditFilter(QueryInput):
    """Which entries to list, newest first."""

    action: str | None = Field(
        default=None, description="The whole name of an action, such as `contact.deleted`"
    )
    subject_id: str | None = Field(
        default=None, description="The id of what the action was done to"
    )
    actor_id: str | None = Field(
        default=None, description="The id of the account or the key that did it"
    )
    from_: UtcTime | None = Field(default=None, alias="from", description=SINCE)
    to: UntilShown | None = Field(default=None, description=UNTIL)
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)
