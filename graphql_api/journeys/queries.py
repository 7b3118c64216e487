"""Journeys at the root."""

import strawberry

from core.dashboards.journeys import JOURNEY
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.journeys.inputs import JourneyFilter
from graphql_api.journeys.types import Journey


@strawberry.type
class JourneyQueries:
    journey: Journey | None = reads_one(JOURNEY)
    journeys: Connection[Journey] | None = reads_page(
        JOURNEY, filter=JourneyFilter, description="Newest first"
    )
