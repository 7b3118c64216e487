"""Pipelines and stages as callers see them."""

from typing import Any

from core.foundation.clock import wire_time
from core.pipelines.board import Board
from core.pipelines.models import LostReason, Stage


def pipeline_record(board: Board) -> dict[str, Any]:
    """A pipeline with its stages and reasons, in their order."""
    pipeline = board.pipeline
    record = {
        "id": pipeline.id,
        "organizationId": pipeline.organization_id,
        "nome": pipeline.name,
        "tipo": pipeline.kind,
        "descricao": pipeline.description,
        "moeda": pipeline.currency,
        "posicao": pipeline.position,
        "arquivado": pipeline.archived,
        "etapas": [stage_record(stage) for stage in board.stages],
        "motivos": [_reason_record(reason) for reason in board.reasons],
        "versao": pipeline.version,
        "createdById": pipeline.created_by_id,
        "createdAt": wire_time(pipeline.created_at),
        "updatedAt": wire_time(pipeline.updated_at),
    }
    return {name: value for name, value in record.items() if value is not None}


def stage_record(stage: Stage) -> dict[str, Any]:
    """A stage."""
    record = {
        "id": stage.id,
        "pipelineId": stage.pipeline_id,
        "nome": stage.name,
        "posicao": stage.position,
        "resultado": stage.outcome.value,
        "probabilidade": stage.probability,
        "tempoMaximoDias": stage.max_days,
        "camposObrigatorios": stage.required_fields,
        "cor": stage.color,
    }
    return {name: value for name, value in record.items() if value is not None}


def _reason_record(reason: LostReason) -> dict[str, Any]:
    return {
        "id": reason.id,
        "texto": reason.text,
        "ativo": reason.active,
        "exigeObservacao": reason.needs_note,
    }
