"""What changes, as it changes: streams for one caller, each record read anew when it is told."""

from core.read_models.live.cards import cards_moved
from core.read_models.live.events import events_published
from core.read_models.live.journeys import journey_progress
from core.read_models.live.messages import messages_changed
from core.read_models.live.pushes import push_progress
from core.read_models.live.smpp import smpp_binds_changed

__all__ = [
    "cards_moved",
    "events_published",
    "journey_progress",
    "messages_changed",
    "push_progress",
    "smpp_binds_changed",
]
