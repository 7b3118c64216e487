"""What can be done with pipelines and their stages."""

from core import cards, pipelines
from core.foundation.security.caller import Scope
from core.read_models.pipelines import PIPELINE, STAGE
from graphql_api.inputs import name_input
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.pipelines.schema import Pipeline, Stage

WRITE = Scope.CRM_WRITE

name_input(pipelines.Reason, "LostReasonInput")


@mutation_type
class PipelineMutations:
    create_pipeline: Pipeline | None = mutation_field(
        pipelines.create_pipeline,
        pipelines.NewPipeline,
        scope=WRITE,
        answers=PIPELINE,
        description="Create a pipeline; without `etapas` it gets six usual stages.",
    )
    update_pipeline: Pipeline | None = mutation_field(
        cards.change_pipeline,
        pipelines.PipelineChanges,
        scope=WRITE,
        answers=PIPELINE,
        ids=("id",),
        description="Change what is sent of a pipeline; `motivos` replaces all reasons.",
    )
    create_stage: Stage | None = mutation_field(
        pipelines.add_stage,
        pipelines.AddedStage,
        scope=WRITE,
        answers=STAGE,
        ids=("pipelineId",),
        description="Add a stage to a pipeline.",
    )
    update_stage: Stage | None = mutation_field(
        cards.change_pipeline_stage,
        pipelines.StageChanges,
        scope=WRITE,
        answers=STAGE,
        ids=("pipelineId", "id"),
        description="Change what is sent of a stage.",
    )
    reorder_stages: Pipeline | None = mutation_field(
        pipelines.reorder_stages,
        pipelines.StageOrder,
        scope=WRITE,
        answers=PIPELINE,
        ids=("pipelineId",),
        description="Put the stages of a pipeline into another order.",
    )
    delete_stage: Deleted | None = mutation_field(
        cards.delete_stage,
        pipelines.StageDeletion,
        scope=Scope.CRM_DELETE,
        answers=Deleted,
        ids=("pipelineId", "id"),
        optional=True,
        description="Delete a stage; its deals go to the stage `moverPara`.",
    )
