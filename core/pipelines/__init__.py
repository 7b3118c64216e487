"""Sales pipelines: their stages and the reasons for losing. (Deals stand above them, in core.cards.)"""

from core.pipelines.board import Board, bump_version, hold_board, lock_board, read_board
from core.pipelines.change import change_pipeline
from core.pipelines.create import create_pipeline
from core.pipelines.inputs import (
    AddedStage,
    NewPipeline,
    NewStage,
    PipelineChanges,
    PipelineFilter,
    Reason,
    StageChanges,
    StageDeletion,
    StageOrder,
    SummaryFilter,
)
from core.pipelines.models import (
    LostReason,
    Outcome,
    Pipeline,
    PipelineKind,
    Stage,
    StageRequirement,
)
from core.pipelines.queries import get_pipeline, list_pipelines
from core.pipelines.record import (
    LostReasonRecord,
    PipelinePage,
    PipelineRecord,
    StageRecord,
)
from core.pipelines.stages import add_stage, change_stage, reorder_stages

__all__ = [
    "AddedStage",
    "Board",
    "LostReason",
    "LostReasonRecord",
    "NewPipeline",
    "NewStage",
    "Outcome",
    "Pipeline",
    "PipelineChanges",
    "PipelineFilter",
    "PipelineKind",
    "PipelinePage",
    "PipelineRecord",
    "Reason",
    "Stage",
    "StageChanges",
    "StageDeletion",
    "StageOrder",
    "StageRecord",
    "StageRequirement",
    "SummaryFilter",
    "add_stage",
    "bump_version",
    "change_pipeline",
    "change_stage",
    "create_pipeline",
    "get_pipeline",
    "hold_board",
    "list_pipelines",
    "lock_board",
    "read_board",
    "reorder_stages",
]
