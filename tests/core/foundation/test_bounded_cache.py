from collections.abc import Callable

import pytest

from core.foundation.bounded_cache import ENTRY_BYTES, BoundedCache, remembering

Emptied = list[str]


def a_cache(entries: int, emptied: Callable[[], object] | None = None) -> BoundedCache[str, str]:
    """A cache with room for so many entries of a hundred bytes."""
    return BoundedCache(
        max_bytes=entries * (ENTRY_BYTES + 100), weigh=lambda _, value: len(value), emptied=emptied
    )


def test_it_answers_what_was_put_and_nothing_else() -> None:
    cache = a_cache(10)
    cache.put("a", "x" * 100)
    assert (cache.get("a"), cache.get("b"), len(cache), "a" in cache) == ("x" * 100, None, 1, True)


def test_it_begins_anew_before_it_holds_too_much() -> None:
    emptied: Emptied = []
    cache = a_cache(10, lambda: emptied.append("once"))
    for number in range(10):
        cache.put(str(number), "x" * 100)
    assert (len(cache), cache.bytes_held, emptied) == (10, cache.max_bytes, [])

    cache.put("one more", "x" * 100)

    assert (len(cache), emptied, cache.get("0"), "one more" in cache) == (1, ["once"], None, True)


def test_what_would_fill_it_alone_is_not_kept() -> None:
    cache = a_cache(10)
    cache.put("a", "x" * 100)
    cache.put("large", "x" * 5_000)
    assert (len(cache), "a" in cache, "large" in cache) == (1, True, False)


def test_an_entry_is_counted_once_however_often_it_is_put() -> None:
    cache = a_cache(10)
    for size in (10, 60, 100):
        cache.put("a", "x" * size)
    assert (len(cache), cache.bytes_held) == (1, ENTRY_BYTES + 100)
    cache.forget("a")
    cache.forget("a")
    assert (len(cache), cache.bytes_held) == (0, 0)


def test_cleared_by_somebody_it_tells_nobody() -> None:
    emptied: Emptied = []
    cache = a_cache(10, lambda: emptied.append("once"))
    cache.put("a", "x")
    cache.clear()
    assert (len(cache), cache.bytes_held, emptied) == (0, 0, [])


def test_a_function_that_remembers_asks_once_and_remembers_no_refusal() -> None:
    asked = []

    @remembering(max_bytes=100_000, weigh=lambda text, answer: len(text) + len(answer))
    def shout(text: str) -> str:
        asked.append(text)
        if not text:
            raise ValueError
        return text.upper()

    assert [shout("a"), shout("a"), shout("b")] == ["A", "A", "B"]
    for _ in range(2):
        with pytest.raises(ValueError, match=r"^$"):
            shout("")
    assert asked == ["a", "b", "", ""]
