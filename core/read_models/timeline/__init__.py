"""What happened around a contact, of every kind, in one order of time."""

from core.read_models.timeline.count_timelines import count_timelines
from core.read_models.timeline.load_timelines import load_timelines
from core.read_models.timeline.read_timelines import (
    TimelineEdge,
    TimelinePage,
    TimelinePageInfo,
    read_timelines,
)
from core.read_models.timeline.source import Kind
from core.read_models.timeline.sources import MOVES

__all__ = [
    "MOVES",
    "Kind",
    "TimelineEdge",
    "TimelinePage",
    "TimelinePageInfo",
    "count_timelines",
    "load_timelines",
    "read_timelines",
]
