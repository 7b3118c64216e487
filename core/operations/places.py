"""Where Citus keeps a cell: its schema is distributed to a machine of the cluster, and moved to another."""

from dataclasses import dataclass

from core.cells.move import OrganizationMoves, moves_somebody, number_on_machines
from core.foundation.database import on_node, schema
from core.foundation.database.address import Connection
from core.foundation.errors import Conflict

ON_EVERY_MACHINE = "citus.enable_unsafe_triggers"
"""What has to be on before triggers can be made on distributed tables. Ours touch rows of their own
schema alone, which lie beside them.
"""


class NotOnCitus(Conflict):
    """The database is no coordinator of Citus."""

    default_detail = (
        "The database is no coordinator of Citus: CREATE EXTENSION citus, and add its machines."
    )


class NotMigrated(Conflict):
    """The schema is not that of this version: the older migrations cannot be run once it is placed."""

    default_detail = "The schema lacks tables of this version: run svc migrate as the role of the cell, then place it."


@dataclass(frozen=True, slots=True)
class DatabasePlace:
    """Where a cell is: its schema, and host and port of the machine that holds its tables."""

    schema: str
    machine: str
    bytes: int


async def distribute(connection: Connection) -> DatabasePlace:
    """Let Citus place the schema of the role on one of its machines; what is placed already stays.

    The role connects to the coordinator and owns the schema. Repeated after a migration, it gives
    new tables what they need. Raises NotOnCitus, NotMigrated.
    """
    if not await connection.fetchval(IS_CITUS):
        raise NotOnCitus
    if not await _is_migrated(connection):
        raise NotMigrated
    for setting, value in ROLE:
        await connection.execute(f"ALTER ROLE CURRENT_USER SET {setting} = {value}")
        await connection.execute(f"SET {setting} = {value}")
    if not await on_node.is_distributed(connection):
        for (statement,) in await connection.fetch(FUNCTIONS_OF_BEFORE, f"{on_node.PREFIX}%"):
            await connection.execute(statement)
        await connection.execute(await connection.fetchval(DISTRIBUTE))
        await connection.execute(EMPTY_WHAT_IS_LEFT)
    await number_on_machines(connection)
    for (statement,) in await connection.fetch(NUMBERED):
        await connection.execute(statement)
    return await place_of(connection)


async def _is_migrated(connection: Connection) -> bool:
    """Whether the newest migration of this version has been applied."""
    newest = schema.every_migration()[-1]
    return bool(
        await connection.fetchval("SELECT to_regclass('tortoise_migrations') IS NOT NULL")
        and await connection.fetchval(IS_APPLIED, newest)
    )


async def move(connection: Connection, host: str, port: int) -> DatabasePlace:
    """Move the schema of the role to another machine, beside the traffic: writes wait at the end
    only. One that lies there already stays. Raises OrganizationMoves.
    """
    place = await place_of(connection)
    if place.machine == f"{host}:{port}":
        return place
    if await moves_somebody(connection):
        raise OrganizationMoves
    await connection.fetchval(MOVE, host, port)
    return await place_of(connection)


async def rebalance(connection: Connection) -> None:
    """Let Citus spread all schemas of the database evenly over its machines, and wait for it."""
    await connection.execute(REBALANCE)


async def place_of(connection: Connection) -> DatabasePlace:
    """Where the schema of the role is. Raises NotOnCitus where it is not distributed."""
    if not await on_node.is_distributed(connection):
        raise NotOnCitus
    row = await connection.fetchrow(PLACE)
    assert row is not None
    return DatabasePlace(row["schema"], row["machine"], row["bytes"])


IS_CITUS = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"

ROLE = (
    ("citus.enable_unsafe_triggers", "on"),
    # Otherwise Citus looks at each row of pg_class that any query of the catalogue reads, and what
    # the driver asks when it connects takes seconds.
    ("citus.override_table_visibility", "off"),
)

DISTRIBUTE = "SELECT format('SELECT citus_schema_distribute(%L)', current_schema())"

IS_APPLIED = "SELECT EXISTS (SELECT FROM tortoise_migrations WHERE app = 'core' AND name = $1)"

# Citus has copied the rows and keeps those that were there before; nobody sees them any more. Few tables of a new
# schema have any.
EMPTY_WHAT_IS_LEFT = """
SELECT truncate_local_data_after_distributing_table(c.oid)
FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND pg_relation_size(c.oid) > 0
"""

FUNCTIONS_OF_BEFORE = """
SELECT format('DROP FUNCTION %s', oid::regprocedure) FROM pg_proc
WHERE pronamespace = current_schema()::text::regnamespace AND proname LIKE $1
"""

# Not for transfers: their order is that of the coordinator's numbers, wherever they are written.
NUMBERED = """
SELECT format('CREATE TRIGGER svc_number BEFORE INSERT ON %I FOR EACH ROW WHEN (NEW.id IS NULL) '
              'EXECUTE FUNCTION svc_number(%L)', c.relname, s.oid::regclass)
FROM pg_class c JOIN pg_depend d ON d.refobjid = c.oid AND d.deptype = 'a' JOIN pg_class s ON s.oid = d.objid
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid AND a.attname = 'id'
WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p') AND s.relkind = 'S'
  AND c.relname NOT IN ('wallet_transfers', 'tortoise_migrations')
  AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'svc_number')
ORDER BY c.relname
"""

MOVE = "SELECT citus_schema_move(current_schema()::text::regnamespace, $1::text, $2::int)"

REBALANCE = "SELECT citus_rebalance_start(); SELECT citus_rebalance_wait()"

PLACE = """
SELECT current_schema()::text AS schema, n.nodename || ':' || n.nodeport AS machine,
       coalesce((SELECT sum(t.shard_size) FROM citus_shards t JOIN pg_class c ON c.oid = t.table_name
                 WHERE c.relnamespace = current_schema()::text::regnamespace), 0)::bigint AS bytes
FROM pg_dist_schema d
JOIN pg_dist_partition p ON p.colocationid = d.colocationid
JOIN pg_dist_shard s ON s.logicalrelid = p.logicalrelid
JOIN pg_dist_placement l ON l.shardid = s.shardid
JOIN pg_dist_node n ON n.groupid = l.groupid
WHERE d.schemaid = current_schema()::text::regnamespace LIMIT 1
"""
