"""What can be done with journeys."""

from core import journeys
from core.dashboards.journeys import JOURNEY
from core.foundation.security.caller import Scope
from graphql_api.journeys.types import Journey
from graphql_api.mutations import Deleted, deeds, does

WRITE = Scope.CAMPAIGNS_WRITE


@deeds
class JourneyMutations:
    create_journey: Journey | None = does(
        journeys.create_journey, journeys.NewJourney, scope=WRITE, answers=JOURNEY
    )
    archive_journey: Journey | None = does(
        journeys.archive_journey, scope=WRITE, answers=JOURNEY, ids=("id",)
    )
    delete_journey: Deleted | None = does(
        journeys.delete_journey,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description="Only a draft.",
    )
