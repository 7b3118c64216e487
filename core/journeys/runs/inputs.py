"""What may be asked of runs."""

from typing import Annotated

from pydantic import Field

from core.foundation.validation.inputs import CURSOR, LIMIT, QueryInput
from core.journeys.runs.models import RunStatus


class RunFilter(QueryInput):
    """Which runs of a version to list."""

    status: RunStatus | None = Field(
        default=None, alias="estado", description="Only those that stand so"
    )
    step: str | None = Field(
        default=None,
        alias="passo",
        description="Only those who stand on this step; who goes on first comes first",
    )
    contact_id: str | None = Field(default=None, description="Only those of this contact")
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)
