"""Pub/sub through Redis: hints that something changed, for whoever listens; never the truth."""

from core.foundation.pubsub.notices import Notice, ReceivedNotice, Topic
from core.foundation.pubsub.publisher import Publisher, publish, use_publisher
from core.foundation.pubsub.subscriber import (
    Hub,
    Listener,
    ListenerTooSlow,
    ListeningInterrupted,
    NoticesLost,
    OnCutOff,
    hub,
    use_hub,
)

__all__ = [
    "Hub",
    "Listener",
    "ListenerTooSlow",
    "ListeningInterrupted",
    "Notice",
    "NoticesLost",
    "OnCutOff",
    "Publisher",
    "ReceivedNotice",
    "Topic",
    "hub",
    "publish",
    "use_hub",
    "use_publisher",
]
