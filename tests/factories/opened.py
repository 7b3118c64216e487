"""New organizations for tests: the rows that the use case wrote for the first one, with ids of their own.

An organization is opened some thirty thousand times in a run. The first of a process is opened by the use case; the others are
its rows once more, in one statement. `tests/core/operations/test_open_organization.py` compares the two.
"""

import re
from dataclasses import dataclass
from itertools import count

from core import operations, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.settings import current
from tests.support import citus

AN_ID = re.compile(r"\b([a-z]{3}_[0-9A-Za-z]{21})\b")

COLUMNS = """
SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS names,
       array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum) AS types
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND a.attnum > 0 AND NOT a.attisdropped AND a.attidentity = '' AND a.attgenerated = ''
  AND coalesce(pg_get_expr(d.adbin, d.adrelid), '') NOT LIKE 'nextval%'
GROUP BY c.oid, c.relname
HAVING c.relname = 'organizations' OR 'organization_id' = ANY (array_agg(a.attname::text))
"""
"""Of each table that has rows of organizations: what is not numbered by PostgreSQL."""


@dataclass(frozen=True, slots=True)
class CopiedOrganization:
    """How to write the rows of one organization once more."""

    statement: str
    """Takes the new ids, and the time at last."""
    kinds: list[str]
    """What each of them is an id of."""
    organization: int
    owner: int
    """Which of them these are."""


_copied: dict[int, CopiedOrganization] = {}
"""By the coins in the live wallet."""
OFTEN = {0, 10_000, 100_000}
"""What many tests have there; any other sum is credited by the use case."""


async def an_opened_organization(coins: int = 0) -> tuple[str, str]:
    """The ids of a new organization and its owner. `coins`: what its live wallet is credited with."""
    if citus.running() is not None or not current().charges:
        return await by_the_use_cases(coins)
    if coins not in OFTEN:
        ids = await an_opened_organization()
        await wallet.credit(ids[0], "live", coins)
        return ids
    how = _copied.get(coins)
    if how is None:
        ids = await by_the_use_cases(coins)
        _copied[coins] = await _how_to_copy(*ids)
        return ids
    new = [new_id(kind) for kind in how.kinds]
    await db.execute(how.statement, *new, now())
    return new[how.organization], new[how.owner]


@dataclass(frozen=True, slots=True)
class RowOfAnOrganization:
    """One row: its columns, their types, and its values as PostgreSQL writes them."""

    table: str
    names: list[str]
    types: list[str]
    values: list[str | None]


async def rows_of(organization_id: str) -> list[RowOfAnOrganization]:
    """All rows of an organization."""
    tables = {row["name"]: row for row in await db.fetch(COLUMNS)}
    asked = [
        f"SELECT '{name}' AS name, ARRAY[{', '.join(f'{one}::text' for one in row['names'])}] AS values "
        f"FROM {name} WHERE {'id' if name == 'organizations' else 'organization_id'} = $1"
        for name, row in tables.items()
    ]
    found = await db.fetch(f"/* whole */ {' UNION ALL '.join(asked)}", organization_id)
    return [
        RowOfAnOrganization(
            row["name"], tables[row["name"]]["names"], tables[row["name"]]["types"], row["values"]
        )
        for row in found
    ]


async def by_the_use_cases(coins: int) -> tuple[str, str]:
    """The same, as the first one is made."""
    organization, owner = await operations.open_organization("An organization")
    if coins:
        await wallet.credit(organization.id, "live", coins)
    return organization.id, owner.id


async def _how_to_copy(organization_id: str, owner_id: str) -> CopiedOrganization:
    ids: dict[str, int] = {}
    written = []
    for row in await rows_of(organization_id):
        values = [
            _again(value, type, ids) for value, type in zip(row.values, row.types, strict=True)
        ]
        written.append(
            f"INSERT INTO {row.table} ({', '.join(row.names)}) VALUES ({', '.join(values)})"
        )
    numbered, (*before, last) = count(1), written
    inside = ", ".join(f"r{next(numbered)} AS ({insert})" for insert in before)
    statement = f"/* whole */ WITH {inside} {last}".replace("$at", f"${len(ids) + 1}")
    kinds = [id[:3] for id in ids]
    return CopiedOrganization(statement, kinds, ids[organization_id] - 1, ids[owner_id] - 1)


def _again(value: str | None, type: str, ids: dict[str, int]) -> str:
    """SQL for the value, with parameters in place of ids and times."""
    if value is None:
        return "NULL"
    if type.startswith("timestamp"):
        return f"$at::{type}"
    parts = [
        f"${ids.setdefault(part, len(ids) + 1)}::text"
        if AN_ID.fullmatch(part)
        else "'" + part.replace("'", "''") + "'"
        for part in AN_ID.split(value)
    ]
    return f"({' || '.join(parts)})::{type}"
