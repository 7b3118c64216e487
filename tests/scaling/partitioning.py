"""Tables that are partitioned inside the transaction of a test."""

from collections.abc import Iterable
from datetime import date

from core.foundation.database import db
from core.foundation.database.migration_steps import BatchedUpdate, BuildIndex, Step, Transaction
from core.partitions.enable import preparation, replies_stored_once, surroundings_of, switch
from core.partitions.tables import TABLES

YEAR = 2099
"""That no clock of a test has reached: what a test writes lies before the first month."""
FIRST = date(YEAR, 1, 1)


async def partition_everything() -> None:
    """What `svc partitions enable` does, with everything in one transaction."""
    await _do(replies_stored_once())
    for table in TABLES:
        await _do(preparation(table, FIRST))
        await _do(
            [Transaction(table.name, tuple(switch(table, FIRST, await surroundings_of(db, table))))]
        )


async def _do(steps: Iterable[Step]) -> None:
    for step in steps:
        match step:
            case Transaction(_, statements):
                for statement in statements:
                    await db.execute(statement)
            case BatchedUpdate(_, statement):
                while await db.execute(statement):
                    pass
            case BuildIndex(name, table, definition, unique):
                await db.execute(
                    f"CREATE {'UNIQUE ' if unique else ''}INDEX {name} ON {table} {definition}"
                )
            case _:
                raise AssertionError(step)
