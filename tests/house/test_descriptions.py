"""Everything that callers meet says what it is: fields, arguments, properties, parameters, values.

`undescribed/` lists, by domain, what does not yet; the lists only become shorter.
"""

from pathlib import Path

import pytest

from graphql_api.schema import graphql_schema
from tests.house.descriptions import undescribed_in_graphql, undescribed_in_openapi
from tests.rest_api.contract import the_document

LISTS = sorted(Path(__file__).with_name("undescribed").glob("*.txt"))


@pytest.fixture(scope="module")
def undescribed() -> set[str]:
    return {
        *undescribed_in_graphql(graphql_schema),
        *undescribed_in_openapi(the_document()),
    }


def test_what_callers_meet_says_what_it_is(undescribed: set[str]) -> None:
    listed = {line for one in LISTS for line in one.read_text("utf-8").splitlines()}
    assert sorted(undescribed - listed) == [], "describe these where they are declared"


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_the_lists_only_become_shorter(path: Path, undescribed: set[str]) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert [line for line in lines if line not in undescribed] == [], "take these off the list"
    assert lines, "an empty list goes"
    assert lines == sorted(set(lines))
