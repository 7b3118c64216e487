"""Cards that come into another stage."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from core import pipelines
from core.cards.history import history_record
from core.foundation import pubsub
from core.foundation.database import db
from core.foundation.security.caller import Caller, Scope
from core.read_models.cards import CARD
from core.read_models.live.stream import stream
from core.read_models.query_compiler import Selection, read_records
from core.read_models.query_compiler.record_factory import SelectedRecord


async def cards_moved(
    caller: Caller, pipeline_id: str | None, selection: Selection, *, cut_off: pubsub.OnCutOff
) -> AsyncIterator[SelectedRecord]:
    """Every move of a card into, within or out of a pipeline, or any: the line of its history with
    `pipelineId`, `cardId` and, if it is asked for, the `card` as it is when it is told. Raises
    Forbidden, and NotFound for the pipeline.
    """
    caller.require(Scope.CRM_READ)
    if pipeline_id is not None:
        await pipelines.read_board(caller, pipeline_id)

    def wanted(notice: pubsub.ReceivedNotice) -> bool:
        return notice.topic == pubsub.Topic.CARD and (
            pipeline_id is None or pipeline_id in (notice.facts.get("from"), notice.facts.get("to"))
        )

    return stream(caller, wanted, partial(_read, caller, selection), cut_off=cut_off)


async def _read(caller: Caller, selection: Selection, ids: Sequence[str]) -> list[SelectedRecord]:
    rows = await db.fetch(BY_IDS, caller.organization_id, caller.env, ids)
    moves: list[SelectedRecord] = [
        {**history_record(row), "pipelineId": row["pipeline_id"], "cardId": row["card_id"]}
        for row in rows
    ]
    for slot, selected in selection.relations.items():
        cards = await read_records(
            caller, CARD, [str(move["cardId"]) for move in moves], selected.selection
        )
        for move, card in zip(moves, cards, strict=True):
            move[slot] = card
    return moves


BY_IDS = """
SELECT * FROM card_history
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[]) ORDER BY array_position($3::text[], id::text)
"""
