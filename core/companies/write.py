"""Reading and writing rows of companies, any number in one statement."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypedDict, cast

import orjson

from core.companies.errors import CnpjTaken
from core.companies.inputs import CompanyChanges, NewCompany
from core.companies.models import Company
from core.companies.record import COLUMNS
from core.foundation.database import db
from core.foundation.database.unique_violations import conflict_as
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller


class CompanyLinks(TypedDict):
    """Whom a company points to."""

    owner_id: str | None
    main_contact_id: str | None


class CompanyRow(CompanyLinks):
    """A row of `companies`: the columns that rules speak of. The others travel with them unnamed."""

    id: str
    name: str
    cnpj: str | None
    attributes: dict[str, Any]


one_cnpj_each = partial(conflict_as, {"companies_cnpj_key": CnpjTaken})

# What a change may touch, with the types of PostgreSQL.
CHANGEABLE = {
    "name": "text",
    "cnpj": "text",
    "sector": "text",
    "site": "text",
    "address": "text",
    "owner_id": "text",
    "main_contact_id": "text",
    "attributes": "jsonb",
}


def new_row(caller: Caller, new: NewCompany, *, at: datetime) -> CompanyRow:
    """The row of a new company."""
    row = {
        "id": new_id("emp"),
        "organization_id": caller.organization_id,
        **{column: getattr(new, column) for column in CHANGEABLE},
        # What the shell makes belongs to nobody in particular.
        "created_by_id": caller.account_id or caller.organization_id,
        "created_at": at,
        "updated_at": at,
    }
    return cast("CompanyRow", row)


def changed_row(
    stored: CompanyRow, changes: CompanyChanges | NewCompany, sent: Collection[str], *, at: datetime
) -> CompanyRow:
    """What a row becomes by the fields sent; the very same row when nothing is different."""
    after = {
        **stored,
        **{column: getattr(changes, column) for column in CHANGEABLE if column in sent},
    }
    if _spelt(after) == _spelt(stored):
        return stored
    return cast("CompanyRow", {**after, "updated_at": at})


def _spelt(row: Mapping[str, object]) -> bytes:
    """Python holds true for 1."""
    return orjson.dumps({column: row[column] for column in CHANGEABLE}, option=orjson.OPT_SORT_KEYS)


async def hold_apart_from_imports(caller: Caller, *, importing: bool = False) -> None:
    """Until the transaction ends, no company comes or gets another name or CNPJ while an import
    looks for it.

    Taken before any lock on companies.
    """
    shared = "" if importing else "_shared"
    await db.execute(
        f"SELECT pg_advisory_xact_lock{shared}(hashtextextended('companies ' || $1 || $2, 0))",
        caller.organization_id,
        caller.env,
    )


async def insert_companies(caller: Caller, rows: Sequence[CompanyRow]) -> None:
    """Insert rows. Raises CnpjTaken."""
    with one_cnpj_each():
        await db.execute(INSERT, caller.organization_id, caller.env, orjson.dumps(rows).decode())


async def update_companies(caller: Caller, rows: Sequence[CompanyRow]) -> None:
    """Write every changeable column of rows that this transaction has locked. Raises CnpjTaken."""
    with one_cnpj_each():
        await db.execute(UPDATE, caller.organization_id, caller.env, orjson.dumps(rows).decode())


async def lock_company(caller: Caller, id: str) -> Company | None:
    """The company, held until the transaction ends; contacts and cards may still be linked to it."""
    return await Company.visible_to(caller).select_for_update(no_key=True).get_or_none(id=id)


def row_of(company: Company) -> CompanyRow:
    """Its changeable columns, to be changed and compared like those of an import."""
    return cast("CompanyRow", {column: getattr(company, column) for column in CHANGEABLE})


async def save_company(company: Company, after: CompanyRow) -> None:
    """Store what a company became. Raises CnpjTaken."""
    with one_cnpj_each():
        await company.update_from_dict(dict(after)).save(update_fields=list(after))


async def lock_companies(
    caller: Caller, *, cnpjs: Sequence[str], names: Sequence[str]
) -> list[CompanyRow]:
    """Those with these CNPJs, and up to two of each of these names; locked in one order for all."""
    rows = await db.fetch(LOCK, caller.organization_id, caller.env, list(cnpjs), list(names))
    return [cast("CompanyRow", dict(row)) for row in rows]


def _recordset(columns: Mapping[str, str]) -> str:
    return f"json_to_recordset($3::json) AS c ({', '.join(f'{name} {type}' for name, type in columns.items())})"


_TIME = {"updated_at": "timestamptz"}
_FIXED = {"id": "text", "created_by_id": "text", "created_at": "timestamptz"}
_COPIED = {**_FIXED, **CHANGEABLE, **_TIME}

INSERT = f"""
INSERT INTO companies (organization_id, env, {", ".join(_COPIED)})
SELECT $1, $2, {", ".join(f"c.{name}" for name in _COPIED)} FROM {_recordset(_COPIED)}
"""

UPDATE = f"""
UPDATE companies t SET {", ".join(f"{name} = c.{name}" for name in (*CHANGEABLE, *_TIME))}
FROM {_recordset({"id": "text", **CHANGEABLE, **_TIME})}
WHERE t.id = c.id AND t.organization_id = $1 AND t.env = $2
"""

SELECT = f"SELECT {COLUMNS} FROM companies WHERE organization_id = $1 AND env = $2"

# The name is also asked for folded, because so it has an index; all at once, because one by one a
# table without fresh statistics would be read once for each. ARRAY, not IN: the planner would join
# the found ids with all companies.
LOCK = f"""
{SELECT} AND id = ANY (ARRAY (
    SELECT id FROM companies WHERE organization_id = $1 AND env = $2 AND cnpj = ANY ($3::text[])
    UNION
    SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY name) AS place FROM companies
        WHERE organization_id = $1 AND env = $2 AND name = ANY ($4::text[])
          AND svc_fold(name) = ANY (ARRAY (SELECT svc_fold(wanted) FROM unnest($4::text[]) AS wanted))) AS namesakes
    WHERE place <= 2))
ORDER BY id FOR NO KEY UPDATE
"""
