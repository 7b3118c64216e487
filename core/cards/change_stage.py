"""Changing the stage of cards, one or thousands: moves, wins, losses, reopenings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from core import audit
from core.cards.errors import ArchivedPipeline, LinksRefused
from core.cards.history import HistoryEntry, close_stays, write_entries
from core.cards.places import LAST, CardPlace, free_ranks, lock_stage
from core.cards.stage_rules import WIRE, Ask, CardRow, StageChange, decide
from core.foundation import pubsub
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column, pairs_of
from core.foundation.errors import NotFound, ServiceError
from core.foundation.security.caller import Caller
from core.pipelines.board import Board
from core.pipelines.models import Stage

NOT_ITS_PIPELINE = "The pipeline that the card is on has no such stage"


@dataclass(frozen=True, slots=True)
class Moved:
    """A card that was not refused. `line`: the stay that began, or None when it stayed in its
    stage.
    """

    line: HistoryEntry | None = None


Outcomes = dict[str, Moved | ServiceError]


async def change_stage(
    caller: Caller,
    board: Board,
    stage: Stage,
    card_ids: Sequence[str],
    ask: Ask,
    *,
    place: CardPlace = LAST,
    source: str | None = None,
    emptied: bool = False,
) -> Outcomes:
    """Put cards into a stage of a board that is held, each by the rules of a move; answers what
    became of each.

    A refusal is answered, not raised, and changes nothing of its card; the others move. Cards that
    lie in the stage already stay where they are unless a place is named. `source`: the other
    pipeline that they come from, also held. `emptied`: for the deletion of the stage that they come
    from, which an archived pipeline allows. Raises ArchivedPipeline, and LinksRefused for a place
    beside a card that is not in the stage.
    """
    if board.pipeline.archived and not emptied:
        raise ArchivedPipeline
    await lock_stage(stage)
    ranks = iter(await free_ranks(stage, card_ids, place))
    cards = await _lock_cards(caller, card_ids)
    # Read once the cards are held: whoever held them before has been here earlier.
    at = now()
    principals = (
        await _with_principal_contact(caller, cards.values())
        if "contato" in stage.required_fields
        else frozenset()
    )
    outcomes: Outcomes = {}
    writes: list[tuple[CardRow, dict[str, Any], StageChange]] = []
    for id in card_ids:
        try:
            card = _of(source or board.pipeline.id, cards.get(id))
            moment = max(at, card["stage_since"])
            change = decide(card, board, stage, ask, principal=id in principals, at=moment)
        except ServiceError as refusal:
            outcomes[id] = refusal
            continue
        columns = dict(change.columns)
        if change.kind or place:
            columns["rank"] = next(ranks)
        if columns:
            writes.append(
                (
                    card,
                    {**card, **columns, **_closed_by(caller, change), "updated_at": moment},
                    change,
                )
            )
        outcomes[id] = Moved()
    lines = await _write(caller, stage, board, writes)
    return outcomes | {id: Moved(line) for id, line in lines.items()}


def only(outcomes: Outcomes) -> Moved:
    """What became of the only card. Raises its refusal."""
    (outcome,) = outcomes.values()
    if isinstance(outcome, ServiceError):
        raise outcome
    return outcome


def _of(pipeline_id: str, card: CardRow | None) -> CardRow:
    if card is None:
        raise NotFound
    if card["pipeline_id"] != pipeline_id:
        raise LinksRefused({"/etapaId": NOT_ITS_PIPELINE})
    return card


def _closed_by(caller: Caller, change: StageChange) -> dict[str, str | None]:
    if change.kind is None:
        return {}
    return {"closed_by_id": caller.account_id if change.kind in ("ganho", "perdido") else None}


async def _lock_cards(caller: Caller, ids: Sequence[str]) -> dict[str, CardRow]:
    rows = await db.fetch(LOCK, caller.organization_id, caller.env, list(ids))
    return {row["id"]: cast("CardRow", dict(row)) for row in rows}


async def _with_principal_contact(caller: Caller, cards: Iterable[CardRow]) -> frozenset[str]:
    """Read in a statement of its own: people are put on a card by whoever holds it."""
    bare = [card["id"] for card in cards if card["contact_id"] is None]
    rows = await db.fetch(
        "SELECT card_id FROM card_contacts WHERE card_id = ANY ($1) AND organization_id = $2 AND principal",
        bare,
        caller.organization_id,
    )
    return frozenset(column(rows, "card_id"))


async def _write(
    caller: Caller,
    stage: Stage,
    board: Board,
    writes: Sequence[tuple[CardRow, dict[str, Any], StageChange]],
) -> Mapping[str, HistoryEntry]:
    """The cards, their history and the audit trail, in one statement each. Answers the stays that
    began.
    """
    if not writes:
        return {}
    rows = [[after[name] for name in WRITTEN] for _, after, _ in writes]
    await db.execute(UPDATE, *db.columns(rows, len(WRITTEN)))
    names = {one.id: one.name for one in board.stages} | await _stage_names(caller, writes, board)
    entered = {
        card["id"]: HistoryEntry.of_move(card, after, change.kind, names, at=after["updated_at"])
        for card, after, change in writes
        if change.kind
    }
    filled = [
        HistoryEntry.of_field(after, WIRE[column], at=after["updated_at"])
        for _, after, change in writes
        for column in change.filled
    ]
    await close_stays([(line.card_id, line.at) for line in entered.values()])
    await write_entries(caller, [*filled, *entered.values()])
    if entered:
        facts = [
            (
                id,
                {
                    "pipelineId": stage.pipeline_id,
                    "from": line.from_stage_id,
                    "to": stage.id,
                    "kind": line.kind,
                },
            )
            for id, line in entered.items()
        ]
        await audit.write_entries(
            caller, "card.moved", facts, at=max(line.at for line in entered.values())
        )
        await pubsub.publish(
            pubsub.Notice(
                pubsub.Topic.CARD,
                caller.organization_id,
                caller.env,
                entered[card["id"]].id,
                {"from": card["pipeline_id"], "to": stage.pipeline_id},
            )
            for card, _, _ in writes
            if card["id"] in entered
        )
    return entered


async def _stage_names(
    caller: Caller, writes: Sequence[tuple[CardRow, dict[str, object], StageChange]], board: Board
) -> dict[str, str]:
    """Of the stages that the cards came from, where those belong to another pipeline."""
    others = {card["stage_id"] for card, _, _ in writes if card["pipeline_id"] != board.pipeline.id}
    rows = await db.fetch_for(
        others,
        "SELECT id, name FROM pipeline_stages WHERE id = ANY ($1) AND organization_id = $2",
        list(others),
        caller.organization_id,
    )
    return pairs_of(rows, "id", "name")


WRITTEN = (
    "id", "pipeline_id", "stage_id", "status", "rank", "value", "expected_on", "contact_id", "owner_id", "stage_since",
    "won_at", "lost_at", "closed_by_id", "lost_reason_id", "lost_note", "updated_at",
)  # fmt: skip

LOCK = f"""
SELECT {", ".join(WRITTEN)}, version FROM cards
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3) ORDER BY id FOR UPDATE
"""

UPDATE = f"""
UPDATE cards c SET {", ".join(f"{name} = n.{name}" for name in WRITTEN[1:])}, version = c.version + 1
FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[], $7::date[], $8::text[], $9::text[],
    $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::text[], $14::text[], $15::text[],
    $16::timestamptz[]
) AS n ({", ".join(WRITTEN)})
WHERE c.id = n.id
"""
