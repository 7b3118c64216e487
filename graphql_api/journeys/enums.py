"""The closed sets of journeys."""

from typing import get_args

from core.journeys.inputs import FrequencyCap, Goal, Quiet, Reentry, Trigger
from core.journeys.models import JourneyStatus as Status
from graphql_api.enums import wire_enum
from graphql_api.inputs import call, name_sets, spell

JourneyStatus = wire_enum("JourneyStatus", Status)
JourneyReentry = wire_enum("JourneyReentry", get_args(Reentry))

spell(Reentry, JourneyReentry)
for model in (Trigger, Quiet, FrequencyCap, Goal):
    call(model, f"Journey{model.__name__}Input")
name_sets(Trigger, kind="JourneyTriggerType")
