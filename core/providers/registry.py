"""Which provider serves live sends of a channel."""

from typing import Any


def for_live(channel: str) -> Any:
    """The provider of a channel, or None where none is configured."""
    return None
