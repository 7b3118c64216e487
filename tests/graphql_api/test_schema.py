"""The printed schema."""

from pathlib import Path

import graphql_api


def test_the_printed_schema_is_current() -> None:
    printed = Path(graphql_api.__file__).with_name("schema.graphql")
    assert printed.read_text("utf-8") == graphql_api.schema.as_str() + "\n"
