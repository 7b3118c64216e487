"""What callers may say about an activity."""

from typing import Annotated

from pydantic import Field, StringConstraints

from core.cards.inputs import Past
from core.cards.models import ActivityKind
from core.foundation.database.pages import MAX_SKIP
from core.foundation.validation.inputs import (
    LIMIT,
    Changes,
    Input,
    KeptWhenLeftOut,
    QueryInput,
    UtcTime,
)
from core.foundation.validation.names import NameText
from core.foundation.validation.validation_errors import at_least_one

Title = Annotated[str, NameText(200), Field(description="What the activity is called")]
Text = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000),
    Field(description="What there is to say of it"),
]
DUE = "When it is due"


class NewActivity(Input):
    """An activity; it has a title or a text. With `concluidaEm` it is done already."""

    kind: ActivityKind = Field(alias="tipo", description="What it is")
    title: Title | None = Field(default=None, alias="titulo")
    text: Text | None = Field(default=None, validate_default=True, alias="texto")
    due_at: UtcTime | None = Field(default=None, alias="venceEm", description=DUE)
    done_at: Past | None = Field(
        default=None, alias="concluidaEm", description="At most five minutes ahead"
    )
    owner_id: str | None = Field(
        default=None, alias="responsavelId", description="An active account"
    )
    message_id: str | None = Field(default=None, description="A message that was sent")

    _says_something = at_least_one("title", "text", said="Send titulo or texto")


class ActivityChanges(Changes):
    """What to change; null clears. `concluida` says whether it is done; when is now."""

    title: Title | None = Field(default=None, alias="titulo")
    text: Text | None = Field(default=None, alias="texto")
    due_at: UtcTime | None = Field(default=None, alias="venceEm", description=DUE)
    owner_id: str | None = Field(
        default=None, alias="responsavelId", description="An active account"
    )
    done: KeptWhenLeftOut[bool] = Field(
        default=None, alias="concluida", description="Whether it is done"
    )


class ActivityFilter(QueryInput):
    """Which activities of a card to show: open ones by when they are due, then done ones, the
    latest first.
    """

    done: bool | None = Field(
        default=None, alias="concluida", description="Done ones, or open ones; both unless told"
    )
    kind: ActivityKind | None = Field(
        default=None, alias="tipo", description="Activities of this kind only"
    )
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    skip: Annotated[int, Field(ge=0, le=MAX_SKIP)] = Field(
        default=0, description="How many to leave out first"
    )
