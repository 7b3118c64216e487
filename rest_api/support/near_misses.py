"""Which address was meant by one that does not exist: known ones with as many parts, all but one or
two of them alike.

An asked address is looked at once, and only as far as known ones go: what it costs is bounded
whatever was asked for.
"""

from collections import defaultdict
from collections.abc import Iterable

MAX_PATH_LENGTH = 200
MAX_PART_LENGTH = 40
MAX_NAMED = 3

VERSION = "v2"
SLIP, ADDED = 2, 1
"""How far away a part is that is spelt otherwise, and an address with or without the version."""
FARTHEST = 5


class NearMisses:
    """The known addresses, by what they could be mistaken for."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_length: dict[int, list[tuple[str, list[str]]]] = defaultdict(list)
        self._spelt: dict[str, set[str]] = defaultdict(set)
        for path in sorted(paths):
            parts = _parts(path)
            self._by_length[len(parts)].append((path, parts))
            for part in parts:
                if not part.startswith("{"):
                    for written in _misspelt(part.lower()):
                        self._spelt[written].add(part)

    def of(self, asked: str) -> list[str]:
        """The nearest known addresses, nearest first; none where nothing is near."""
        if len(asked) > MAX_PATH_LENGTH:
            return []
        parts = _parts(asked.lower())
        near = {part: self._near(part) for part in set(parts)}
        found: dict[str, int] = {}
        for tried, cost in _variants(parts):
            for path, known in self._by_length.get(len(tried), ()):
                distance = cost + sum(
                    map(_distance, tried, known, [near.get(part, set()) for part in tried])
                )
                if distance <= FARTHEST:
                    found[path] = min(distance, found.get(path, distance))
        return sorted(found, key=lambda path: (found[path], path))[:MAX_NAMED]

    def _near(self, part: str) -> set[str]:
        """Known parts that are at most a letter or two away."""
        if len(part) > MAX_PART_LENGTH:
            return set()
        return {known for written in _misspelt(part) for known in self._spelt.get(written, ())}


def _parts(path: str) -> list[str]:
    """Without slashes at the end, or two in a row."""
    return [part for part in path.split("/") if part]


def _variants(parts: list[str]) -> list[tuple[list[str], int]]:
    """The address, and the same with the version or without it."""
    other = parts[1:] if parts[:1] == [VERSION] else [VERSION, *parts]
    return [(parts, 0), (other, ADDED)]


def _distance(asked: str, known: str, near: set[str]) -> int:
    if asked == known.lower():
        return 0
    if known.startswith("{"):
        return 1  # a word that is known goes before an id
    return SLIP if known in near else FARTHEST + 1


def _misspelt(part: str) -> set[str]:
    """The word, and the word without each of its letters: two that share one of these differ in a
    letter.
    """
    return {part, *(part[:place] + part[place + 1 :] for place in range(len(part)))}
