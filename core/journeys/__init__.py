"""Journeys: the steps that are to happen to a contact, and the runs of contacts on them."""

from core.journeys.activate import ActivatedJourney, activate_journey
from core.journeys.archive import archive_journey, delete_journey
from core.journeys.change import change_journey, duplicate_journey
from core.journeys.create import create_journey
from core.journeys.delete_segment import delete_segment
from core.journeys.entry.by_hand import EnteredContacts, enter_journey
from core.journeys.entry.leave import forget_contact, lock_runs_of
from core.journeys.entry.members import (
    NEXT_COMPARISON,
    NEXT_LOOK,
    compare_due,
    forget_unwatched,
    look_at_changed,
)
from core.journeys.entry.present import NEXT_SLICE
from core.journeys.entry.take_entries import take_entries
from core.journeys.inputs import (
    Activation,
    Archiving,
    Duplication,
    JourneyChanges,
    JourneyFilter,
    NewEntries,
    NewJourney,
)
from core.journeys.migrate import MigratedRuns, Migration, migrate_runs
from core.journeys.models import Journey
from core.journeys.pause import end_entries, pause_journey, resume_journey
from core.journeys.queries import get_journey, list_journeys
from core.journeys.record import JourneyPage, JourneyRecord
from core.journeys.runs.audience import BATCH_SIZE as AUDIENCE_BATCH_SIZE
from core.journeys.runs.audience import NEXT_CHANGE, AudienceWatcher
from core.journeys.runs.counts import merge_step_counts
from core.journeys.runs.inputs import RunFilter
from core.journeys.runs.move import NEXT_MOVE, move_due
from core.journeys.runs.queries import get_run, list_runs
from core.journeys.runs.record import RunPage, RunRecord, WholeRunRecord
from core.journeys.runs.take_out import take_out
from core.journeys.runs.trail import OWN_TRAIL, forget_test_trail, sweep_trail
from core.journeys.settings import (
    JourneySettingsRecord,
    NewJourneySettings,
    get_journey_settings,
    put_journey_settings,
)

__all__ = [
    "AUDIENCE_BATCH_SIZE",
    "NEXT_CHANGE",
    "NEXT_COMPARISON",
    "NEXT_LOOK",
    "NEXT_MOVE",
    "NEXT_SLICE",
    "OWN_TRAIL",
    "ActivatedJourney",
    "Activation",
    "Archiving",
    "AudienceWatcher",
    "Duplication",
    "EnteredContacts",
    "Journey",
    "JourneyChanges",
    "JourneyFilter",
    "JourneyPage",
    "JourneyRecord",
    "JourneySettingsRecord",
    "MigratedRuns",
    "Migration",
    "NewEntries",
    "NewJourney",
    "NewJourneySettings",
    "RunFilter",
    "RunPage",
    "RunRecord",
    "WholeRunRecord",
    "activate_journey",
    "archive_journey",
    "change_journey",
    "compare_due",
    "create_journey",
    "delete_journey",
    "delete_segment",
    "duplicate_journey",
    "end_entries",
    "enter_journey",
    "forget_contact",
    "forget_test_trail",
    "forget_unwatched",
    "get_journey",
    "get_journey_settings",
    "get_run",
    "list_journeys",
    "list_runs",
    "lock_runs_of",
    "look_at_changed",
    "merge_step_counts",
    "migrate_runs",
    "move_due",
    "pause_journey",
    "put_journey_settings",
    "resume_journey",
    "sweep_trail",
    "take_entries",
    "take_out",
]
