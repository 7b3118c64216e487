"""Making a pipeline with its stages and its reasons for losing."""

from collections.abc import Sequence
from datetime import datetime

from core import audit
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import Board
from core.pipelines.errors import ReasonsWithoutLostStage
from core.pipelines.inputs import NewPipeline, NewStage, Reason
from core.pipelines.models import LostReason, Outcome, Pipeline, Stage
from core.pipelines.names import one_of_each
from core.pipelines.record import PipelineRecord, pipeline_record

USUAL_STAGES = (
    NewStage(name="Novo", probability=10),
    NewStage(name="Qualificado", probability=30),
    NewStage(name="Proposta", probability=60),
    NewStage(name="Negociação", probability=80),
    NewStage(name="Ganho", outcome=Outcome.WON),
    NewStage(name="Perdido", outcome=Outcome.LOST),
)

FORCED_PROBABILITY = {Outcome.WON: 100, Outcome.LOST: 0}


async def create_pipeline(caller: Caller, new: NewPipeline) -> PipelineRecord:
    """Create a pipeline behind those that there are; answers its record.

    Raises NameTaken, OutcomeTaken and ReasonsWithoutLostStage. (Interface: Endpoints, CRM
    pipelines.)
    """
    caller.require(Scope.CRM_WRITE)
    at = now()
    stages = USUAL_STAGES if new.stages is None else tuple(new.stages)
    if new.reasons and not any(stage.outcome is Outcome.LOST for stage in stages):
        raise ReasonsWithoutLostStage
    with one_of_each():
        async with transaction():
            board = await _store(caller, new, stages, at=at)
            facts = {"stages": len(board.stages), "reasons": len(board.reasons)}
            await audit.write_entry(caller, "pipeline.created", board.pipeline.id, facts, at=at)
    return pipeline_record(board)


async def _store(
    caller: Caller, new: NewPipeline, stages: Sequence[NewStage], *, at: datetime
) -> Board:
    last = await Pipeline.visible_to(caller).order_by("-position").first()
    pipeline = await Pipeline.create(
        id=new_id("pip"),
        **owned_by(caller),
        name=new.name,
        kind=new.kind,
        description=new.description,
        currency=new.currency,
        position=last.position + 1 if last else 0,
        # What the shell makes belongs to nobody in particular.
        created_by_id=caller.account_id or caller.organization_id,
        created_at=at,
        updated_at=at,
    )
    board = Board(
        pipeline,
        [
            new_stage(caller, pipeline.id, stage, position=place)
            for place, stage in enumerate(stages)
        ],
        [
            new_reason(caller, pipeline.id, reason, position=place)
            for place, reason in enumerate(new.reasons)
        ],
    )
    await Stage.bulk_create(board.stages)
    await LostReason.bulk_create(board.reasons)
    return board


def new_stage(caller: Caller, pipeline_id: str, new: NewStage, *, position: int) -> Stage:
    """The row of a stage; those that close deals have a certain probability."""
    return Stage(
        id=new_id("etp"),
        **owned_by(caller),
        pipeline_id=pipeline_id,
        name=new.name,
        position=position,
        outcome=new.outcome,
        probability=FORCED_PROBABILITY.get(new.outcome, new.probability),
        max_days=new.max_days,
        required_fields=new.required_fields,
        color=new.color,
    )


def new_reason(caller: Caller, pipeline_id: str, new: Reason, *, position: int) -> LostReason:
    """The row of a reason."""
    return LostReason(
        id=new_id("mot"),
        **owned_by(caller),
        pipeline_id=pipeline_id,
        text=new.text,
        active=new.active,
        needs_note=new.needs_note,
        position=position,
    )
