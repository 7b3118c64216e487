"""Pub/sub through Redis: hints that something changed, for whoever listens; never the truth."""

from core.foundation.pubsub.announcer import Announcer, announce, use_announcer
from core.foundation.pubsub.listen import (
    CutOff,
    Hub,
    Interrupted,
    Listener,
    Lost,
    TooSlow,
    hub,
    use_hub,
)
from core.foundation.pubsub.notices import Heard, Notice, Topic

__all__ = [
    "Announcer",
    "CutOff",
    "Heard",
    "Hub",
    "Interrupted",
    "Listener",
    "Lost",
    "Notice",
    "TooSlow",
    "Topic",
    "announce",
    "hub",
    "use_announcer",
    "use_hub",
]
