"""Closed sets of the timeline."""

from typing import get_args

from core.contacts import OptOut
from core.dashboards.timeline import MOVES, Kind
from graphql_api.enums import wire_enum

TimelineKind = wire_enum("TimelineKind", Kind)
ConsentChannel = wire_enum("ConsentChannel", get_args(OptOut.model_fields["channel"].annotation))
StageMoveKind = wire_enum("StageMoveKind", MOVES)
