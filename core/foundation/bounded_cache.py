"""A cache of this process, bounded by bytes: when it is full, it begins anew."""

from collections.abc import Callable, Hashable, ItemsView
from functools import wraps
from typing import Generic, ParamSpec, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Parameters = ParamSpec("Parameters")
Answered = TypeVar("Answered")

ENTRY_BYTES = 200
"""What an entry takes besides its key and its value: its place in the dictionary, and what it is
weighed with.
"""


class BoundedCache(Generic[Key, Value]):
    """What is worth remembering, up to `max_bytes`; then it begins anew, so that a look-up costs no
    bookkeeping.

    `weigh` says how many bytes a key and its value hold, and rather too many than too few.
    `emptied` is called when the cache has begun anew by itself, by whoever keeps something that
    belongs to its values.
    """

    __slots__ = ("_emptied", "_entries", "_weigh", "bytes_held", "get", "max_bytes")

    def __init__(
        self,
        *,
        max_bytes: int,
        weigh: Callable[[Key, Value], int],
        emptied: Callable[[], object] | None = None,
    ) -> None:
        self.max_bytes = max_bytes
        self.bytes_held = 0
        self._weigh = weigh
        self._emptied = emptied
        self._entries: dict[Key, Value] = {}
        self.get: Callable[[Key], Value | None] = self._entries.get  # called at every request

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def items(self) -> ItemsView[Key, Value]:
        """What is remembered."""
        return self._entries.items()

    def put(self, key: Key, value: Value) -> None:
        """Remember a value; one that would fill the cache alone is not worth the others."""
        self.forget(key)
        weight = ENTRY_BYTES + self._weigh(key, value)
        if weight > self.max_bytes // 4:
            return
        if self.bytes_held + weight > self.max_bytes:
            self.clear()
            if self._emptied is not None:
                self._emptied()
        self._entries[key] = value
        self.bytes_held += weight

    def forget(self, key: Key) -> None:
        """Remember nothing under this key."""
        if key in self._entries:
            value = self._entries.pop(key)
            self.bytes_held -= ENTRY_BYTES + self._weigh(key, value)

    def clear(self) -> None:
        """Begin anew."""
        self._entries.clear()
        self.bytes_held = 0


def remembering(
    *, max_bytes: int, weigh: Callable[..., int]
) -> Callable[[Callable[Parameters, Answered]], Callable[Parameters, Answered]]:
    """A function of positional, hashable arguments that remembers its answers, never its refusals.

    `weigh` takes the answer behind the arguments.
    """

    def decorate(function: Callable[Parameters, Answered]) -> Callable[Parameters, Answered]:
        cache: BoundedCache[tuple[object, ...], tuple[Answered]] = BoundedCache(
            max_bytes=max_bytes, weigh=lambda arguments, answer: weigh(*arguments, *answer)
        )

        @wraps(function)
        def asked(*arguments: Parameters.args, **named: Parameters.kwargs) -> Answered:
            known = cache.get(arguments)
            if known is None:
                known = (function(*arguments, **named),)
                cache.put(arguments, known)
            return known[0]

        asked.cache = cache  # type: ignore[attr-defined]
        return asked

    return decorate
