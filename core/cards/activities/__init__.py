"""What is done, or to be done, about a deal: notes, tasks, calls."""

from core.cards.activities.edit import add_activity, change_activity, delete_activity
from core.cards.activities.inputs import ActivityChanges, ActivityFilter, NewActivity
from core.cards.activities.listing import list_activities
from core.cards.activities.record import ActivityPage, ActivityRecord

__all__ = [
    "ActivityChanges",
    "ActivityFilter",
    "ActivityPage",
    "ActivityRecord",
    "NewActivity",
    "add_activity",
    "change_activity",
    "delete_activity",
    "list_activities",
]
