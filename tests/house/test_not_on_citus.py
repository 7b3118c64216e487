"""What is not tested on Citus is named in one list, which is short and names tests that there are. And no statement ends
its coordinator.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.foundation.database.on_node import WHOLE
from tests.house.organizations_named import Query, Statement, place_of
from tests.house.table_uses import Module, texts_of
from tests.house.test_organizations_named import code
from tests.support.not_on_citus import NOT_ON_CITUS

ROOT = Path(__file__).resolve().parents[2]

MOST = 20
"""What the service cannot do there is mended in the service, and not written down here."""


def functions_of(file: str) -> set[str]:
    """The names of a file's tests."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    named = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in tree.body if isinstance(node, named)}


def test_the_list_is_short_and_names_tests_that_there_are() -> None:
    unknown = []
    for name in NOT_ON_CITUS:
        file, _, function = name.partition("::")
        if not (ROOT / file).is_file() or (function and function not in functions_of(file)):
            unknown.append(name)
    assert not unknown
    assert len(NOT_ON_CITUS) <= MOST


def test_each_has_a_reason() -> None:
    assert all(len(reason.split()) >= 4 for reason in NOT_ON_CITUS.values())


# --- Groups of a table, inserted ---

EVERY_TABLE_THERE_WAS = {
    "core/migrations/0005_message_counts.py:Migration": "without a function that is STABLE; older than cells that are placed",
}  # fmt: skip


def test_no_statement_inserts_groups_of_a_table() -> None:
    """Citus 14.0.1 on PostgreSQL 18 dies of a fault when it plans an INSERT … SELECT … GROUP BY from tables in which a
    function is STABLE, as now() is: the coordinator starts anew, and everybody is cut off. The groups in a WITH, or in a
    subquery that the SELECT reads, are planned as they should be; so is what runs whole.
    """
    migrations = (
        Module.read(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
        for path in sorted(ROOT.glob("core/migrations/[0-9]*.py"))
    )
    found = {
        place_of(module, text.line)
        for module in (*code().modules.values(), *migrations)
        for text in texts_of(module.tree)
        if "GROUP BY" in text.sql and inserts_groups_of_a_table(text.sql)
    }

    assert found == EVERY_TABLE_THERE_WAS.keys()


def inserts_groups_of_a_table(sql: str) -> bool:
    """Whether Citus plans a statement with an INSERT whose own SELECT groups rows of tables."""
    if sql.lstrip().startswith(WHOLE) or "LANGUAGE plpgsql" in sql:  # runs on the machine
        return False
    statement = Statement.read(sql, code().keys)
    return any(
        {"INSERT", "SELECT", "GROUP"} <= {token.text for token in query.tokens}
        and any(tables_of(statement, query, of_insert=True))
        for query in statement.queries
    )


def tables_of(statement: Statement, query: Query, *, of_insert: bool) -> Iterator[str]:
    """The tables that a query reads, itself or in subqueries, but for what it reads of a WITH."""
    for source in query.sources[of_insert:]:
        if source.table:
            yield source.table
        elif source.within is not None and source.within not in statement.names.values():
            for inner in statement.queries:
                if inner.number == source.within:
                    yield from tables_of(statement, inner, of_insert=False)


@pytest.mark.parametrize(
    ("sql", "refused"),
    [
        ("INSERT INTO cards (a, at) SELECT a, now() FROM messages GROUP BY 1", True),
        ("WITH x AS (INSERT INTO cards (a) SELECT a FROM messages GROUP BY 1) SELECT 1", True),
        ("INSERT INTO cards (a) SELECT a FROM (SELECT * FROM messages) AS m GROUP BY 1", True),
        ("INSERT INTO cards (a) SELECT a, now() FROM (SELECT a FROM messages GROUP BY 1) AS m", False),
        ("WITH m AS (SELECT * FROM messages) INSERT INTO cards (a) SELECT a FROM m GROUP BY 1", False),
        ("INSERT INTO cards (a) SELECT a FROM unnest($1::text[]) AS m (a) GROUP BY 1", False),
        ("/* whole */ INSERT INTO cards (a) SELECT a FROM messages GROUP BY 1", False),
    ],
)  # fmt: skip
def test_what_ends_a_coordinator_is_found(sql: str, refused: bool) -> None:
    assert inserts_groups_of_a_table(sql) == refused
