"""Every sentence that a caller may read stands in the Portuguese catalogue, and nothing else does."""

import re
from collections import Counter
from http import HTTPStatus
from string import Formatter

import pytest

from core.foundation.language import has_translation
from core.foundation.language.pt_br import FILES, SENTENCES, graphql_core
from core.foundation.language.translate import portuguese
from rest_api.support.problems import STATUS
from tests.house.sentences import literals, sentences

WHERE = "write it in core/foundation/language/pt_br/<domain>.py, or say it where only we read it (CONTRIBUTING.md)"
TITLES = {HTTPStatus(status).phrase for status in {*STATUS.values(), 408, 410, 413, 415, 416, 431}}
OF_ANOTHER_PYTHON = {"Content Too Large", "Range Not Satisfiable", "Unprocessable Content"}
"""The titles of these statuses from Python 3.13 on."""


def places(text: str) -> Counter[str]:
    """What is filled in."""
    return Counter(place for _, place, _, _ in Formatter().parse(text) if place is not None)


def test_the_sentences_of_the_source_are_found() -> None:
    found = {sentence.text for sentence in sentences()}

    assert (
        "No such record; check the id and the environment of the credential." in found
    )  # of a class
    assert "Send at least one button" in found  # of a helper's argument
    assert "This object has at most {most} levels" in found  # of an f-string or a context
    assert len(found) > 500


def test_every_sentence_has_a_translation() -> None:
    known = {key.removesuffix(".") for key in SENTENCES}
    without = [
        f"{one.place}: {one.text}" for one in sentences() if one.text.removesuffix(".") not in known
    ]

    assert without == [], WHERE


@pytest.mark.parametrize("title", sorted(TITLES))
def test_every_title_has_a_translation(title: str) -> None:
    assert has_translation(title), WHERE


def test_no_translation_is_of_a_sentence_that_nobody_says() -> None:
    said = {one.text.removesuffix(".") for one in sentences()} | literals()
    said |= (
        TITLES | OF_ANOTHER_PYTHON | graphql_core.SENTENCES.keys()
    )  # these are said by a library
    unused = [key for key in SENTENCES if key.removesuffix(".") not in said]

    assert unused == [], "take them out of the catalogue"


def test_no_sentence_is_translated_twice() -> None:
    keys = Counter(key.removesuffix(".") for file in FILES for key in file.SENTENCES)

    assert [key for key, times in keys.items() if times > 1] == []


@pytest.mark.parametrize(("english", "translation"), SENTENCES.items())
def test_a_translation_keeps_what_is_filled_in_and_how_it_ends(
    english: str, translation: str
) -> None:
    assert places(translation).keys() == places(english).keys()
    assert all(times == 1 for times in places(english).values()), (
        "give each place a name of its own"
    )
    assert translation.endswith(".") == english.endswith(".")
    assert translation == translation.strip() != ""
    assert set(re.findall(r"`[^`]+`", translation)) == set(re.findall(r"`[^`]+`", english)), (
        "names stay"
    )


@pytest.mark.parametrize("english", [key for key in SENTENCES if places(key)])
def test_a_sentence_that_was_filled_in_is_recognised(english: str) -> None:
    values = {place: f"«{place}»" for place in places(english)}

    assert portuguese().translate(english.format_map(values)) == SENTENCES[english].format_map(
        values
    )
