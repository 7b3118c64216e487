"""A model is worked with: its package makes, reads or changes single rows through it. The others are tables for SQL."""

import re

from tests.house import table_readers as listed
from tests.house.table_uses import Module, models_in, modules, queried_models, sql_tables_in

REASON = re.compile(r"^SQL alone: (.+)\Z", re.MULTILINE | re.DOTALL)
"""The last paragraph of their docstrings."""


def code() -> tuple[Module, ...]:
    return modules(frozenset(listed.TAKERS))


def test_a_model_is_queried_by_its_package_or_declares_a_table_for_sql() -> None:
    untouched = models_in(code()).keys() - queried_models(code())

    assert untouched == sql_tables_in(code()).keys()


def test_each_table_for_sql_gives_a_reason_of_its_own() -> None:
    told = {name: REASON.search(text) for name, text in sql_tables_in(code()).items()}
    reasons = [found[1] for found in told.values() if found]

    assert {name for name, found in told.items() if not found} == set()
    assert all(len(reason) > 20 for reason in reasons)
    assert len(set(reasons)) == len(reasons)
