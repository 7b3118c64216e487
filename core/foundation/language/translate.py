"""Translation of refusals, looked up when they are answered: who raises one writes plain English.

The catalogue has sentences as they stand in the code. What an f-string fills in is `{name}` on both
sides; a sentence that was filled in is recognised by the words between, in time that grows with its
length.
"""

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from string import Formatter

from core.foundation.language.asked import ENGLISH, Language, language_noted

CATALOGUE = "core.foundation.language.pt_br"
THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A sentence with places to fill in. `words` stand before, between and behind the places."""

    words: tuple[str, ...]
    places: tuple[str, ...]
    translation: str

    @classmethod
    def of(cls, sentence: str, translation: str) -> "Pattern":
        """The pattern of a sentence of the catalogue."""
        words, places = [""], []
        for text, place, _, _ in Formatter().parse(sentence):
            words[-1] += text
            if place is not None:  # it is, behind a brace of the text itself
                places.append(place)
                words.append("")
        return cls(tuple(words), tuple(places), translation)

    def read(self, sentence: str) -> dict[str, str] | None:
        """What fills the places, where the sentence is of this pattern."""
        first, *between, last = self.words
        if not (sentence.startswith(first) and sentence.endswith(last)) or len(sentence) < len(
            first
        ) + len(last):
            return None
        end = len(sentence) - len(last)
        found: dict[str, str] = {}
        at = len(first)
        for place, words in zip(self.places, [*between, ""], strict=True):
            stop = sentence.find(words, at, end) if words else end
            if stop < 0:
                return None
            found[place] = sentence[at:stop]
            at = stop + len(words)
        return found


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The sentences of one language: those that are always the same, and patterns, with the most
    words first.
    """

    plain: Mapping[str, str]
    patterns: tuple[Pattern, ...]

    def translate(self, sentence: str) -> str | None:
        """The sentence in this language, with its full stop if it has one; None where it is not
        known.
        """
        stop = "." if sentence.endswith(".") else ""
        known = self._find(sentence.removesuffix(stop))
        return None if known is None else known + stop

    def _find(self, sentence: str) -> str | None:
        if (known := self.plain.get(sentence)) is not None:
            return known
        for pattern in self.patterns:
            if (found := pattern.read(sentence)) is not None:
                filled = {place: self._fill(value) for place, value in found.items()}
                return pattern.translation.format_map(filled)
        return None

    def _fill(self, value: str) -> str:
        """What fills a place: a sentence in this language, a number with points between its
        thousands, else as it is: a name stays, whatever it means as a word.
        """
        if THOUSANDS.fullmatch(value):
            return value.replace(",", ".")
        return (" " in value and self.translate(value)) or value


def translated(sentence: str, language: Language) -> str:
    """The sentence in a language; as it is where that is not known."""
    if language == ENGLISH:
        return sentence
    return portuguese().translate(sentence) or sentence


def in_language_noted(sentence: str) -> str:
    """The sentence as the client of what is under way wants it: for reports, which are no refusals."""
    return translated(sentence, language_noted())


def has_translation(sentence: str) -> bool:
    """Whether the catalogue knows the sentence."""
    return portuguese().translate(sentence) is not None


@cache
def portuguese() -> Catalogue:
    """The catalogue, read when it is first asked for."""
    return catalogue_of(importlib.import_module(CATALOGUE).SENTENCES)


def catalogue_of(sentences: Mapping[str, str]) -> Catalogue:
    """Sentences, ready to be looked up, all without their full stop: else a place at the end would
    take it in.

    Braces that are none of a place stand doubled, as in an f-string.
    """
    plain: dict[str, str] = {}
    patterns: list[Pattern] = []
    for sentence, translation in sentences.items():
        pattern = Pattern.of(sentence.removesuffix("."), translation.removesuffix("."))
        if pattern.places:
            patterns.append(pattern)
        else:
            plain[pattern.words[0]] = pattern.translation.format()
    patterns.sort(key=lambda pattern: -sum(map(len, pattern.words)))
    return Catalogue(plain, tuple(patterns))
