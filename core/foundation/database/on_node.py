"""Statements that Citus cannot route: there they run whole on the machine that holds the schema.

Citus cuts a statement with several writes in one WITH into pieces, each of which travels. Instead a
function of that text is made once, with the names of the tables' shards in it; a call of it beside a
table of the schema is sent to the shard's machine as one piece. There PostgreSQL itself plans it,
and keeps the plan. Where the schema is moved, shards keep their names.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import asyncpg

from core.foundation.database.rows import pairs_of

if TYPE_CHECKING:
    from core.foundation.database.bounded_pool import BoundedConnection

PREFIX = "svc_on_node_"

WHOLE = "/* whole */"
"""With this a statement begins that Citus refuses or gets wrong. For PostgreSQL it is a comment."""

REFUSED = (
    asyncpg.FeatureNotSupportedError,
    # What a machine says of the text that Citus has made of a statement.
    asyncpg.IndeterminateDatatypeError,
    asyncpg.PostgresSyntaxError,
    asyncpg.UndefinedColumnError,
)
"""How Citus refuses a statement."""

MAX_LEARNED = 200
"""Statements besides, of which a process has found out that Citus refuses them."""

MAX_CALLS = 1_000
"""Of a connection: texts that stand for statements, some of which are those of segments and lists."""

TOUCHED = "touched"
"""The column that tells how many rows a statement without an answer has touched."""

MAX_ACCEPTED = 2_000
"""Statements of which a process knows that Citus runs them; others have a savepoint before them."""

_learned: set[str] = set()
_accepted: set[str] = set()


def runs_whole(sql: str) -> bool:
    """Whether a statement is not Citus's to plan."""
    return sql in _learned or sql.lstrip().startswith(WHOLE)


def learn(sql: str) -> bool:
    """Remember a statement that Citus has refused, so that it runs whole. False where there are too
    many.
    """
    if not runs_whole(sql) and len(_learned) < MAX_LEARNED:
        _learned.add(sql)
    return runs_whole(sql)


VIOLATIONS: dict[str, type[asyncpg.IntegrityConstraintViolationError]] = {
    "violates unique constraint": asyncpg.UniqueViolationError,
    "violates check constraint": asyncpg.CheckViolationError,
    "violates foreign key constraint": asyncpg.ForeignKeyViolationError,
    "violates not-null constraint": asyncpg.NotNullViolationError,
}


def as_named(error: asyncpg.InternalServerError) -> asyncpg.PostgresError | None:
    """The violation that a machine has told, if it is one: of rows that Citus copies there it hands
    on the words alone.
    """
    for words, kind in VIOLATIONS.items():
        if words in str(error):
            violation = kind(*error.args)
            violation.detail = error.detail
            return violation
    return None


def is_accepted(sql: str) -> bool:
    """Whether Citus has run a statement before."""
    return sql in _accepted


def accept(sql: str) -> None:
    """Remember a statement that Citus has run."""
    if len(_accepted) < MAX_ACCEPTED:
        _accepted.add(sql)


IS_DISTRIBUTED = """
SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
   AND to_regclass('pg_catalog.pg_dist_schema') IS NOT NULL
"""
SCHEMA_IS = "SELECT EXISTS (SELECT FROM pg_dist_schema WHERE schemaid = current_schema()::text::regnamespace)"

SHARDS = """
SELECT c.relname AS name, shard_name(c.oid, s.shardid) AS shard
FROM pg_dist_shard s JOIN pg_class c ON c.oid = s.logicalrelid
WHERE c.relnamespace = current_schema()::text::regnamespace
"""

PLACE = "SELECT quote_ident(current_schema()), to_regproc(quote_ident(current_schema()) || '.' || $1) IS NOT NULL"

PLANNING = {
    False: "SET plan_cache_mode = force_custom_plan",
    True: "SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off "
    "SET enable_mergejoin = off",
}
"""As the connections of the service have it elsewhere."""

