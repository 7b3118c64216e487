"""What can be done with pipelines and their stages."""

from core import cards, pipelines
from core.dashboards.pipelines import PIPELINE, STAGE
from core.foundation.security.caller import Scope
from core.pipelines.inputs import PipelineKind as Kind
from graphql_api.inputs import call, spell
from graphql_api.mutations import Deleted, deeds, does
from graphql_api.pipelines.types import Pipeline, PipelineKind, Stage, StageOutcome

WRITE = Scope.CRM_WRITE

spell(Kind, PipelineKind)
spell(pipelines.Outcome, StageOutcome)
call(pipelines.Reason, "LostReasonInput")


@deeds
class PipelineMutations:
    create_pipeline: Pipeline | None = does(
        pipelines.create_pipeline,
        pipelines.NewPipeline,
        scope=WRITE,
        answers=PIPELINE,
        description="Without `etapas` it gets six usual ones.",
    )
    update_pipeline: Pipeline | None = does(
        pipelines.change_pipeline,
        pipelines.PipelineChanges,
        scope=WRITE,
        answers=PIPELINE,
        ids=("id",),
        description="Only what is sent changes; `motivos` replaces all reasons.",
    )
    create_stage: Stage | None = does(
        pipelines.add_stage, pipelines.AddedStage, scope=WRITE, answers=STAGE, ids=("pipelineId",)
    )
    update_stage: Stage | None = does(
        pipelines.change_stage,
        pipelines.StageChanges,
        scope=WRITE,
        answers=STAGE,
        ids=("pipelineId", "id"),
    )
    reorder_stages: Pipeline | None = does(
        pipelines.reorder_stages,
        pipelines.StageOrder,
        scope=WRITE,
        answers=PIPELINE,
        ids=("pipelineId",),
    )
    delete_stage: Deleted | None = does(
        cards.delete_stage,
        pipelines.StageDeletion,
        scope=Scope.CRM_DELETE,
        answers=Deleted,
        ids=("pipelineId", "id"),
        optional=True,
        description="Its deals go to the stage `moverPara`.",
    )
