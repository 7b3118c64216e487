"""A pipeline with its stages and its reasons for losing, read or locked as one.

Whoever changes a pipeline, its stages or its reasons locks the pipeline first; whoever changes its
cards holds it. So a card never meets a stage, a reason or an archive that is about to change. After
it, stages are locked by id, then cards by id.
"""

from dataclasses import dataclass
from datetime import datetime

from core.foundation.database import db
from core.foundation.errors import NotFound
from core.foundation.security.caller import Caller
from core.pipelines.models import LostReason, Outcome, Pipeline, Stage


@dataclass(slots=True)
class Board:
    """`stages` and `reasons` stand in their order."""

    pipeline: Pipeline
    stages: list[Stage]
    reasons: list[LostReason]

    def find_stage(self, id: str) -> Stage | None:
        """The stage of this id, if it is one of the pipeline's."""
        return next((stage for stage in self.stages if stage.id == id), None)

    def get_stage(self, id: str) -> Stage:
        """The same. Raises NotFound."""
        if (stage := self.find_stage(id)) is None:
            raise NotFound
        return stage

    def stages_of(self, outcome: Outcome) -> list[Stage]:
        """The stages of an outcome: at least one is open, at most one each is won and lost."""
        return [stage for stage in self.stages if stage.outcome is outcome]

    @property
    def active_reasons(self) -> list[LostReason]:
        """Those that a deal can still be lost for."""
        return [reason for reason in self.reasons if reason.active]


async def read_board(caller: Caller, id: str) -> Board:
    """The caller's pipeline. Raises NotFound."""
    pipeline = await Pipeline.own(caller, "pip", id)
    stages = await Stage.visible_to(caller).filter(pipeline_id=id).order_by("position", "id")
    reasons = await LostReason.visible_to(caller).filter(pipeline_id=id).order_by("position", "id")
    return Board(pipeline, stages, reasons)


async def lock_board(caller: Caller, id: str) -> Board:
    """The same, for changing it: nobody else changes it or its cards until the transaction ends."""
    await _lock(caller, id, "UPDATE")
    return await read_board(caller, id)


async def hold_board(caller: Caller, id: str) -> Board:
    """The same, for changing its cards: it stays as it is until the transaction ends, others may
    hold it too.
    """
    await _lock(caller, id, "SHARE")
    return await read_board(caller, id)


async def bump_version(board: Board, *, at: datetime) -> None:
    """Write the columns of a locked pipeline, and that it, its stages or its reasons changed."""
    board.pipeline.version += 1
    board.pipeline.updated_at = at
    await board.pipeline.save()


async def _lock(caller: Caller, id: str, how: str) -> None:
    # In a statement of its own: the next one sees what was committed while this one waited.
    await db.execute(
        f"SELECT FROM pipelines WHERE id = $1 AND organization_id = $2 AND env = $3 FOR {how}",
        id,
        caller.organization_id,
        caller.env,
    )
