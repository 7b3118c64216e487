"""Runs of journeys: who is, or was, on the way, and the trail of each."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core import journeys
from core.foundation.security.caller import Scope
from core.journeys.rehearsal_inputs import RehearsalOfOne, RehearsalOfSample
from core.journeys.rehearsal_record import ForecastRecord, RehearsalRecord
from core.journeys.runs.models import RunStatus
from core.journeys.runs.record import RunRecord, TrailEntry
from core.read_models.journey_runs import JOURNEY_RUN
from core.read_models.rehearse_journey import forecast_journey, rehearse_journey
from graphql_api.connections import node_field, relation_field
from graphql_api.enums import enum_of
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type, type_of

if TYPE_CHECKING:
    from graphql_api.contacts.schema import Contact
    from graphql_api.journeys.schema import Journey

STATUS = "Runs that stand so"


@strawberry.input(description="Conditions that all hold.")
class JourneyRunFilter:
    estado: enum_of(RunStatus) | None = strawberry.field(default=UNSET, description=STATUS)
    passo: str | None = strawberry.field(
        default=UNSET,
        description="Those who stand on this step; who goes on first comes first",
    )


@strawberry.input(description="Conditions that all hold.")
class ContactJourneyRunFilter:
    estado: enum_of(RunStatus) | None = strawberry.field(default=UNSET, description=STATUS)


@record_type(RunRecord)
class JourneyRun(Node):
    """A contact on its way through a version of a journey, or at the end of it."""

    trilha: list[type_of(TrailEntry)] = strawberry.field(
        description="The steps that it has left, the oldest first; kept for 90 days"
    )
    journey: Annotated["Journey", strawberry.lazy("graphql_api.journeys.schema")] | None = (
        relation_field("journey", description="The version that it goes through")
    )
    contact: Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None = (
        relation_field("contact", description="The contact")
    )


@strawberry.type
class JourneyRunQueries:
    journey_run: JourneyRun | None = node_field(
        JOURNEY_RUN, description="The run of this id; null where there is none"
    )


@mutation_type
class JourneyRehearsals:
    journey_rehearsal: type_of(RehearsalRecord) | None = mutation_field(
        rehearse_journey,
        RehearsalOfOne,
        scope=Scope.CAMPAIGNS_READ,
        ids=("id",),
        description="A contact's way through a journey, of which nothing is done.",
        of="journey",
    )
    journey_forecast: type_of(ForecastRecord) | None = mutation_field(
        forecast_journey,
        RehearsalOfSample,
        scope=Scope.CAMPAIGNS_READ,
        ids=("id",),
        optional=True,
        heavy=True,
        description="What is expected of a journey, as a sample of those goes who would enter.",
        of="journey",
    )


@mutation_type
class JourneyRunMutations:
    delete_journey_run: Deleted | None = mutation_field(
        journeys.take_out,
        scope=Scope.CAMPAIGNS_WRITE,
        answers=Deleted,
        ids=("journeyId", "id"),
        description=(
            "Take a contact out of a journey: the run ends where it stands, as CANCELADA; one "
            "that has ended stays as it is."
        ),
    )
