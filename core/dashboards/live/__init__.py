"""What changes, as it changes: streams for one caller, each record read anew when it is told."""

from core.dashboards.live.cards import cards_moved
from core.dashboards.live.events import events_published
from core.dashboards.live.messages import messages_changed
from core.dashboards.live.pushes import push_progress

__all__ = ["cards_moved", "events_published", "messages_changed", "push_progress"]
