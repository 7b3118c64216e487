"""Journeys."""

import strawberry
from strawberry import UNSET

from core import journeys
from core.foundation.security.caller import Scope
from core.journeys.figures import StepMetrics
from core.journeys.inputs import FrequencyCap, Goal, Quiet, Trigger
from core.journeys.models import JourneyStatus
from core.journeys.record import StoredStep
from core.read_models.journeys import JOURNEY
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
)
from graphql_api.enums import enum_of
from graphql_api.inputs import name_input
from graphql_api.journeys.runs import JourneyRun, JourneyRunFilter
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type, type_of

for model in (Trigger, Quiet, FrequencyCap, Goal):
    name_input(model, f"Journey{model.__name__}Input")


@strawberry.input(
    description="Conditions that all hold; without a status those that are not archived."
)
class JourneyFilter:
    status: enum_of(JourneyStatus) | None = strawberry.field(
        default=UNSET, description="Journeys that stand so"
    )


@record_type(StoredStep)
class JourneyStep:
    """A step, as it was written, with how it went."""

    metricas: type_of(StepMetrics) = strawberry.field(
        description="How many came to it, wait in it, left it, and what became of its messages"
    )


@record_type(journeys.JourneyRecord)
class Journey(Node):
    """What is to happen to a contact, step by step."""

    passos: list[JourneyStep]
    runs: Connection[JourneyRun] = relation_connection(
        "runs",
        filter=JourneyRunFilter,
        description="Who is, or was, on the way: newest first; who is on the way, or stands on a "
        "step, in the order in which they go on",
    )


@strawberry.type
class JourneyQueries:
    journey: Journey | None = node_field(
        JOURNEY, description="The journey of this id; null where there is none"
    )
    journeys: Connection[Journey] | None = connection_field(
        JOURNEY, filter=JourneyFilter, description="Newest first"
    )


WRITE = Scope.CAMPAIGNS_WRITE


@mutation_type
class JourneyMutations:
    create_journey: Journey | None = mutation_field(
        journeys.create_journey, journeys.NewJourney, scope=WRITE, answers=JOURNEY
    )
    archive_journey: Journey | None = mutation_field(
        journeys.archive_journey, scope=WRITE, answers=JOURNEY, ids=("id",)
    )
    delete_journey: Deleted | None = mutation_field(
        journeys.delete_journey,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description="Only a draft.",
    )
