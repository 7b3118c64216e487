"""Everything that callers meet says what it is: fields, arguments, properties, parameters, values."""

import re

from graphql_api.schema import graphql_schema
from tests.house.descriptions import undescribed_in_graphql, undescribed_in_openapi
from tests.rest_api.contract import the_document

DECLARE = "describe these where they are declared"


def test_what_graphql_offers_says_what_it_is() -> None:
    assert sorted(undescribed_in_graphql(graphql_schema)) == [], DECLARE


def test_what_rest_offers_says_what_it_is() -> None:
    assert sorted(undescribed_in_openapi(the_document())) == [], DECLARE


def test_a_mutation_says_what_it_does_and_not_only_who_may() -> None:
    mutations = graphql_schema.mutation_type
    assert mutations is not None
    silent = [
        name
        for name, field in mutations.fields.items()
        if not re.match(r"(?!Needs |In a session)[A-Z]\w+ ", field.description or "")
    ]
    assert silent == []
