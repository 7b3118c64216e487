"""What is done, or to be done, about a deal: notes, tasks, calls."""

from core.pipelines.cards.activities.edit import add_activity, change_activity, delete_activity
from core.pipelines.cards.activities.inputs import ActivityChanges, ActivityFilter, NewActivity
from core.pipelines.cards.activities.listing import list_activities

__all__ = [
    "ActivityChanges",
    "ActivityFilter",
    "NewActivity",
    "add_activity",
    "change_activity",
    "delete_activity",
    "list_activities",
]
