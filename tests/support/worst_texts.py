"""The worst texts of a regular expression, built from its parsed structure.

A matcher that goes back takes long where one text can be read in several ways: a repeat inside a
repeat, repeats beside each other that share characters, a search that begins anew inside of what it
has read already. So each repeat is pumped with what its body matches, behind what leads to it; so
is each way from the beginning into a repeat; and each ends in what does not fit.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice, product
from typing import Any

# By name: mypy knows nothing of them, and says so or not by the order in which it reads the files.
sre: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
SAMPLES = 10
"""Texts that stand for what a piece of a pattern matches."""
ALPHABET = [
    *map(chr, range(0x180)),
    *"\u0663\u2028\u3000\ufeff\uff0d😀",
]


class Worst:
    """The texts for one pattern. `n`: how long they get."""

    def __init__(self, pattern: "re.Pattern[Any]", *, n: int) -> None:
        text = pattern.pattern
        self._bytes = isinstance(text, bytes)
        self._flags = pattern.flags
        self._tree = parser.parse(text, pattern.flags & ~re.DEBUG)
        self._n = n
        self._letters = self._classes()

    def texts(self) -> Iterator[Any]:
        """Every text, once."""
        seen = set()
        for before, body, after in self._repeats(list(self._tree)):
            for pump, prefix in self._pumps(before, body):
                for end in self._ends(after):
                    if (key := (prefix, pump, end)) not in seen:
                        seen.add(key)
                        text = prefix + pump * (self._n // max(1, len(pump))) + end
                        yield text.encode("latin-1", "replace") if self._bytes else text

    def _pumps(self, before: Sequence[Any], body: Sequence[Any]) -> Iterator[tuple[str, str]]:
        """What is repeated, and what stands before."""
        leads = self._samples(before)
        for inside in self._samples(body):
            for lead in leads[:3]:
                yield inside, lead
                yield lead + inside, ""  # a search begins at each of them anew
        for first, second in product(self._samples(body)[:4], repeat=2):
            yield first + second, leads[0]

    def _ends(self, after: Sequence[Any]) -> list[str]:
        follows = self._samples(after)[0] if after else ""
        return list(
            dict.fromkeys(["", self._letters[-1], "\x00", "\n", follows, follows[:-1] + "\x00"])
        )

    # What a pattern is made of -------------------------------------------------------------------

    def _repeats(
        self, items: Sequence[Any], before: Sequence[Any] = (), after: Sequence[Any] = ()
    ) -> Iterator[Any]:
        """(what leads to it, its body, what follows) of each repeat, however deep it lies."""
        for place, (op, value) in enumerate(items):
            lead, rest = [*before, *items[:place]], [*items[place + 1 :], *after]
            if op in REPEATS and value[1] > SAMPLES:
                yield lead, list(value[2]), rest
            for inner in _inside(op, value):
                yield from self._repeats(list(inner), lead, rest)

    def _samples(self, items: Sequence[Any]) -> list[str]:
        """Up to SAMPLES texts that the sequence matches, the shortest first."""
        found = [""]
        for op, value in items:
            own = list(islice(dict.fromkeys(self._of(op, value)), SAMPLES)) or [""]
            wide = [head + tail for tail in own for head in found[:1]] + [
                head + own[0] for head in found[1:]
            ]
            found = list(dict.fromkeys(wide))[:SAMPLES]
        return found

    def _of(self, op: Any, value: Any) -> Iterable[str]:
        if op is sre.LITERAL:
            return [chr(value)]
        if op in (sre.NOT_LITERAL, sre.ANY, sre.IN):
            return self._chosen(op, value)
        ways = [self._samples(list(way)) for way in _inside(op, value)]
        if op in REPEATS:
            least, most, _ = value
            return [
                one * count
                for count in (least, min(max(least, 1), most), min(least + 1, most))
                for one in ways[0]
            ]
        if op in (sre.BRANCH, sre.SUBPATTERN, sre.ATOMIC_GROUP):
            return [way[depth] for depth in range(SAMPLES) for way in ways if depth < len(way)]
        return [""]  # a place, an assertion, a reference to a group

    def _chosen(self, op: Any, value: Any) -> list[str]:
        """One character of each class that this takes."""
        return [letter for letter in self._letters if _is_in(op, value, letter, self._flags)]

    def _classes(self) -> list[str]:
        """A character of each class that the pattern tells apart, those that it names first."""
        atoms = list(_atoms(list(self._tree)))
        alphabet = [letter for letter in ALPHABET if not self._bytes or ord(letter) < 0x100]
        classes: dict[tuple[bool, ...], str] = {}
        for letter in sorted(alphabet, key=lambda one: not one.isalnum()):
            classes.setdefault(
                tuple(_is_in(op, value, letter, self._flags) for op, value in atoms), letter
            )
        return [letter for _, letter in sorted(classes.items(), key=lambda item: -sum(item[0]))]


def _inside(op: Any, value: Any) -> list[Any]:
    match op:
        case sre.BRANCH:
            return list(value[1])
        case sre.SUBPATTERN:
            return [value[3]]
        case sre.ATOMIC_GROUP:
            return [value]
        case sre.MAX_REPEAT | sre.MIN_REPEAT | sre.POSSESSIVE_REPEAT:
            return [value[2]]
        case sre.ASSERT | sre.ASSERT_NOT:
            return [value[1]]
    return []


def _atoms(items: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    for op, value in items:
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            yield op, value
        for inner in _inside(op, value):
            yield from _atoms(list(inner))


def _is_in(op: Any, value: Any, letter: str, flags: int) -> bool:
    forms = {letter, letter.lower(), letter.upper()} if flags & re.IGNORECASE else {letter}
    match op:
        case sre.LITERAL:
            return chr(value) in forms
        case sre.NOT_LITERAL:
            return chr(value) not in forms
        case sre.ANY:
            return bool(flags & re.DOTALL) or letter != "\n"
        case sre.RANGE:
            return any(value[0] <= ord(form) <= value[1] for form in forms if len(form) == 1)
        case sre.CATEGORY:
            return bool(CATEGORIES[value].match(letter))
        case sre.IN:
            negated = value[0][0] is sre.NEGATE
            return negated != any(
                _is_in(one, of, letter, flags) for one, of in value if one is not sre.NEGATE
            )
    raise NotImplementedError(op)


CATEGORIES = {
    getattr(sre, f"CATEGORY_{name}"): re.compile(text)
    for name, text in {
        "DIGIT": r"\d",
        "NOT_DIGIT": r"\D",
        "SPACE": r"\s",
        "NOT_SPACE": r"\S",
        "WORD": r"\w",
        "NOT_WORD": r"\W",
    }.items()
}
