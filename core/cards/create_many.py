"""Creating cards of many contacts at once, in one stage."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.cards.create import columns_of_new
from core.cards.errors import ArchivedPipeline
from core.cards.history import HistoryEntry, write_entries
from core.cards.inputs import NewCard
from core.cards.models import Card, HistoryKind
from core.cards.places import free_ranks, lock_stage
from core.cards.queries import hold_pipeline, stage_named
from core.foundation.clock import now
from core.foundation.database.rows import column
from core.foundation.errors import ServiceError
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.pipelines.models import Outcome


@dataclass(frozen=True, slots=True)
class NewDeal:
    """A deal about a contact, which is there. `title`: what it is called."""

    contact_id: str
    title: str


async def create_cards(
    caller: Caller, pipeline_id: str, stage_id: str | None, deals: Sequence[NewDeal]
) -> list[str | ServiceError]:
    """Put a card for each deal into a stage, the first open one unless told, behind all others.
    Answers the id of each card, or why there is none. In the caller's transaction.

    Raises LinksRefused for the stage, and ArchivedPipeline.
    """
    caller.require(Scope.CRM_WRITE)
    board = await hold_pipeline(caller, pipeline_id)
    if board.pipeline.archived:
        raise ArchivedPipeline
    stage = board.stages_of(Outcome.OPEN)[0] if stage_id is None else stage_named(board, stage_id)
    at = now()
    outcomes: list[str | ServiceError] = []
    cards = []
    for deal in deals:
        sent = {"titulo": deal.title, "pipelineId": pipeline_id, "contatoId": deal.contact_id}
        new = NewCard.model_validate(sent)
        try:
            card = {"id": new_id("crd"), **columns_of_new(caller, new, board, stage, at=at)}
        except ServiceError as refusal:
            outcomes.append(refusal)
            continue
        cards.append(card)
        outcomes.append(card["id"])
    await lock_stage(stage)
    ranks = await free_ranks(stage, column(cards, "id"))
    await Card.bulk_create(
        [Card(**card, rank=rank) for card, rank in zip(cards, ranks, strict=True)]
    )
    names = {stage.id: stage.name}
    await write_entries(
        caller,
        [HistoryEntry.of_move(None, card, HistoryKind.CREATED, names, at=at) for card in cards],
    )
    return outcomes
