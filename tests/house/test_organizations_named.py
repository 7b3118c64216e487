"""Every statement says whose rows it means: of each table of organizations it names the organization, in joins and
locks too. A second guard of tenancy behind the ids, and what tells a cluster where the rows lie.
"""

import re
from collections import Counter
from functools import cache

import pytest

from tests.house import organizations_unnamed as listed
from tests.house import table_readers
from tests.house.organizations_named import (
    Code,
    Statement,
    Unnamed,
    unnamed_of_models,
    wheres_without,
)
from tests.house.table_uses import Module, models_in, modules, texts_of
from tests.house.test_tenants import OTHERWISE

OF_ORGANIZATIONS_TOO = {
    "accounts", "account_tokens", "second_factors", "price_tables", "organization_cells", "directory_entries",
    "organization_moves", "organization_gates",
}  # fmt: skip
"""Tables without an environment that have an organization."""


@cache
def code() -> Code:
    all_of_it = modules(frozenset(table_readers.TAKERS))
    these = [module for module in all_of_it if module.package not in table_readers.OTHER_PROGRAMS]
    tables = {table for table, _ in models_in(these).values()} | {*table_readers.OUTSIDE_THE_MODELS}
    owned = tables - OTHERWISE.keys() | OF_ORGANIZATIONS_TOO
    return Code.read(these, dict.fromkeys(owned, "organization_id") | {"organizations": "id"})


@cache
def found() -> list[Unnamed]:
    models = models_in(code().modules.values())
    of_models = [
        one
        for module in code().modules.values()
        for one in unnamed_of_models(module, models, code().keys)
    ]
    return [*code().unnamed(), *of_models]


def named_exceptions() -> Counter[tuple[str, str]]:
    return Counter(
        (place, table)
        for places in listed.EXCEPTIONS.values()
        for place, tables in places.items()
        for table in tables.split()
    )


WHAT_TO_DO = """
name the organization of the table: `organization_id = $n`, in a join `AND b.organization_id = a.organization_id`, with
a model `organization_id=` or `visible_to(caller)`, and in the subquery of a lock. The key is compared too, so it costs
nothing. Only what is of all organizations by its nature (a queue, a sweep) goes without, and is named with its reason in
tests/house/organizations_unnamed.py."""


def test_every_statement_names_the_organization_of_its_tables() -> None:
    known = named_exceptions()
    counted = Counter((one.place, one.table) for one in found())
    lines = {(one.place, one.table): one.line for one in found()}

    new = [f"{place} (line {lines[place, table]}): {table}" for place, table in counted - known]
    gone = [f"{place}: {table}" for place, table in known - counted]

    assert not new, "\n".join([*new, WHAT_TO_DO])
    assert not gone, f"{gone}: they name it now; take them out of the list, and lower AT_MOST"


def test_the_list_only_shrinks() -> None:
    assert named_exceptions().total() == listed.AT_MOST
    assert all(len(reason) > 20 for reason in listed.EXCEPTIONS)


def test_conditions_begin_with_the_organization() -> None:
    """Where a statement is completed by a `Where`, it counts as one that names the organization."""
    without = {place for module in code().modules.values() for place in wheres_without(module)}

    assert without == listed.WITHOUT_VALUES.keys()


# --- The reader itself ---

KEYS = {"cards": "organization_id", "stages": "organization_id", "organizations": "id"}

