"""Pub/sub through Redis: hints that something changed, for whoever listens; never the truth."""

from core.foundation.pubsub.notices import Notice, ReceivedNotice, Topic
from core.foundation.pubsub.publisher import Publisher, publish, use_publisher
from core.foundation.pubsub.subscriber import (
    Hub,
    ListenerTooSlow,
    ListeningInterrupted,
    NoticeListener,
    NoticesLost,
    OnCutOff,
    hub,
    use_hub,
)

__all__ = [
    "Hub",
    "ListenerTooSlow",
    "ListeningInterrupted",
    "Notice",
    "NoticeListener",
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
