"""What happened around a contact, of every kind, in one order of time."""

from core.dashboards.timeline.count_timelines import count_timelines
from core.dashboards.timeline.hang_timelines import hang_timelines
from core.dashboards.timeline.read_timelines import Edge, PageInfo, TimelinePage, read_timelines
from core.dashboards.timeline.source import Kind
from core.dashboards.timeline.sources import MOVES

__all__ = [
    "MOVES",
    "Edge",
    "Kind",
    "PageInfo",
    "TimelinePage",
    "count_timelines",
    "hang_timelines",
    "read_timelines",
]
