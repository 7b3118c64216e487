"""Names that nobody else has taken."""

from collections.abc import Sequence

from cli.seed.run import Run
from core.foundation.database import db


async def free_names(run: Run, table: str, names: Sequence[str]) -> list[str]:
    """The names as they are, those that are taken in the table with a number behind them."""
    rows = await db.fetch(
        f"SELECT name FROM {table} WHERE organization_id = $1 AND env = $2", *run.owner
    )
    taken = {row["name"] for row in rows}
    free = []
    for name in names:
        number, tried = 1, name
        while tried in taken:
            number += 1
            tried = f"{name} {number}"
        free.append(tried)
    return free