NAMED = {
    "a value": "SELECT * FROM cards WHERE id = $1 AND organization_id = $2",
    "with an alias": "SELECT * FROM cards AS c WHERE $2 = c.organization_id AND c.id = $1",
    "one of several": "SELECT * FROM cards WHERE organization_id = ANY ($1::text[])",
    "a row": "SELECT * FROM cards c WHERE (c.organization_id, c.env, c.id) = ($1, $2, $3)",
    "a row of a set": "SELECT * FROM cards WHERE (organization_id, id) IN (SELECT a, b FROM unnest($1, $2) AS u (a, b))",
    "a join": "SELECT FROM cards c JOIN stages s ON s.id = c.stage_id AND s.organization_id = c.organization_id "
    "WHERE c.organization_id = $1",
    "a join of what is bound later": "SELECT FROM cards c, stages s WHERE c.organization_id = s.organization_id "
    "AND s.organization_id = $1",
    "a join of rows": "SELECT FROM cards c JOIN stages s ON (s.organization_id, s.id) = (c.organization_id, c.id) "
    "WHERE c.organization_id = $1",
    "USING": "SELECT FROM cards JOIN owners USING (organization_id, env)",
    "a set of values": "UPDATE cards c SET x = 1 FROM unnest($1::text[]) AS n (organization_id) "
    "WHERE c.organization_id = n.organization_id",
    "an insert": "INSERT INTO cards (organization_id, env, id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    "the query around": "SELECT * FROM stages s WHERE s.organization_id = $1 AND EXISTS ("
    "SELECT FROM cards c WHERE c.stage_id = s.id AND c.organization_id = s.organization_id)",
    "what stands around a fragment": "EXISTS (SELECT FROM cards c WHERE c.organization_id = m.organization_id)",
    "a lock, and its rows": "WITH held AS MATERIALIZED (SELECT id FROM cards WHERE organization_id = $1 FOR UPDATE) "
    "UPDATE cards c SET x = 1 FROM held WHERE c.id = held.id",
    "rows of a subquery": "DELETE FROM cards WHERE id = ANY (ARRAY(SELECT id FROM cards WHERE organization_id = $1))",
    "an organization": "SELECT name FROM organizations WHERE id = $1",
    "what an outer join adds": "SELECT FROM cards c LEFT JOIN stages s ON s.id = c.stage_id AND s.organization_id = $1 "
    "WHERE c.organization_id = $1",
    "an OR of something else": "SELECT FROM cards WHERE organization_id = $1 AND (id = $2 OR place = $3)",
    "a row that is changed": "INSERT INTO cards (organization_id, id) VALUES ($1, $2) ON CONFLICT (organization_id, id) "
    "DO UPDATE SET title = excluded.title",
    "a condition of that": "INSERT INTO cards AS c (organization_id, id) VALUES ($1, $2) ON CONFLICT (id) "
    "DO UPDATE SET title = excluded.title WHERE c.organization_id = excluded.organization_id",
}  # fmt: skip

NOT_NAMED = {
    "an id alone": ("SELECT * FROM cards WHERE id = $1", ["cards"]),
    "a lock": ("SELECT FROM cards WHERE id = ANY ($1) ORDER BY id FOR UPDATE", ["cards"]),
    "the other of a join": (
        "SELECT FROM cards c JOIN stages s ON s.id = c.stage_id WHERE c.organization_id = $1",
        ["stages"],
    ),
    "both, compared with each other": (
        "SELECT FROM cards c JOIN stages s ON s.organization_id = c.organization_id",
        ["cards"],
    ),
    "a subquery": (
        "SELECT FROM stages WHERE organization_id = $1 AND EXISTS (SELECT FROM cards c WHERE c.stage_id = $2)",
        ["cards"],
    ),
    "rows of another table": (
        "WITH s AS (SELECT id FROM stages WHERE organization_id = $1) UPDATE cards c SET x = 1 FROM s WHERE c.id = s.id",
        ["cards"],
    ),
    "a queue, once for its rows": (
        "UPDATE cards SET x = 1 WHERE id = ANY (ARRAY(SELECT id FROM cards WHERE due_at <= $1 FOR UPDATE))",
        ["cards"],
    ),
    "only shown": ("SELECT organization_id FROM cards WHERE id = $1", ["cards"]),
    "another than": ("SELECT FROM cards WHERE organization_id <> $1", ["cards"]),
    "each branch": (
        "SELECT id FROM cards WHERE organization_id = $1 UNION ALL SELECT id FROM cards WHERE id = $2",
        ["cards"],
    ),
    "every organization": ("SELECT name FROM organizations", ["organizations"]),
    "or another": ("SELECT FROM cards WHERE organization_id = $1 OR id = $2", ["cards"]),
    "or another, in parentheses": ("SELECT FROM cards WHERE (organization_id = $1 OR id = $2) AND env = $3", ["cards"]),
    "all but it": ("SELECT FROM cards WHERE NOT (organization_id = $1)", ["cards"]),
    "all but it, without parentheses": ("SELECT FROM cards WHERE NOT organization_id = $1", ["cards"]),
    "only asked": ("SELECT organization_id = $1 AS own FROM cards WHERE id = $2", ["cards"]),
    "only counted": ("SELECT count(*) FILTER (WHERE organization_id = $1) FROM cards", ["cards"]),
    "given away": ("UPDATE cards SET organization_id = $2 WHERE id = $1", ["cards"]),
    "the rows that an outer join keeps": (
        "SELECT FROM cards c LEFT JOIN stages s ON s.organization_id = c.organization_id AND s.organization_id = $1",
        ["cards"],
    ),
    "a row that may be another's": (
        "INSERT INTO cards (organization_id, id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET title = excluded.title",
        ["cards"],
    ),
    "behind a schema": ("SELECT FROM public.cards WHERE id = $1", ["cards"]),
}  # fmt: skip


@pytest.mark.parametrize("sql", NAMED.values(), ids=NAMED)
def test_a_named_organization_is_seen(sql: str) -> None:
    assert [table for table, _ in Statement.read(sql, KEYS).unnamed()] == []


@pytest.mark.parametrize(("sql", "tables"), NOT_NAMED.values(), ids=NOT_NAMED)
def test_one_that_is_not_named_is_told(sql: str, tables: list[str]) -> None:
    assert [table for table, _ in Statement.read(sql, KEYS).unnamed()] == tables


MODULE = """
from core.cards.models import Card
from core.cards.texts import BEHIND

COLUMNS = "c.id, (SELECT count(*) FROM stages s WHERE s.organization_id = c.organization_id)"
PART = f"SELECT {COLUMNS} FROM cards c"

async def find(caller, id):
    where = Where.visible_to(caller)
    await db.fetch(f"SELECT FROM cards WHERE {where}", *where.values)
    await db.fetch(f"SELECT FROM cards WHERE id = $1 {BEHIND}", id)
    await Card.visible_to(caller).get(id=id)
    await Card.filter(id=id).order_by("id").filter(organization_id=caller.organization_id)

async def take(id):
    await db.execute("DELETE FROM cards WHERE id = $1", id)
    await Card.filter(id=id).delete()
    await models.Card.filter(id=id).update(organization_id=id)
    await Card.exclude(organization_id=id)
    await Card.filter(organization_id__not=id, **known)
    await Card.filter(id=id, **owned_by(caller))
"""


def test_a_file_is_read_with_the_texts_and_conditions_that_it_fills_in() -> None:
    known = Module.read("core/cards/texts.py", 'BEHIND = "AND organization_id = $2"')
    module = Module.read("core/cards/take.py", MODULE)
    models = {"Card": ("cards", "core.cards")}

    told = list(Code.read([known, module], KEYS).unnamed())

    assert [(one.place, one.table) for one in told] == [
        ("core/cards/take.py:PART", "cards"),
        ("core/cards/take.py:take", "cards"),
    ]
    told_of_models = Counter(one.place for one in unnamed_of_models(module, models, KEYS))
    assert told_of_models == {"core/cards/take.py:take": 4}


ENDS_BEFORE_A_TABLE = re.compile(r"\b(SELECT|DELETE|INSERT)\b.*\b(FROM|JOIN|INTO)\s*$", re.DOTALL)


def test_every_statement_can_be_read() -> None:
    """Keywords stand in capitals, and no text ends where its table would follow."""
    small = re.compile(
        r"\b(select\b.*\bfrom|insert\s+into|delete\s+from|update)\s+"
        rf'"?({"|".join(code().keys)})"?(\s+set\b|\s*[(;]|\s+where\b|$)',
        re.DOTALL,
    )
    hidden = [
        f"{module.file}:{text.line}"
        for module in code().modules.values()
        for text in texts_of(module.tree)
        if small.search(text.sql) or ENDS_BEFORE_A_TABLE.search(text.sql)
    ]

    assert not hidden, (
        f"{hidden}: their tables are not found; write them whole, keywords in capitals"
    )
