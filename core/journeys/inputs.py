"""What a caller may say about a journey."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from core.foundation.inputs import Input, QueryInput
from core.foundation.wall_clock import Clock
from core.journeys.graph import defects
from core.journeys.step_configs import EventName, RecordId, StepId
from core.journeys.steps import Step

MOST_STEPS = 100
LONGEST_PAUSE_HOURS = 8_760

Reentry = Literal["nunca", "apos_concluir"]
"""Whether who has been through may enter again."""


class Trigger(Input):
    """Who enters: the contacts of a segment, those of a list, or whoever a customer event is about."""

    kind: Literal["segmento"] | None = Field(default=None, alias="tipo", description="Only with segmentId")
    segment_id: RecordId | None = None
    list_id: RecordId | None = None
    event: EventName | None = Field(default=None, alias="nome", description="The name of a customer event")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if sum(source is not None for source in (self.segment_id, self.list_id, self.event)) != 1:
            raise PydanticCustomError("required", "Send exactly one of segmentId, listId and nome")
        if self.kind is not None and self.segment_id is None:
            raise PydanticCustomError("required", "The kind segmento needs segmentId")
        return self


class Quiet(Input):
    """Hours of the day in which the journey sends nothing; it may cross midnight."""

    start: Clock = Field(alias="inicio")
    end: Clock = Field(alias="fim")


class FrequencyCap(Input):
    """At most so many messages to a contact within so many days."""

    messages: Annotated[int, Field(ge=1, le=100)] = Field(alias="mensagens")
    days: Annotated[int, Field(ge=1, le=90)] = Field(alias="dias")


class Goal(Input):
    """The customer event that the journey is there for: who does it leaves."""

    event: EventName = Field(alias="evento")


class NewJourney(Input):
    """A journey to store as a draft. A journey without steps may be stored; it cannot run."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True)]
    trigger: Trigger = Field(alias="gatilho")
    reentry: Reentry = Field(default="nunca", alias="reentrada")
    reentry_hours: Annotated[int, Field(ge=1, le=LONGEST_PAUSE_HOURS)] | None = Field(
        default=None,
        alias="intervaloReentradaHoras",
        description="How long after its end a contact may enter again; only with apos_concluir",
    )
    quiet: Quiet | None = Field(default=None, alias="silencio")
    frequency_cap: FrequencyCap | None = Field(default=None, alias="tetoDeFrequencia")
    goal: Goal | None = Field(default=None, alias="meta")
    steps: Annotated[list[Step], Field(max_length=MOST_STEPS)] = Field(default=[], alias="passos")
    entry_step_id: StepId | None = Field(default=None, alias="entradaPasso", description="Where a run begins")

    @model_validator(mode="after")
    def _sound(self) -> Self:
        wrong = [
            InitErrorDetails(
                type=PydanticCustomError(defect.code, "{said}", {"said": defect.message}),
                loc=defect.place,
                input=None,
            )
            for defect in defects([step.model_dump(by_alias=True) for step in self.steps], self.entry_step_id)
        ]
        if self.reentry_hours is not None and self.reentry != "apos_concluir":
            only = PydanticCustomError("not_allowed", "Only a journey with reentrada apos_concluir has an interval")
            wrong.append(InitErrorDetails(type=only, loc=("intervaloReentradaHoras",), input=None))
        if wrong:
            raise ValidationError.from_exception_data("journey", wrong)
        return self


class JourneyFilter(QueryInput):
    """Which journeys to list; those in use unless told."""

    status: str | None = Field(default=None, description="rascunho, ativa, pausada or arquivada")
