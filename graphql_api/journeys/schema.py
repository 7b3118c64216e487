"""Journeys."""

from typing import Any, cast

import strawberry
from strawberry import UNSET
from strawberry.types import Info

from core import journeys
from core.foundation.records import keys_of
from core.foundation.security.caller import Scope
from core.journeys.figures import StepFigures
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
from graphql_api.context import caller_of
from graphql_api.enums import enum_of
from graphql_api.inputs import name_input
from graphql_api.journeys.runs import JourneyRun, JourneyRunFilter
from graphql_api.mutations import Deleted, mutation_field, mutation_type, payload_field
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type, type_of
from graphql_api.scalars import JSON
from graphql_api.segments.schema import SegmentNode

for model in (Trigger, Quiet, FrequencyCap, Goal):
    name_input(model, f"Journey{model.__name__}Input")


@strawberry.input(
    description="Conditions that all hold; without a status those that are not archived."
)
class JourneyFilter:
    status: enum_of(JourneyStatus) | None = strawberry.field(
        default=UNSET, description="Journeys that stand so"
    )


@record_type(StepFigures)
class JourneyStepFigures:
    pulados: JSON = strawberry.field(
        description=keys_of(StepFigures)["pulados"].doc,
        deprecation_reason="`puladosPorMotivo` says the same, and is typed.",
    )


@record_type(StoredStep)
class JourneyStep:
    """A step, as it was written, with how it went."""

    metricas: JourneyStepFigures = strawberry.field(
        description="How many came to it, wait in it, left it, and what became of its messages"
    )


@record_type(journeys.JourneyRecord)
class Journey(Node):
    """What is to happen to a contact, step by step."""

    passos: list[JourneyStep]
    metricas_por_passo: JSON = strawberry.field(
        description=keys_of(journeys.JourneyRecord)["metricasPorPasso"].doc,
        deprecation_reason="`passos { id metricas }` says the same, and is typed.",
    )
    runs: Connection[JourneyRun] = relation_connection(
        "runs",
        filter=JourneyRunFilter,
        description="Who is, or was, on the way: newest first; who is on the way, or stands on a "
        "step, in the order in which they go on",
    )
    sair_quando: SegmentNode | None


JourneySettings = type_of(journeys.JourneySettingsRecord)


async def _settings(info: Info) -> JourneySettings | None:
    return cast("JourneySettings", await journeys.get_journey_settings(caller_of(info)))


@strawberry.type
class JourneyQueries:
    journey_settings: JourneySettings | None = strawberry.field(
        resolver=_settings, description="What holds for all journeys"
    )
    journey: Journey | None = node_field(
        JOURNEY, description="The journey of this id; null where there is none"
    )
    journeys: Connection[Journey] | None = connection_field(
        JOURNEY, filter=JourneyFilter, description="Newest first"
    )


def _journey_of(*, description: str) -> Any:
    """The journey that an answer names."""
    return payload_field(
        JOURNEY, lambda told: told["journeyId"], told=True, description=description
    )


@record_type(journeys.ActivatedJourney)
class ActivatedJourney:
    journey: Journey | None = _journey_of(description="The journey as it is now")


@record_type(journeys.EnteredContacts)
class EnteredContacts:
    journey: Journey | None = _journey_of(description="The journey as it is now")


@record_type(journeys.MigratedRuns)
class MigratedRuns:
    journey: Journey | None = _journey_of(
        description="The version that they were moved to, as it is now"
    )


WRITE = Scope.CAMPAIGNS_WRITE


@mutation_type
class JourneyMutations:
    create_journey: Journey | None = mutation_field(
        journeys.create_journey,
        journeys.NewJourney,
        scope=WRITE,
        answers=JOURNEY,
        description="Store the draft of a journey, which may be unfinished.",
    )
    update_journey: Journey | None = mutation_field(
        journeys.change_journey,
        journeys.JourneyChanges,
        scope=WRITE,
        answers=JOURNEY,
        ids=("id",),
        description=(
            "Change what is sent of a journey; of an active or paused one, a draft of the "
            "next version is made and answered."
        ),
    )
    activate_journey: ActivatedJourney | None = mutation_field(
        journeys.activate_journey,
        journeys.Activation,
        scope=WRITE,
        ids=("id",),
        optional=True,
        description="Let a draft run; everything that keeps it from that is named at once.",
    )
    pause_journey: Journey | None = mutation_field(
        journeys.pause_journey,
        scope=WRITE,
        answers=JOURNEY,
        ids=("id",),
        description="Let a journey stand still: everybody inside stays where they are.",
    )
    resume_journey: Journey | None = mutation_field(
        journeys.resume_journey,
        scope=WRITE,
        answers=JOURNEY,
        ids=("id",),
        description="Let a paused journey go on, also one that the service paused.",
    )
    enter_journey: EnteredContacts | None = mutation_field(
        journeys.enter_journey,
        journeys.NewEntries,
        scope=WRITE,
        ids=("id",),
        description="Put contacts into an active journey by hand.",
    )
    end_journey_entries: Journey | None = mutation_field(
        journeys.end_entries,
        scope=WRITE,
        answers=JOURNEY,
        ids=("id",),
        description="Let nobody enter a journey any more; those inside finish their way.",
        of="journey",
    )
    migrate_journey_runs: MigratedRuns | None = mutation_field(
        journeys.migrate_runs,
        journeys.Migration,
        heavy=True,
        scope=WRITE,
        ids=("id",),
        description="Let those inside earlier versions go on in this one, where the map says.",
        of="journey",
    )
    replace_journey_settings: JourneySettings | None = mutation_field(
        journeys.put_journey_settings,
        journeys.NewJourneySettings,
        scope=WRITE,
        description="Put settings of all journeys in the place of those before.",
    )
    duplicate_journey: Journey | None = mutation_field(
        journeys.duplicate_journey,
        journeys.Duplication,
        scope=WRITE,
        answers=JOURNEY,
        ids=("id",),
        optional=True,
        description="Make a draft with the same trigger and steps, and nobody inside.",
    )
    archive_journey: Journey | None = mutation_field(
        journeys.archive_journey,
        journeys.Archiving,
        scope=WRITE,
        answers=JOURNEY,
        ids=("id",),
        optional=True,
        description="Put a journey away for good, whatever its status.",
    )
    delete_journey: Deleted | None = mutation_field(
        journeys.delete_journey,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description="Delete the draft of a journey.",
    )
