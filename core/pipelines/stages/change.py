"""Changing a stage."""

from collections.abc import Awaitable, Callable

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import Board, bump_version, lock_board
from core.pipelines.create import FORCED_PROBABILITY
from core.pipelines.errors import (
    LastOpenStage,
    OutcomeTaken,
    ReasonsWithoutLostStage,
)
from core.pipelines.inputs import StageChanges
from core.pipelines.models import Outcome, Stage
from core.pipelines.names import one_of_each
from core.pipelines.record import StageRecord, stage_record

COLUMNS = ("name", "outcome", "probability", "max_days", "required_fields", "color")


RefuseCards = Callable[[Stage], Awaitable[None]]
"""Raises StageHasCards unless a stage of a locked pipeline is empty."""


async def change_stage(
    caller: Caller, pipeline_id: str, id: str, changes: StageChanges, *, refuse_cards: RefuseCards
) -> StageRecord:
    """Change what was sent and nothing else; answers the record.

    Deals that lie in the stage stay, also where it demands more than they have: that is asked of
    those that enter. Raises NotFound, NameTaken, StageHasCards, OutcomeTaken, LastOpenStage,
    ReasonsWithoutLostStage and ValidationFailed.
    """
    caller.require(Scope.CRM_WRITE)
    at = now()
    with one_of_each():
        async with transaction():
            board = await lock_board(caller, pipeline_id)
            stage = board.get_stage(id)
            await _refuse(board, stage, changes, refuse_cards)
            if changed := _apply(stage, changes):
                await stage.save()
                await bump_version(board, at=at)
                facts = {
                    "pipelineId": pipeline_id,
                    "changed": changed,
                    "outcome": stage.outcome.value,
                }
                await audit.write_entry(caller, "stage.changed", id, facts, at=at)
    return stage_record(stage)


async def _refuse(
    board: Board, stage: Stage, changes: StageChanges, refuse_cards: RefuseCards
) -> None:
    """What only the stored stage and its neighbours can tell."""
    outcome = changes.outcome or stage.outcome
    if outcome is not stage.outcome:
        await refuse_cards(stage)
        refuse_leaving(board, stage)
        if outcome is not Outcome.OPEN and board.stages_of(outcome):
            raise OutcomeTaken
    if outcome is not Outcome.OPEN and changes.max_days is not None:
        message = "Only a stage with the outcome aberta has tempoMaximoDias"
        raise ValidationFailed(
            errors=[FieldError("pointer", "/tempoMaximoDias", "not_allowed", message)]
        )


def _apply(stage: Stage, changes: StageChanges) -> list[str]:
    """Take over what was sent, and what follows from it; answers the columns that became different."""
    before = {name: getattr(stage, name) for name in COLUMNS}
    for name in changes.model_fields_set:
        setattr(stage, name, getattr(changes, name))
    if stage.outcome is not Outcome.OPEN:
        stage.probability, stage.max_days = FORCED_PROBABILITY[stage.outcome], None
    elif before["outcome"] != Outcome.OPEN and "probability" not in changes.model_fields_set:
        stage.probability = None  # nobody chose the one it had
    return [name for name in COLUMNS if getattr(stage, name) != before[name]]


def refuse_leaving(board: Board, stage: Stage) -> None:
    """What a pipeline cannot be without. Raises LastOpenStage and ReasonsWithoutLostStage."""
    if board.stages_of(Outcome.OPEN) == [stage]:
        raise LastOpenStage
    if stage.outcome is Outcome.LOST and board.active_reasons:
        raise ReasonsWithoutLostStage
