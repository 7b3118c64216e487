"""Static lists of contacts: by a tag, by a state, by a filter of the past."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import orjson

from cli.seed.chunks import write_chunks
from cli.seed.copy_text import copy_text
from cli.seed.names import free_names
from cli.seed.run import Chunk, Run, chunks_of
from core import lists
from core.foundation.database import db
from core.foundation.security.caller import Scope


@dataclass(frozen=True, slots=True)
class PastList:
    """A list, and whom it was made of: contacts with all these tags and attributes. `age`: days
    since then.
    """

    name: str
    age: int
    description: str | None = None
    tags: tuple[str, ...] = ()
    attributes: tuple[tuple[str, Any], ...] = ()


LISTS = (
    PastList("Clientes VIP", 210, "Atendimento prioritário", tags=("vip",)),
    PastList("Newsletter semanal", 400, tags=("newsletter",)),
    PastList("Black Friday", 95, "Quem comprou na última Black Friday", tags=("black-friday",)),
    PastList("Leads do site", 60, tags=("lead",)),
    PastList("Inadimplentes", 30, "Régua de cobrança", tags=("inadimplente",)),
    PastList("São Paulo", 150, attributes=(("uf", "SP"),)),
    PastList("Premium do aplicativo", 45, tags=("app",), attributes=(("plano", "premium"),)),
    PastList("Aniversariantes", 5, "Atualizada todo mês", tags=("aniversariante-do-mes",)),
)

COLUMNS = (
    "id",
    "organization_id",
    "env",
    "name",
    "description",
    "size",
    "created_by_id",
    "created_at",
    "updated_at",
)


async def write_lists(run: Run, count: int) -> dict[str, int]:
    """Write the first `count` lists with their members; answers how many of both are new."""
    run.caller.require(Scope.CONTACTS_WRITE)
    written = {"lists": 0, "listMembers": 0}

    def make(chunk: Chunk) -> list[tuple[str, PastList]]:
        return list(
            zip(run.ids("lst", "lists", chunk), LISTS[chunk.first : chunk.last], strict=True)
        )

    async def write(made: list[tuple[str, PastList]]) -> None:
        await lists.hold_members_apart_from_erasures(run.caller)
        names = await free_names(run, "contact_lists", [past.name for _, past in made])
        rows = []
        for (id, past), name in zip(made, names, strict=True):
            at = run.as_of - timedelta(days=past.age, hours=7)
            rows.append((id, *run.owner, name, past.description, 0, run.team.first.id, at, at))
        await db.copy_in("contact_lists", COLUMNS, copy_text(rows))
        criteria = (
            [id for id, _ in made],
            [orjson.dumps(past.tags).decode() for _, past in made],
            [orjson.dumps(dict(past.attributes)).decode() for _, past in made],
        )
        for chunk in chunks_of(run.counts.get("contacts", 0)):
            written["listMembers"] += await db.execute(
                ADD, *run.owner, run.ids("cnt", "contacts", chunk), *criteria
            )
        await db.execute(RESIZE, criteria[0], run.owner[0])
        written["lists"] += len(made)

    await write_chunks(
        run, "lists", count, table="contact_lists", prefix="lst", make=make, write=write
    )
    return written


ADD = """
WITH made AS MATERIALIZED (
    SELECT l.id, l.created_at, ARRAY(SELECT jsonb_array_elements_text(m.tags)) AS tags, m.attributes
    FROM unnest($4::text[], $5::jsonb[], $6::jsonb[]) AS m (id, tags, attributes)
    JOIN contact_lists l ON l.id = m.id AND l.organization_id = $1
)
INSERT INTO contact_list_members (organization_id, env, list_id, contact_id, created_at)
SELECT c.organization_id, c.env, made.id, c.id, greatest(made.created_at, c.created_at)
FROM made JOIN contacts c ON c.tags @> made.tags AND c.attributes @> made.attributes
WHERE c.organization_id = $1 AND c.env = $2 AND c.id = ANY ($3::text[])
ORDER BY made.id, c.created_at, c.id
"""

RESIZE = """
UPDATE contact_lists l SET size = m.many, updated_at = m.latest
FROM (SELECT list_id, count(*) AS many, max(created_at) AS latest FROM contact_list_members
      WHERE list_id = ANY ($1::text[]) AND organization_id = $2 GROUP BY list_id) AS m
WHERE l.id = m.list_id AND l.organization_id = $2
"""
