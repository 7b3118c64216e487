"""The operations of pipelines and their stages."""

from core import cards, pipelines
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.pipelines import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import PIPELINE, STAGE, STAGE_LOST, STAGE_WON


async def list_pipelines(
    call: Call[None, pipelines.PipelineFilter],
) -> WrittenPage[pipelines.PipelinePage]:
    return await cards.list_pipelines(call.caller, call.query)


async def create_pipeline(call: Call[pipelines.NewPipeline]) -> pipelines.PipelineRecord:
    return await pipelines.create_pipeline(call.caller, call.body)


async def get_pipeline(call: Call) -> pipelines.PipelineRecord:
    return await pipelines.get_pipeline(call.caller, call.path["id"])


async def change_pipeline(call: Call[pipelines.PipelineChanges]) -> pipelines.PipelineRecord:
    return await cards.change_pipeline(call.caller, call.path["id"], call.body)


async def summarize_pipeline(call: Call[None, pipelines.SummaryFilter]) -> cards.PipelineSummary:
    return await cards.summarize_pipeline(call.caller, call.path["id"], call.query)


async def add_stage(call: Call[pipelines.AddedStage]) -> pipelines.StageRecord:
    return await pipelines.add_stage(call.caller, call.path["id"], call.body)


async def reorder_stages(call: Call[pipelines.StageOrder]) -> pipelines.PipelineRecord:
    return await pipelines.reorder_stages(call.caller, call.path["id"], call.body)


async def change_stage(call: Call[pipelines.StageChanges]) -> pipelines.StageRecord:
    return await cards.change_pipeline_stage(
        call.caller, call.path["id"], call.path["etapaId"], call.body
    )


async def delete_stage(call: Call[None, pipelines.StageDeletion]) -> None:
    await cards.delete_stage(call.caller, call.path["id"], call.path["etapaId"], call.query)


operations = [
    Operation(
        "GET",
        "/pipelines",
        list_pipelines,
        Scope.CRM_READ,
        "List the pipelines by their position",
        "Pipelines",
        errors=(401, 403, 422),
        query=pipelines.PipelineFilter,
        answer=pipelines.PipelinePage,
        answers={"counted": examples.PAGE},
    ),
    Operation(
        "POST",
        "/pipelines",
        create_pipeline,
        Scope.CRM_WRITE,
        "Create a pipeline with its stages",
        "Pipelines",
        description="Without `etapas` it gets Novo, Qualificado, Proposta, Negociação, Ganho and "
        "Perdido.",
        errors=(401, 403, 409, 422),
        status=201,
        body=pipelines.NewPipeline,
        answer=pipelines.PipelineRecord,
        answers={"created": examples.PIPELINE_RECORD},
        examples=examples.NEW,
    ),
    Operation(
        "GET",
        "/pipelines/{id}",
        get_pipeline,
        Scope.CRM_READ,
        "Read a pipeline",
        "Pipelines",
        errors=(401, 403, 404, 422),
        answer=pipelines.PipelineRecord,
        answers={"pipeline": examples.PIPELINE_RECORD},
        ids={"id": PIPELINE},
    ),
    Operation(
        "PATCH",
        "/pipelines/{id}",
        change_pipeline,
        Scope.CRM_WRITE,
        "Change, move or archive a pipeline",
        "Pipelines",
        description="`motivos` replaces all reasons for losing; one that was used is only made "
        "inactive. With `versao` "
        "the change is refused when somebody else changed the pipeline meanwhile.",
        errors=(401, 403, 404, 409, 422),
        body=pipelines.PipelineChanges,
        answer=pipelines.PipelineRecord,
        answers={"renamed": examples.RENAMED},
        ids={"id": PIPELINE},
        examples=examples.CHANGES,
    ),
    Operation(
        "GET",
        "/pipelines/{id}/resumo",
        summarize_pipeline,
        Scope.CRM_READ,
        "Sum up the deals of a pipeline",
        "Pipelines",
        description="Of the deals that were created between `de` and `ate` and lie on the "
        "pipeline now. Currencies are "
        "never added up.",
        heavy=True,
        errors=(401, 403, 404, 422),
        query=pipelines.SummaryFilter,
        answer=cards.PipelineSummary,
        answers={"summary": examples.SUMMARY},
        ids={"id": PIPELINE},
    ),
    Operation(
        "POST",
        "/pipelines/{id}/etapas",
        add_stage,
        Scope.CRM_WRITE,
        "Add a stage",
        "Pipelines",
        errors=(401, 403, 404, 409, 422),
        status=201,
        body=pipelines.AddedStage,
        answer=pipelines.StageRecord,
        answers={"added": examples.STAGE_ADDED},
        ids={"id": PIPELINE},
        examples={"stage": examples.NEW_STAGE},
    ),
    Operation(
        "PUT",
        "/pipelines/{id}/etapas/ordem",
        reorder_stages,
        Scope.CRM_WRITE,
        "Put the stages in another order",
        "Pipelines",
        errors=(401, 403, 404, 422),
        body=pipelines.StageOrder,
        answer=pipelines.PipelineRecord,
        answers={"reordered": examples.REORDERED},
        ids={"id": PIPELINE},
        examples={"order": {"etapaIds": [STAGE, STAGE_LOST, STAGE_WON]}},
    ),
    Operation(
        "PATCH",
        "/pipelines/{id}/etapas/{etapaId}",
        change_stage,
        Scope.CRM_WRITE,
        "Change a stage",
        "Pipelines",
        description="`resultado` changes only while no deal is in the stage.",
        errors=(401, 403, 404, 409, 422),
        body=pipelines.StageChanges,
        answer=pipelines.StageRecord,
        answers={"changed": examples.STAGE_CHANGED},
        ids={"id": PIPELINE, "etapaId": STAGE},
        examples={"probability": {"probabilidade": 25}},
    ),
    Operation(
        "DELETE",
        "/pipelines/{id}/etapas/{etapaId}",
        delete_stage,
        Scope.CRM_DELETE,
        "Delete a stage",
        "Pipelines",
        description="With `moverPara` its deals move to another stage of the pipeline, all of "
        "them or none, at most "
        "5,000; each by the rules of a move.",
        errors=(401, 403, 404, 409, 422),
        status=204,
        query=pipelines.StageDeletion,
        ids={"id": PIPELINE, "etapaId": STAGE},
    ),
]
