"""Inputs of journeys."""

from typing import Annotated

from pydantic import Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.validation.closed_set import ClosedSet
from core.foundation.validation.field_messages import METADATA_KEY
from core.foundation.validation.inputs import (
    CURSOR,
    Changes,
    Input,
    KeptWhenLeftOut,
    QueryInput,
    UtcTime,
)
from core.foundation.validation.names import NameText
from core.foundation.validation.time_zones import Clock
from core.foundation.validation.validation_errors import across, faults, only_with
from core.journeys.graph import defects
from core.journeys.models import (
    JourneyAtCap,
    JourneyReentry,
    JourneyStatus,
    RunsOfArchived,
    TriggerKind,
    TriggerMove,
)
from core.journeys.step_configs import EventName, RecordId, StepId
from core.journeys.steps import Step
from core.messaging.send_fields import QuoteOfSend
from core.segments.inputs import FilterTree

MAX_STEPS = 100
MAX_PAUSE_HOURS = 8_760
MAX_ENTRIES = 1_000
"""Contacts that one call may put into a journey by hand."""


class Trigger(Input):
    """Who enters: the contacts of a segment, those of a list, or whoever a customer event is about."""

    kind: TriggerKind | None = Field(default=None, alias="tipo", description="Only with segmentId")
    segment_id: RecordId | None = Field(
        default=None, description="The segment whose contacts enter"
    )
    list_id: RecordId | None = Field(default=None, description="The list whose contacts enter")
    event: EventName | None = Field(
        default=None,
        validate_default=True,
        alias="nome",
        description="The name of a customer event",
    )
    move: TriggerMove | None = Field(
        default=None,
        validate_default=True,
        alias="ao",
        description="Of a segment: whether who comes into it enters, or who leaves it; unless "
        "told, who comes into it",
    )
    key: Annotated[str, StringConstraints(pattern=METADATA_KEY, max_length=64)] | None = Field(
        default=None,
        validate_default=True,
        alias="chave",
        description="Of an event: the property that tells one matter from another, such as the "
        "number of an order; a contact then has one run for each, else one at a time",
    )

    @across("kind", "segment_id", "list_id", "event")
    @staticmethod
    def _one_source(
        kind: str | None, segment_id: str | None, list_id: str | None, event: str | None
    ) -> None:
        if sum(source is not None for source in (segment_id, list_id, event)) != 1:
            raise PydanticCustomError("required", "Send exactly one of segmentId, listId and nome")
        if kind is not None and segment_id is None:
            raise PydanticCustomError("required", "The kind segmento needs segmentId")

    _moves_of_a_segment = only_with(
        "segment_id", "move", at=("ao",), said="Only a segment is come into or left"
    )
    _key_of_an_event = only_with("event", "key", at=("chave",), said="Only an event has a key")


class Quiet(Input):
    """Hours of the day in which the journey sends nothing; it may cross midnight."""

    start: Clock = Field(alias="inicio", description="Wall clock, `22:00`: quiet from here")
    end: Clock = Field(
        alias="fim",
        description="Wall clock, `08:00`: no longer quiet from here; before `inicio`: of the next "
        "day",
    )


class FrequencyCap(Input):
    """At most so many messages to a contact within so many days."""

    messages: Annotated[int, Field(ge=1, le=100)] = Field(
        alias="mensagens", description="How many messages at most"
    )
    days: Annotated[int, Field(ge=1, le=90)] = Field(
        alias="dias", description="Within how many days"
    )
    at_cap: JourneyAtCap | None = Field(
        default=None,
        alias="aoTeto",
        description="What becomes of a message beyond that; left out: it is left out",
    )


class Goal(Input):
    """The customer event that the journey is there for: who does it leaves."""

    event: EventName = Field(alias="evento", description="The name of the event")


# What a new journey may have and a change may clear.
ReentryHours = Annotated[
    Annotated[int, Field(ge=1, le=MAX_PAUSE_HOURS)] | None,
    Field(
        alias="intervaloReentradaHoras",
        description="How long after its end a contact may enter again; only with apos_concluir",
    ),
]
QuietHours = Annotated[
    Quiet | None, Field(alias="silencio", description="Hours in which it sends nothing")
]
CapOfMessages = Annotated[
    FrequencyCap | None,
    Field(alias="tetoDeFrequencia", description="How many messages a contact gets at most"),
]
GoalEvent = Annotated[
    Goal | None, Field(alias="meta", description="The customer event that it is there for")
]
ExitFilter = Annotated[
    FilterTree | None,
    Field(
        alias="sairQuando",
        description="Who matches leaves before the next message, as a segment asks",
    ),
]


