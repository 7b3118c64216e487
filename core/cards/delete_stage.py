"""Deleting a stage of a pipeline, and what becomes of the cards in it."""

from core import audit
from core.cards.change_stage import change_stage
from core.cards.errors import RequiredFieldsMissing, TooManyCards
from core.cards.on_pipelines import count_in_stage, refuse_cards
from core.cards.stage_rules import Ask
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound, ServiceError
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import Board, bump_version, lock_board
from core.pipelines.errors import CardsCannotMove, NoPlaceForCards
from core.pipelines.inputs import StageDeletion
from core.pipelines.models import Outcome, Stage
from core.pipelines.stages import refuse_leaving, remove_stage

CEILING = 5_000
"""Cards that one deletion moves."""


async def delete_stage(caller: Caller, pipeline_id: str, id: str, how: StageDeletion) -> None:
    """Delete a stage. Its cards move to the open stage named, all of them or none, each by the
    rules of a move.

    Raises NotFound, LastOpenStage, ReasonsWithoutLostStage, StageHasCards, NoPlaceForCards,
    TooManyCards and CardsCannotMove.
    """
    caller.require(Scope.CRM_DELETE)
    async with transaction():
        board = await lock_board(caller, pipeline_id)
        stage = board.get_stage(id)
        refuse_leaving(board, stage)
        moved = 0
        if how.move_to is None:
            await refuse_cards(stage)
        else:
            moved = await _move_all(caller, board, stage, _destination(board, stage, how.move_to))
        await remove_stage(board, stage)
        at = now()
        await bump_version(board, at=at)
        facts = {"pipelineId": pipeline_id, "outcome": stage.outcome.value, "moved": moved}
        await audit.write_entry(caller, "stage.deleted", id, facts, at=at)


def _destination(board: Board, stage: Stage, id: str) -> Stage:
    """An open one: open deals are not won or lost by the way, and what is closed can only be
    reopened.
    """
    found = board.find_stage(id)
    if found is None or found is stage or found.outcome is not Outcome.OPEN:
        raise NoPlaceForCards
    return found


async def _move_all(caller: Caller, board: Board, stage: Stage, destination: Stage) -> int:
    """The cards keep their order, behind those that are there already; answers how many they are."""
    count = await count_in_stage(stage)
    if count > CEILING:
        raise TooManyCards(count)
    rows = await db.fetch(
        'SELECT id FROM cards WHERE stage_id = $1 AND organization_id = $2 ORDER BY rank COLLATE "C"',
        stage.id,
        stage.organization_id,
    )
    if not rows:
        return 0
    outcomes = await change_stage(
        caller, board, destination, column(rows, "id"), Ask(), emptied=True
    )
    # A card that was deleted meanwhile needs no place.
    there = {id: outcome for id, outcome in outcomes.items() if not isinstance(outcome, NotFound)}
    refused = {id: outcome for id, outcome in there.items() if isinstance(outcome, ServiceError)}
    for refusal in refused.values():
        if isinstance(refusal, RequiredFieldsMissing):
            raise CardsCannotMove(refusal.meta["campos"], list(refused))
        raise refusal
    return len(there)
