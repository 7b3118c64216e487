"""Two catalogues side by side: what the models declare, and what the migrations have made.

PostgreSQL itself reads the declarations: they are built as empty tables in a schema of their own,
in a transaction that is rolled back, and both schemas are described by the same queries. So
spelling makes no difference.
"""

import re
from collections import defaultdict

from tortoise import Tortoise
from tortoise.connection import get_connection
from tortoise.migrations.constraints import CheckConstraint, UniqueConstraint
from tortoise.models import Model
from tortoise.utils import get_schema_sql

from core.foundation.database import db

Tables = dict[str, set[str]]
"""The facts of each table, as sentences."""

MADE, DECLARED = "public", "declared"
OUTSIDE_THE_MODELS = {
    "tortoise_migrations": "the memory of the migrations themselves",
    "migration_steps": "what is done of one that is not done yet",
    "webhook_feed": "its key has three columns, and Tortoise's keys have one: another index for each event",
    "journey_trail": "its key has two columns; another index for each move",
    "journey_effects": "the same; it is written and read together with journey_trail",
    "webhook_feed_heads": "the same; it is read and written together with webhook_feed",
}


def models() -> list[type[Model]]:
    """Every model of the service."""
    assert Tortoise.apps is not None
    return sorted(Tortoise.apps["core"].values(), key=lambda model: str(model._meta.db_table))


async def differences() -> list[str]:
    """What is declared and not there, and what is there and not declared. Leaves a schema behind:
    roll back.
    """
    await build_declared()
    named = names_in_models()
    made, declared = await described(MADE, named), await described(DECLARED, named)
    return [f"declared, but not there: {fact}" for fact in _beyond(declared, made)] + [
        f"there, but not declared: {fact}" for fact in _beyond(made, declared)
    ]


def _beyond(these: Tables, those: Tables) -> list[str]:
    """What these tables have and those lack."""
    found = []
    for table in sorted(these.keys() - OUTSIDE_THE_MODELS.keys()):
        if table in those:
            found += [f"{table}: {fact}" for fact in sorted(these[table] - those[table])]
        else:
            found.append(f"{table}: the table")
    return found


async def build_declared() -> None:
    """Build what the models declare. Tortoise leaves out the constraints of a Meta, so they are
    added here.
    """
    await db.execute(f"CREATE SCHEMA {DECLARED}")
    await db.execute(f"SET LOCAL search_path TO {DECLARED}, {MADE}")
    await db.execute(get_schema_sql(get_connection("default"), safe=False))
    for model in models():
        for constraint in model._meta.constraints:
            await db.execute(_adding(constraint, model._meta.db_table))
    await db.execute("SET LOCAL search_path TO DEFAULT")


def _adding(constraint: object, table: str) -> str:
    match constraint:
        case CheckConstraint(check=check, name=name):
            return f'ALTER TABLE "{table}" ADD CONSTRAINT "{name}" CHECK ({check})'
        case UniqueConstraint(fields=fields, name=name, condition=condition):
            where = f" WHERE {condition}" if condition else ""
            return f'CREATE UNIQUE INDEX "{name}" ON "{table}" ({", ".join(fields)}){where}'
    raise AssertionError(f"a kind of constraint that this test does not know: {constraint!r}")


def names_in_models() -> set[str]:
    """Names that somebody chose: refusals are mapped by them. The others are Tortoise's own
    business.
    """
    chosen = {constraint.name for model in models() for constraint in model._meta.constraints}
    chosen |= {
        index.name for model in models() for index in model._meta.indexes if hasattr(index, "name")
    }
    return {name for name in chosen if name}


async def described(schema: str, named: set[str]) -> Tables:
    """The facts of every table of a schema."""
    tables: Tables = defaultdict(set)
    for row in await db.fetch(COLUMNS, schema):
        default = f" default {_plain(row['default_'])}" if row["default_"] else ""
        nullable = "" if row["not_null"] else " or null"
        tables[row["table_"]].add(
            f"column {row['name']}: {row['type']}{nullable}{default}{row['generated']}"
        )
    for row in await db.fetch(INDEXES, schema):
        kind = "primary key" if row["primary_"] else "unique" if row["unique_"] else "index"
        name = f" {row['name']}" if row["name"] in named else ""
        tables[row["table_"]].add(f"{kind}{name}: {row['definition'].partition(' USING ')[2]}")
    for row in await db.fetch(CONSTRAINTS, schema):
        name = f" {row['name']}" if row["name"] in named else ""
        tables[row["table_"]].add(f"constraint{name}: {row['definition']}")
    return dict(tables)


def _plain(default: str) -> str:
    """The default of a serial column names its sequence, and that its schema."""
    return "serial" if re.match(r"nextval\('[\w.]+'::regclass\)$", default) else default


COLUMNS = """
SELECT c.relname AS table_, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS not_null,
       pg_get_expr(d.adbin, d.adrelid) AS default_,
       CASE WHEN a.attidentity <> '' THEN ' identity' ELSE '' END ||
       CASE WHEN a.attgenerated <> '' THEN ' generated' ELSE '' END AS generated
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = $1::text::regnamespace AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
"""

INDEXES = """
SELECT c.relname AS table_, i.relname AS name, x.indisprimary AS primary_, x.indisunique AS unique_,
       pg_get_indexdef(i.oid) AS definition
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
WHERE c.relnamespace = $1::text::regnamespace
"""

# Unique constraints and primary keys are indexes; «not null» is said of the column.
CONSTRAINTS = """
SELECT c.relname AS table_, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
WHERE c.relnamespace = $1::text::regnamespace AND k.contype NOT IN ('p', 'u', 'n')
"""
