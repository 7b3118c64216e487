"""Examples of pipelines."""

from typing import Any

from rest_api.support.sample_ids import (
    ACCOUNT,
    LOST_REASON,
    ORGANIZATION,
    PIPELINE,
    STAGE,
    STAGE_LOST,
    STAGE_WON,
)

NEW: dict[str, Any] = {
    "the usual stages": {"nome": "Vendas"},
    "stages of your own": {
        "nome": "Vendas",
        "moeda": "BRL",
        "etapas": [
            {
                "nome": "Contato",
                "probabilidade": 20,
                "tempoMaximoDias": 7,
                "camposObrigatorios": ["contato"],
            },
            {"nome": "Ganho", "resultado": "ganho"},
            {"nome": "Perdido", "resultado": "perda"},
        ],
        "motivos": ["Preço", {"texto": "Outro", "exigeObservacao": True}],
    },
}
NEW_STAGE = {
    "nome": "Proposta",
    "probabilidade": 60,
    "tempoMaximoDias": 14,
    "camposObrigatorios": ["valor"],
}

CHANGES: dict[str, Any] = {
    "rename": {"nome": "Vendas diretas", "versao": 1},
    "other reasons": {"motivos": ["Preço", "Prazo"]},
    "archive": {"arquivado": True, "forcar": True},
}

_CONTACT = {
    "id": STAGE, "pipelineId": PIPELINE, "nome": "Contato", "posicao": 0, "resultado": "aberta",
    "probabilidade": 20,
    "tempoMaximoDias": 7, "camposObrigatorios": ["contato"],
}  # fmt: skip
_WON = {
    "id": STAGE_WON, "pipelineId": PIPELINE, "nome": "Ganho", "posicao": 1, "resultado": "ganho",
    "probabilidade": 100,
    "camposObrigatorios": [],
}  # fmt: skip
_LOST = {
    **_WON, "id": STAGE_LOST, "nome": "Perdido", "posicao": 2, "resultado": "perda",
    "probabilidade": 0,
}  # fmt: skip
PIPELINE_RECORD = {
    "id": PIPELINE,
    "organizationId": ORGANIZATION,
    "nome": "Vendas",
    "tipo": "vendas",
    "moeda": "BRL",
    "posicao": 0,
    "arquivado": False,
    "etapas": [_CONTACT, _WON, _LOST],
    "motivos": [{"id": LOST_REASON, "texto": "Preço", "ativo": True, "exigeObservacao": False}],
    "versao": 1,
    "createdById": ACCOUNT,
    "createdAt": "2026-11-21T12:00:00.000Z",
    "updatedAt": "2026-11-21T12:00:00.000Z",
}
_CHANGED = {**PIPELINE_RECORD, "versao": 2, "updatedAt": "2026-11-30T12:00:00.000Z"}
RENAMED = {**_CHANGED, "nome": "Vendas diretas"}
REORDERED = {**_CHANGED, "etapas": [_CONTACT, {**_LOST, "posicao": 1}, {**_WON, "posicao": 2}]}
PAGE = {
    "items": [PIPELINE_RECORD],
    "total": 1,
    "cardCounts": {PIPELINE: 3},
    "openStageCounts": {PIPELINE: 1},
}
STAGE_ADDED = {
    "id": "etp_7hGf4DsAq1ZxCv9BnMkLp", "pipelineId": PIPELINE, "nome": "Proposta", "posicao": 1,
    "resultado": "aberta",
    "probabilidade": 60, "tempoMaximoDias": 14, "camposObrigatorios": ["valor"],
}  # fmt: skip
STAGE_CHANGED = {**_CONTACT, "probabilidade": 25}
SUMMARY = {
    "pipelineId": PIPELINE,
    "periodo": {"de": "2026-08-23T12:00:00.000Z", "ate": "2026-11-21T12:00:00.000Z"},
    "etapas": [
        {
            "etapaId": STAGE, "nome": "Contato", "quantidade": 1, "atrasados": 0,
            "valores": [{"moeda": "BRL", "valor": 1000.0, "valorPonderado": 200.0}],
            "tempoMedioSegundos": 172800, "entraram": 3, "avancaram": 1, "taxaAvanco": 0.3333,
        },
        {
            "etapaId": STAGE_WON, "nome": "Ganho", "quantidade": 1, "atrasados": 0,
            "valores": [{"moeda": "BRL", "valor": 500.0, "valorPonderado": 500.0}], "entraram": 1,
            "avancaram": 0,
        },
        {
            "etapaId": STAGE_LOST, "nome": "Perdido", "quantidade": 1, "atrasados": 0,
            "valores": [{"moeda": "BRL", "valor": 80.0, "valorPonderado": 0.0}], "entraram": 1,
            "avancaram": 0,
        },
    ],
    "totais": {
        "abertos": 1, "ganhos": 1, "perdidos": 1, "taxaGanho": 0.5, "cicloMedioSegundos": 172800,
        "valores": [{"moeda": "BRL", "aberto": 1000.0, "ponderado": 200.0, "ganho": 500.0, "perdido": 80.0}],
    },
    "motivos": [
        {"motivoId": LOST_REASON, "texto": "Preço", "quantidade": 1, "valores": [{"moeda": "BRL", "valor": 80.0}]}
    ],
    "previsao": [{"mes": "2026-12", "moeda": "BRL", "ponderado": 200.0}],
}  # fmt: skip