class NewJourney(Input):
    """A journey to store as a draft. A journey without steps may be stored; it cannot run."""

    name: Annotated[str, NameText(120)] = Field(description="What it is called")
    trigger: Trigger = Field(alias="gatilho", description="Who enters")
    reentry: JourneyReentry = Field(
        default=JourneyReentry.NEVER,
        alias="reentrada",
        description="Whether who has been through may enter again; left out: never",
    )
    reentry_hours: ReentryHours = None
    quiet: QuietHours = None
    frequency_cap: CapOfMessages = None
    goal: GoalEvent = None
    exit_when: ExitFilter = None
    steps: Annotated[list[Step], Field(max_length=MAX_STEPS)] = Field(
        default=[], alias="passos", description="Its steps, in any order"
    )
    entry_step_id: StepId | None = Field(
        default=None, validate_default=True, alias="entradaPasso", description="Where a run begins"
    )

    @across("reentry", "reentry_hours")
    @staticmethod
    def _interval_of_a_reentry(reentry: JourneyReentry, hours: int | None) -> None:
        if hours is not None and reentry is not JourneyReentry.AFTER_THE_END:
            said = "Only a journey with reentrada apos_concluir has an interval"
            raise faults([(("intervaloReentradaHoras",), "not_allowed", said)])

    @across("steps", "entry_step_id")
    @staticmethod
    def _sound(steps: list[Step], entry_step_id: str | None) -> None:
        if wrong := defects([step.model_dump(by_alias=True) for step in steps], entry_step_id):
            raise faults((defect.place, defect.code, defect.message) for defect in wrong)


class JourneyChanges(Changes):
    """What to change of a journey; the whole that comes of it is checked as a new one is. A null
    clears a field that may be left out.
    """

    name: KeptWhenLeftOut[Annotated[str, NameText(120)]] = Field(
        default=None, description="What it is called"
    )
    trigger: KeptWhenLeftOut[Trigger] = Field(
        default=None, alias="gatilho", description="Who enters"
    )
    reentry: KeptWhenLeftOut[JourneyReentry] = Field(
        default=None,
        alias="reentrada",
        description="Whether who has been through may enter again",
    )
    reentry_hours: ReentryHours = None
    quiet: QuietHours = None
    frequency_cap: CapOfMessages = None
    goal: GoalEvent = None
    exit_when: ExitFilter = None
    steps: KeptWhenLeftOut[Annotated[list[Step], Field(max_length=MAX_STEPS)]] = Field(
        default=None, alias="passos", description="All of its steps, in any order"
    )
    entry_step_id: StepId | None = Field(
        default=None, alias="entradaPasso", description="Where a run begins"
    )
    unchanged_since: KeptWhenLeftOut[UtcTime] = Field(
        default=None,
        alias="updatedAt",
        description="Refuse if it was changed since: `updatedAt` as it was read",
    )


class Activation(Input):
    """How a journey begins."""

    include_present: bool | None = Field(
        default=None,
        alias="incluirAtuais",
        description="Whether the contacts that are in the segment or on the list already enter "
        "too; required for both, and of no other journey",
    )
    quote_id: QuoteOfSend = Field(
        default=None,
        description="The quote whose prices its messages pay at most, while it lasts; those behind "
        "it pay the price of their time",
    )


class Archiving(Input):
    """What becomes of those who are inside."""

    runs: RunsOfArchived = Field(
        default=RunsOfArchived.CANCEL,
        alias="execucoes",
        description="Whether they finish their way, or are taken out at once; unless told, they "
        "are taken out",
    )


class Duplication(Input):
    """The copy of a journey."""

    name: Annotated[str, NameText(120)] | None = Field(
        default=None, description="What it is called; unless told, as the original, with (cópia)"
    )


class NewEntries(Input):
    """Contacts that enter by hand."""

    contact_ids: Annotated[list[RecordId], Field(min_length=1, max_length=MAX_ENTRIES)] = Field(
        description="The contacts, at most 1,000"
    )


class JourneyFilter(QueryInput):
    """Which journeys to list; those in use unless told."""

    status: Annotated[str | None, ClosedSet.of(JourneyStatus)] = Field(
        default=None, description="Journeys that stand so; without it those that are not archived"
    )
    cursor: str | None = Field(default=None, description=CURSOR)
