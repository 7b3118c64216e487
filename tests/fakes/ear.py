"""Hears what is announced, at once and in this process."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from core.foundation import pubsub
from core.foundation.pubsub import Notice, Publisher


class RecordedNotices(Publisher):
    """The notices in the order they were announced."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []

    def take(self, notices: Iterable[Notice]) -> None:
        """Remember them."""
        self.notices += notices

    def ids(self, topic: pubsub.Topic = pubsub.Topic.MESSAGE) -> list[str]:
        """The records of a topic that were announced since the last time that this was asked."""
        found = [notice.id for notice in self.notices if notice.topic is topic]
        self.notices = [notice for notice in self.notices if notice.topic is not topic]
        return found


@contextmanager
def listening() -> Iterator[RecordedNotices]:
    """Hear what this process announces inside the block."""
    ear = RecordedNotices()
    pubsub.use_publisher(ear)
    try:
        yield ear
    finally:
        pubsub.use_publisher(None)
