"""Closed sets of the figures."""

from core.dashboards.statistics import Bucket, Group
from graphql_api.enums import wire_enum

StatsBucket = wire_enum(
    "StatsBucket",
    Bucket,
    description="By the calendar and the clock of the time zone. A week begins on Monday.",
)
StatsGroup = wire_enum("StatsGroup", Group)
