"""Dynamic segments: filters of every kind that there is, counted once they are there."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import orjson

from cli.seed.chunks import write_chunks
from cli.seed.copy_text import copy_text
from cli.seed.lists import LISTS
from cli.seed.names import free_names
from cli.seed.run import Chunk, Run
from core import segments
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Scope

Node = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PastSegment:
    """A segment: conditions that all hold, or a tree of them."""

    name: str
    description: str | None
    filters: list[Node] | None = None
    tree: Node | None = None


def leaf(field: str, operator: str, value: Any = None) -> Node:
    """A condition."""
    return {"field": field, "operator": operator} | ({} if value is None else {"value": value})


def node(condition: Node) -> Node:
    """A condition as a node of a tree."""
    return {"kind": "leaf", "filter": condition}


def joined(kind: str, *children: Node) -> Node:
    """Nodes that all hold, or any of them."""
    return {"kind": kind, "children": list(children)}


VIP_LIST = 0
SEGMENTS = 8


def past_segments(ids: list[str], lists: list[str]) -> list[PastSegment]:
    """The segments. `ids`: their own, one of them is built on another; `lists`: those of the lists
    of this seed.
    """
    granted = leaf("optIn", "is", "granted")
    buyers = leaf("event", "is", {"name": "compra", "count": 1})
    return [
        PastSegment("Aceitam mensagens", "Base de todas as campanhas", [granted]),
        PastSegment("Clientes ativos", "Falaram conosco no último mês",
                    [leaf("tag", "is", "cliente"), leaf("lastInteraction", "withinDays", 30)]),
        PastSegment("Reativação", "Clientes que sumiram", tree=joined(
            "and", node(granted), node(leaf("tag", "is", "cliente")),
            joined("or", node(leaf("lastInteraction", "notExists")),
                   node(leaf("lastInteraction", "notWithinDays", 180))))),
        PastSegment("Alto valor", "Compram muito ou são VIP", tree=joined(
            "or", node(leaf("attribute.ticketMedio", "gte", 300)),
            node(leaf("list", "is", lists[VIP_LIST])))),
        PastSegment("Sudeste com cashback", None, tree=joined(
            "and", node(leaf("attribute.uf", "in", ["SP", "RJ", "MG", "ES"])),
            node(leaf("attribute.aceitaCashback", "is", True)))),
        PastSegment("Clicaram e não compraram", "Para um lembrete", tree=joined(
            "and", node(leaf("clicked", "exists")), {"kind": "not", "child": node(buyers)})),
        PastSegment("Pessoas de empresas", "Contatos com empresa, sem inadimplentes", tree=joined(
            "and", node(leaf("company", "exists")),
            {"kind": "not", "child": node(leaf("tag", "is", "inadimplente"))})),
        PastSegment("Alto valor que aceita mensagens", None, tree=joined(
            "and", node(leaf("segment", "is", ids[3])), node(leaf("segment", "is", ids[0])))),
    ]  # fmt: skip


COLUMNS = (
    "id", "organization_id", "env", "name", "description", "filters", "filter_tree",
    "created_by_id", "created_at",
    "updated_at",
)  # fmt: skip


async def write_segments(run: Run, count: int) -> dict[str, int]:
    """Write the segments and count them; answers how many are new."""
    run.caller.require(Scope.CONTACTS_WRITE)
    written = 0

    def make(chunk: Chunk) -> list[tuple[str, PastSegment]]:
        ids = run.ids("seg", "segments", chunk)
        lists = run.ids("lst", "lists", Chunk(0, 0, len(LISTS)))
        return list(zip(ids, past_segments(ids, lists), strict=True))

    async def write(made: list[tuple[str, PastSegment]]) -> None:
        nonlocal written
        names = await free_names(run, "segments", [segment.name for _, segment in made])
        rows = []
        for place, ((id, segment), name) in enumerate(zip(made, names, strict=True)):
            at = run.as_of - timedelta(days=20 * (SEGMENTS - place), hours=5)
            filter = segments.NewSegment.model_validate(
                {"name": name}
                | ({"filters": segment.filters} if segment.filters else {})
                | ({"filterTree": segment.tree} if segment.tree else {})
            )
            stored = (_json(filter.filters), _json(filter.filter_tree))
            rows.append(
                (id, *run.owner, name, segment.description, *stored, run.team.first.id, at, at)
            )
        await db.copy_in("segments", COLUMNS, copy_text(rows))
        written += len(made)

    await write_chunks(
        run, "segments", count, table="segments", prefix="seg", make=make, write=write
    )
    await _count_all(run, run.ids("seg", "segments", Chunk(0, 0, count)))
    return {"segments": written}


async def _count_all(run: Run, ids: list[str]) -> None:
    """Give the segments that were never counted their sizes, as of now."""
    at = now()
    for row in await db.fetch(
        "SELECT id FROM segments WHERE organization_id = $1 AND id = ANY ($2::text[]) AND size_at IS NULL",
        run.owner[0],
        ids,
    ):
        values: list[Any] = [*run.owner]
        condition = await segments.members_condition(run.caller, row["id"], values, at=at)
        size = await db.fetchval(
            f"SELECT count(*) FROM contacts c WHERE c.organization_id = $1 AND c.env = $2 AND "
            f"({condition})",
            *values,
        )
        await db.execute(
            "UPDATE segments SET size = $2, size_at = $3 WHERE id = $1 AND organization_id = $4",
            row["id"],
            size,
            at,
            run.owner[0],
        )


def _json(value: Any) -> str | None:
    return None if value is None else orjson.dumps(value).decode()
