"""Use cases: what holds for all journeys of an organization in one environment."""

from typing import Annotated, TypedDict

from pydantic import Field

from core import audit
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.records import Doc, named
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import Input
from core.journeys.inputs import FrequencyCap
from core.journeys.record import JourneyFrequencyCap
from core.journeys.runs.models import JourneySettings


class NewJourneySettings(Input):
    """The settings to put in the place of those before."""

    cap: FrequencyCap | None = Field(
        alias="teto",
        description="How many messages of all journeys together a contact gets at most; null: "
        "each journey has its own alone",
    )


@named(rest="JourneySettingsRecord", graphql="JourneySettings")
class JourneySettingsRecord(TypedDict):
    """What holds for all journeys."""

    teto: Annotated[
        JourneyFrequencyCap | None,
        Doc("How many messages of all journeys together a contact gets at most; null: no limit"),
    ]


async def get_journey_settings(caller: Caller) -> JourneySettingsRecord:
    """The settings that hold."""
    caller.require(Scope.CAMPAIGNS_READ)
    stored = await JourneySettings.visible_to(caller).first()
    return {"teto": None if stored is None else stored.cap}  # type: ignore[typeddict-item]  # as it was taken


async def put_journey_settings(caller: Caller, new: NewJourneySettings) -> JourneySettingsRecord:
    """Put these settings in the place of those before."""
    caller.require(Scope.CAMPAIGNS_WRITE)
    at = now()
    cap = (
        None
        if new.cap is None
        else new.cap.model_dump(mode="json", by_alias=True, exclude_none=True)
    )
    async with transaction():
        values = {"cap": cap, "updated_at": at}
        await JourneySettings.update_or_create(defaults=values, **owned_by(caller))
        facts = {"capped": cap is not None}
        await audit.write_entry(caller, "journey_settings.changed", None, facts, at=at)
    return {"teto": cap}  # type: ignore[typeddict-item]  # as it was taken
