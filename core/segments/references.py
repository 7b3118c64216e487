"""Segments that are built on segments."""

from collections.abc import Mapping

from core.foundation.database import db
from core.segments.inputs import node_of
from core.segments.tree import Node, leaves_of

MAX_LEVELS = 5
"""How many segments may stand on each other."""


class Broken(Exception):
    """A segment that is named does not exist, leads back to the one that asks, or stands on too
    many others.
    """


async def segments_behind(
    organization_id: str, env: str, node: Node, *, of: str | None = None, strict: bool = False
) -> Mapping[str, Node]:
    """The filters of every segment that the tree refers to, directly or through others, by id.

    Raises Broken for a circle (`of` is the segment that asks) or too many levels; and with `strict`
    also when the tree itself names a segment that is not there, which otherwise has no contacts.
    """
    found: dict[str, Node] = {}
    wanted = _named_in(node)
    for _ in range(MAX_LEVELS):
        if not wanted:
            return found
        if of in wanted:
            raise Broken
        rows = await db.fetch(
            (
                "SELECT id, filters, filter_tree FROM segments WHERE organization_id = $1 "
                "AND env = $2 AND id = ANY ($3)"
            ),
            organization_id,
            env,
            list(wanted),
        )
        if strict and not found and len(rows) < len(wanted):
            raise Broken
        read = {row["id"]: node_of(row["filters"], row["filter_tree"]) for row in rows}
        found |= read
        wanted = {id for inner in read.values() for id in _named_in(inner)} - found.keys()
    if wanted:
        raise Broken
    return found


def _named_in(node: Node) -> set[str]:
    return {leaf.value for leaf in leaves_of(node) if leaf.field == "segment"}
