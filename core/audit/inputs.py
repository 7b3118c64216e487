"""What a caller may ask of the audit trail."""

from typing import Annotated

from pydantic import Field

from core.foundation.inputs import QueryInput, UntilShown, UtcTime


class AuditFilter(QueryInput):
    """Which entries to list, newest first."""

    action: str | None = None
    subject_id: str | None = None
    actor_id: str | None = None
    from_: UtcTime | None = Field(default=None, alias="from")
    to: UntilShown | None = None
    limit: Annotated[int, Field(ge=1)] | None = None
    cursor: str | None = None
