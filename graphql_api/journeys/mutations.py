"""What can be done with journeys."""

from core import journeys
from core.dashboards.journeys import JOURNEY
from core.foundation.caller import Scope
from graphql_api.journeys.types import Journey
from graphql_api.mutations import deeds, does


@deeds
class JourneyMutations:
    create_journey: Journey | None = does(
        journeys.create_journey, journeys.NewJourney, scope=Scope.CAMPAIGNS_WRITE, answers=JOURNEY
    )
