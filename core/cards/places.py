"""Finding ranks for cards in a locked stage."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.cards.errors import LinksRefused
from core.cards.rank import MAX_RANK_LENGTH, rank_between, ranks_behind, spread
from core.foundation.database import db
from core.pipelines.models import Stage


@dataclass(frozen=True, slots=True)
class CardPlace:
    """In front of a card or behind it; without both, behind all."""

    before: str | None = None
    after: str | None = None

    def __bool__(self) -> bool:
        return self.before is not None or self.after is not None


LAST = CardPlace()


async def lock_stage(stage: Stage) -> None:
    """Hold a stage until the transaction ends. Its pipeline is held already."""
    await db.execute(
        "SELECT FROM pipeline_stages WHERE id = $1 AND organization_id = $2 FOR UPDATE",
        stage.id,
        stage.organization_id,
    )


async def free_ranks(stage: Stage, moving: Sequence[str], place: CardPlace = LAST) -> list[str]:
    """A rank for each of these cards, in order. A place beside a card that is not in the stage
    raises LinksRefused.

    Comes before the cards are locked: a stage that is numbered anew locks all of its own, in the
    order of all locks.
    """
    ranks = await _ranks(stage, moving, place)
    if max(map(len, ranks), default=0) > MAX_RANK_LENGTH:
        await _number_anew(stage, moving)
        ranks = await _ranks(stage, moving, place)
    return ranks


async def _ranks(stage: Stage, moving: Sequence[str], place: CardPlace) -> list[str]:
    if not place:
        last = await db.fetchval(LAST_RANK, stage.id, stage.organization_id)
        return ranks_behind(last, len(moving))
    anchor, statement, pointer = (
        (place.before, BEFORE, "/antesDe")
        if place.before is not None
        else (place.after, AFTER, "/depoisDe")
    )
    found = await db.fetchrow(statement, stage.id, list(moving), anchor, stage.organization_id)
    if found is None or anchor in moving:
        raise LinksRefused({pointer: "Name another card that lies in the stage"})
    return [rank_between(found["low"], found["high"])]


async def _number_anew(stage: Stage, moving: Sequence[str]) -> None:
    rows = await db.fetch(LOCK_ALL, stage.id, list(moving), stage.organization_id)
    in_order = sorted((row["rank"], row["id"]) for row in rows if row["stage_id"] == stage.id)
    # In two steps: no card may have a rank for a moment that another one still has.
    ids = [id for _, id in in_order]
    for ranks in ([f"~{id}" for id in ids], spread(len(ids))):
        await db.execute(RENUMBER, ids, ranks)


# Also behind those that are to move: who is in the stage already stays where it is.
LAST_RANK = """
SELECT rank FROM cards WHERE stage_id = $1 AND organization_id = $2 ORDER BY rank COLLATE "C" DESC LIMIT 1
"""

BEFORE = """
SELECT a.rank AS high, (
    SELECT c.rank FROM cards c
    WHERE c.stage_id = $1 AND c.organization_id = $4 AND c.id <> ALL ($2) AND c.rank COLLATE "C" < a.rank
    ORDER BY c.rank COLLATE "C" DESC LIMIT 1) AS low
FROM cards a WHERE a.id = $3 AND a.stage_id = $1 AND a.organization_id = $4
"""

AFTER = """
SELECT a.rank AS low, (
    SELECT c.rank FROM cards c
    WHERE c.stage_id = $1 AND c.organization_id = $4 AND c.id <> ALL ($2) AND c.rank COLLATE "C" > a.rank
    ORDER BY c.rank COLLATE "C" LIMIT 1) AS high
FROM cards a WHERE a.id = $3 AND a.stage_id = $1 AND a.organization_id = $4
"""

LOCK_ALL = """
SELECT id, stage_id, rank FROM cards WHERE organization_id = $3 AND (stage_id = $1 OR id = ANY ($2))
ORDER BY id FOR UPDATE
"""

# What is shown does not change with it, and neither does the version.
RENUMBER = """
UPDATE cards c SET rank = n.rank FROM unnest($1::text[], $2::text[]) AS n (id, rank)
WHERE c.id = n.id
"""
