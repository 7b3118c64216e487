"""Writing companies of the past, and telling their people where they work."""

from typing import Any

import orjson

from cli.seed.chunks import write_chunks
from cli.seed.companies.draw import PastCompany, draw_company
from cli.seed.copy_text import copy_text
from cli.seed.run import Chunk, Run
from core.foundation.database import db
from core.foundation.security.caller import Scope

COLUMNS = (
    "id", "organization_id", "env", "name", "cnpj", "sector", "site", "address", "owner_id",
    "main_contact_id",
    "attributes", "created_by_id", "created_at", "updated_at",
)  # fmt: skip
OWNED_SHARE = 0.8

Made = tuple[str, PastCompany, str | None]
"""A company with its id and whose it is."""


async def write_companies(run: Run, count: int) -> dict[str, int]:
    """Write `count` companies and link their people; answers how many of both are new.

    A CNPJ that another company has is left out; so are people who are gone or work elsewhere
    meanwhile.
    """
    run.caller.require(Scope.CRM_WRITE)
    written = {"companies": 0, "companyContacts": 0}

    def make(chunk: Chunk) -> list[Made]:
        random = run.random("companies", chunk.number)
        made: list[Made] = []
        for id, place in zip(
            run.ids("emp", "companies", chunk), range(chunk.first, chunk.last), strict=True
        ):
            company = draw_company(run, place, count, random)
            chance, owner = random.random(), run.team.pick(random)
            made.append((id, company, owner.id if chance < OWNED_SHARE else None))
        return made

    async def write(made: list[Made]) -> None:
        ids = run.ids_at(
            "cnt", "contacts", [place for _, company, _ in made for place, _ in company.people]
        )
        people = [
            (ids[place], id, role.value, company.created_at)
            for id, company, _ in made
            for place, role in company.people
        ]
        linked = {row["id"] for row in await db.fetch(LINK, *run.owner, *db.columns(people, 4))}
        cnpjs = [company.cnpj for _, company, _ in made if company.cnpj]
        taken = {row["cnpj"] for row in await db.fetch(TAKEN, *run.owner, cnpjs)}
        rows: list[tuple[Any, ...]] = []
        for id, company, owner_id in made:
            main = next((ids[place] for place, _ in company.people if ids[place] in linked), None)
            cnpj = None if company.cnpj in taken else company.cnpj
            rows.append(
                (
                    id, *run.owner, company.name, cnpj, company.sector, company.site,
                    company.address, owner_id, main,
                    orjson.dumps(company.attributes).decode(), run.team.first.id,
                    company.created_at,
                    company.created_at,
                )
            )  # fmt: skip
        await db.copy_in("companies", COLUMNS, copy_text(rows))
        written["companies"] += len(rows)
        written["companyContacts"] += len(linked)

    await write_chunks(
        run, "companies", count, table="companies", prefix="emp", make=make, write=write
    )
    return written


# Contacts are locked in the order of their ids, as everybody who locks several does.
LINK = """
WITH person AS MATERIALIZED (
    SELECT c.id, p.company_id, p.role, p.at
    FROM unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[]) AS p (id, company_id, role, at)
    JOIN contacts c ON c.id = p.id
    WHERE c.organization_id = $1 AND c.env = $2 AND c.company_id IS NULL
    ORDER BY c.id FOR UPDATE OF c
)
UPDATE contacts c SET company_id = p.company_id, company_role = p.role, updated_at = greatest(c.updated_at, p.at)
FROM person p WHERE c.id = p.id RETURNING c.id
"""

TAKEN = (
    "SELECT cnpj FROM companies WHERE organization_id = $1 AND env = $2 AND cnpj = ANY ($3::text[])"
)
