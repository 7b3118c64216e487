"""Journeys: the steps that are to happen to a contact; stored and validated, not yet run."""

from core.journeys.archive import archive_journey, delete_journey
from core.journeys.create import create_journey
from core.journeys.delete_segment import delete_segment
from core.journeys.inputs import JourneyFilter, NewJourney
from core.journeys.models import Journey
from core.journeys.queries import get_journey, list_journeys
from core.journeys.record import JourneyPage, JourneyRecord
from core.journeys.runs.sending.hints import name_run, wake_waiting

__all__ = [
    "Journey",
    "JourneyFilter",
    "JourneyPage",
    "JourneyRecord",
    "NewJourney",
    "archive_journey",
    "create_journey",
    "delete_journey",
    "delete_segment",
    "get_journey",
    "list_journeys",
    "name_run",
    "wake_waiting",
]
