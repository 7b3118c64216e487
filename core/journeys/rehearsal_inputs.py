"""What a rehearsal is told."""

from typing import Annotated

from pydantic import Field

from core.foundation.validation.inputs import Input, Metadata
from core.foundation.validation.schedule import NearTime
from core.journeys.step_configs import EventName, RecordId

MAX_EVENTS = 100
MAX_SAMPLE = 1_000


class RehearsedEvent(Input):
    """A customer event that the contact is to do on the way."""

    nome: EventName = Field(description="The name of the event")
    em: NearTime = Field(description="When, a year away at most; without a zone it is UTC")
    properties: Metadata = Field(
        default={}, description="Its properties, which a wait for it may ask for"
    )


class RehearsalOfOne(Input):
    """Whom to walk through the journey, and what happens meanwhile."""

    contact_id: RecordId = Field(description="The contact")
    em: NearTime | None = Field(
        default=None,
        description="When it enters, a year away at most; left out, now. Without a zone it is UTC",
    )
    eventos: Annotated[list[RehearsedEvent], Field(max_length=MAX_EVENTS)] = Field(
        default=[], description="What it does on the way; nothing else happens"
    )


class RehearsalOfSample(Input):
    """How many of those who would enter to walk through the journey."""

    n: Annotated[int, Field(ge=1, le=MAX_SAMPLE)] = Field(
        default=200, description="How many; left out, 200"
    )
