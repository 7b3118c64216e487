"""Journeys: the steps that are to happen to a contact, and the runs of contacts on them."""

from core.journeys.archive import archive_journey, delete_journey
from core.journeys.create import create_journey
from core.journeys.delete_segment import delete_segment
from core.journeys.inputs import JourneyFilter, NewJourney
from core.journeys.models import Journey
from core.journeys.queries import get_journey, list_journeys
from core.journeys.record import JourneyPage, JourneyRecord
from core.journeys.runs.audience import BATCH_SIZE as AUDIENCE_BATCH_SIZE
from core.journeys.runs.audience import NEXT_CHANGE, Audience
from core.journeys.runs.counts import merge_step_counts
from core.journeys.runs.move import NEXT_MOVE, move_due
from core.journeys.runs.trail import forget_test_trail, sweep_trail

__all__ = [
    "AUDIENCE_BATCH_SIZE",
    "NEXT_CHANGE",
    "NEXT_MOVE",
    "Audience",
    "Journey",
    "JourneyFilter",
    "JourneyPage",
    "JourneyRecord",
    "NewJourney",
    "archive_journey",
    "create_journey",
    "delete_journey",
    "delete_segment",
    "forget_test_trail",
    "get_journey",
    "list_journeys",
    "merge_step_counts",
    "move_due",
    "sweep_trail",
]
