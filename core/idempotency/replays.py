"""Whether the request under way was answered by an earlier use of its key: what the door tells in a
header.
"""

from contextvars import ContextVar

_replayed: ContextVar[bool] = ContextVar("replayed", default=False)


def note_replay(replayed: bool = True) -> None:
    """An earlier use of the key answers; False: a new request begins."""
    _replayed.set(replayed)


def was_replayed() -> bool:
    """What was noted last."""
    return _replayed.get()