HOLD_CALLS = "LOCK TABLE tortoise_migrations IN EXCLUSIVE MODE"
"""Lets whoever sends a call wait until the transaction ends; each call writes to that table (`call_of`)."""

ROWS_TYPE = "batch_row[]"
"""The type of a batch of rows (`batch_rows.py`)."""

TABLE = re.compile(r"\b(FROM|JOIN|INTO|UPDATE|ONLY|USING|ANALYZE)(\s+)([a-z_]+)\b")


async def is_distributed(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    """Whether the connection's schema is placed by Citus."""
    return bool(await connection.fetchval(IS_DISTRIBUTED)) and bool(
        await connection.fetchval(SCHEMA_IS)
    )


async def call_of(apart: "BoundedConnection", sql: str, *, planned: bool = False) -> str:
    """What to send in place of a statement, with the same parameters. `apart`: a connection without
    a transaction, on which the function is made where it is missing. `planned`: as `fetch_planned`
    has it.
    """
    name = f"{PREFIX}{hashlib.sha256(sql.encode()).hexdigest()[:16]}"
    prepared = await apart.prepare(sql)
    types = [_type(one) for one in prepared.get_parameters()]
    place = await apart.fetchrow(PLACE, name)
    assert place is not None
    schema, is_there = place
    if not is_there:
        shards = await shards_of(apart)
        # There the schema is not the first one that a name is looked for in.
        whole = on_shards(sql, shards).replace(f"::{ROWS_TYPE}", f"::{schema}.{ROWS_TYPE}")
        answer = prepared.get_attributes()
        columns = ", ".join(f'"{one.name}" {_type(one.type)}' for one in answer)
        body = f"RETURN QUERY {whole};"
        if not answer and _reads(sql):  # whether there are rows, and no more
            columns, body = "found boolean", f"RETURN QUERY SELECT true FROM ({whole}) AS found;"
        elif not answer:
            columns = f"{TOUCHED} bigint"
            body = f"{whole}; GET DIAGNOSTICS {TOUCHED} = ROW_COUNT; RETURN NEXT;"
        try:
            await apart.execute(
                f"CREATE OR REPLACE FUNCTION {schema}.{name}({', '.join(types)}) "
                f"RETURNS TABLE ({columns}) LANGUAGE plpgsql VOLATILE {PLANNING[planned]} AS $svc$\n"
                f"#variable_conflict use_column\nBEGIN {body} END $svc$"
            )
        except (asyncpg.InternalServerError, asyncpg.UniqueViolationError):
            made = await apart.fetchrow(PLACE, name)  # by another process at the same moment
            if made is None or not made[1]:
                raise
    values = ", ".join(f"${number}::{type}" for number, type in enumerate(types, 1))
    return (
        # A statement that may write waits for a move of the schema; one that reads does not.
        "WITH held AS (DELETE FROM tortoise_migrations WHERE app = '') "
        f"SELECT answer.* FROM {schema}.{name}({values}) AS answer "
        "WHERE EXISTS (SELECT FROM tortoise_migrations)"
    )


def _type(type: "asyncpg.Type") -> str:
    return (
        type.name
        if type.schema == "pg_catalog" or type.kind == "array"
        else f"{type.schema}.{type.name}"
    )


def _reads(sql: str) -> bool:
    return sql.lstrip().removeprefix(WHOLE).lstrip().startswith("SELECT")


async def shards_of(connection: "asyncpg.Connection[asyncpg.Record]") -> dict[str, str]:
    """In which table of its machine the rows of each table of the connection's schema lie, as SQL
    names it.
    """
    return pairs_of(await connection.fetch(SHARDS), "name", "shard")


def on_shards(sql: str, shards: Mapping[str, str]) -> str:
    """A statement as the machine takes it that holds the shards."""
    return TABLE.sub(lambda found: f"{found[1]}{found[2]}{shards.get(found[3], found[3])}", sql)
