"""What the gateway and its library say of a document, in Portuguese."""

import pytest

from core.foundation.language import note_header
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.support.graphql import ask

DOCUMENTS = [
    "{",
    "",
    '{ a"',
    "{ nothing }",
    "{ contacts(first: 1) { totalCont } }",
    "{ contacts(furst: 1) { totalCount } }",
    "{ contacts(first: 1, first: 2) { totalCount } }",
    '{ contacts(first: "x") { totalCount } }',
    "{ contacts(first: 1, filter: {nope: 1}) { totalCount } }",
    "{ contacts(first: $a) { totalCount } }",
    "query Q { contacts(first: $a) { totalCount } }",
    "query($a: String) { contacts(first: $a) { totalCount } }",
    "query($a: Int!) { contacts(first: $a) { totalCount } }",
    "query($a: Int) { me { env } }",
    "query Q($a: Int) { me { env } }",
    "query($a: Nope) { me { env } }",
    "{ me }",
    "{ me { env { x } } }",
    "{ me { env(x: 1) } }",
    "{ me { env env: environment } }",
    "{ me { env @include } }",
    "{ me @x { env } }",
    "{ me { ...F } }",
    "{ me { ... on Contact { id } } }",
    "{ me { env ...F } } fragment F on Me { env ...F }",
    "fragment F on Me { env } { me { env } }",
    "query A { me { env } } query A { me { env } }",
    "query A { me { env } } query B { me { env } }",
    "{ me { env } } query B { me { env } }",
    "{ node { id } }",
    "type A { a: Int }",
    "subscription { me }",
]
ENGLISH = {
    "the",
    "must",
    "cannot",
    "unknown",
    "expected",
    "unexpected",
    "value",
    "never",
    "only",
    "required",
}


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    """Somebody."""
    return await a_caller("test")


@pytest.mark.parametrize("document", DOCUMENTS)
async def test_what_is_wrong_with_a_document_is_told_in_portuguese(
    caller: Caller, document: str
) -> None:
    in_english = await ask(caller, document, a="x")
    note_header("pt-BR")
    try:
        answer = await ask(caller, document, a="x")
    finally:
        note_header(None)

    assert [error["extensions"]["code"] for error in answer["errors"]] == [
        error["extensions"]["code"] for error in in_english["errors"]
    ]
    for error in answer["errors"]:
        words = set(error["message"].lower().replace("'", " ' ").split())
        assert words & ENGLISH == set(), error["message"]
