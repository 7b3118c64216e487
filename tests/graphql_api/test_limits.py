"""How deep a document may be, and how many aliases it may have, whatever way it is written."""

import pytest
from graphql import get_introspection_query

from graphql_api.documents import read_document

PEOPLE = "company { contatos(first: 1) { edges { node { %s } } } }"
DEEP = (
    "{ contacts(first: 1) { nodes { " + PEOPLE % (PEOPLE % (PEOPLE % "company { %s }")) + " } } }"
)
"""Eight levels; `edges`, `node` and `nodes` are none."""


def messages_of(text: str) -> list[str]:
    return [error.message for error in read_document(text).errors]


def test_eight_levels_below_the_root_are_allowed() -> None:
    assert messages_of(DEEP % "nome") == []
    (message,) = messages_of(DEEP % "contagens { contatos }")
    assert message == "The document is 9 levels deep; 8 are allowed."


def test_fragments_are_as_deep_as_where_they_are_spread() -> None:
    query = DEEP % "...Counts" + " fragment Counts on Company { contagens { contatos } }"
    assert messages_of(query) == ["The document is 9 levels deep; 8 are allowed."]


def test_fifteen_aliases_are_allowed() -> None:
    def query(number: int) -> str:
        return "{" + " ".join(f"a{place}: me {{ env }}" for place in range(number)) + "}"

    assert messages_of(query(15)) == []
    assert messages_of(query(16)) == ["The document has 16 aliases; 15 are allowed."]


def test_an_alias_in_a_fragment_counts_wherever_it_is_spread() -> None:
    spreads = " ".join("... on Query { ...One }" for _ in range(16))
    assert messages_of(f"{{ {spreads} }} fragment One on Query {{ a: me {{ env }} }}") == [
        "The document has 16 aliases; 15 are allowed."
    ]


def test_introspection_is_as_deep_as_it_is() -> None:
    assert messages_of(get_introspection_query()) == []


def test_two_thousand_tokens_are_allowed() -> None:
    (message,) = messages_of("{ me { " + "env " * 2_001 + "} }")
    assert "2000 tokens" in message


@pytest.mark.parametrize("spread", ["...F{next} ...F{next}", "me {{ env }} ...F{next}"])
def test_fragments_of_fragments_are_measured_once_each(spread: str) -> None:
    chain = " ".join(
        f"fragment F{n} on Query {{ {spread.format(next=n + 1)} }}" for n in range(100)
    )
    text = f"{{ ...F0 }} {chain} fragment F100 on Query {{ a: me {{ env }} }}"
    # Doubled a hundred times: the number is right, and nobody counted to it.
    doubled = ["The document has 1267650600228229401496703205376 aliases; 15 are allowed."]
    assert messages_of(text) == (doubled if spread.startswith("...") else [])


def test_a_circle_of_fragments_is_refused() -> None:
    assert any(
        "itself" in message for message in messages_of("{ ...A } fragment A on Query { ...A }")
    )
