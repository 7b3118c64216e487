"""Examples of cards."""

from typing import Any

from rest_api.support.sample_ids import (
    ACCOUNT,
    ACTIVITY,
    CARD,
    CARD_MOVE,
    CONTACT,
    LOST_REASON,
    ORGANIZATION,
    OTHER_CARD,
    OTHER_PIPELINE,
    OTHER_STAGE,
    PIPELINE,
    STAGE,
    STAGE_LOST,
    STAGE_WON,
)

NEW: dict[str, Any] = {
    "deal": {
        "titulo": "Renovação anual",
        "pipelineId": PIPELINE,
        "valor": 1500,
        "dataPrevista": "2026-12-20",
        "contatoId": CONTACT,
        "responsavelId": ACCOUNT,
        "externalId": "pedido-1042",
    },
    "the least": {"titulo": "Renovação anual", "pipelineId": PIPELINE},
}
CREATED: dict[str, Any] = {
    "id": CARD,
    "organizationId": ORGANIZATION,
    "pipelineId": PIPELINE,
    "etapaId": STAGE,
    "titulo": "Renovação anual",
    "status": "aberto",
    "ordem": "V",
    "versao": 1,
    "valor": 1500.0,
    "moeda": "BRL",
    "dataPrevista": "2026-12-20",
    "probabilidade": 20,
    "etapaDesde": "2026-11-21T03:00:00.138Z",
    "diasNaEtapa": 0,
    "atrasado": False,
    "contatoId": CONTACT,
    "contatos": [],
    "responsavelId": ACCOUNT,
    "atributos": {},
    "tags": [],
    "origem": "api",
    "externalId": "pedido-1042",
    "createdById": ACCOUNT,
    "createdAt": "2026-11-21T03:00:00.138Z",
    "updatedAt": "2026-11-21T03:00:00.138Z",
}
PAGE = {"items": [CREATED], "total": 1}
CHANGES: dict[str, Any] = {
    "value and people": {
        "valor": 1800.5,
        "contatos": [{"contatoId": CONTACT, "papel": "decisor", "principal": True}],
        "versao": 1,
    }
}
CHANGED = {
    **CREATED,
    "valor": 1800.5,
    "contatos": [{"contatoId": CONTACT, "papel": "decisor", "principal": True}],
    "versao": 2,
    "updatedAt": "2026-11-22T12:00:00.000Z",
}
_LATER = "2026-11-23T12:00:00.000Z"
WON = {
    **CHANGED,
    "etapaId": STAGE_WON,
    "status": "ganho",
    "versao": 3,
    "probabilidade": 100,
    "etapaDesde": _LATER,
    "ganhoEm": _LATER,
    "fechadoPorId": ACCOUNT,
    "updatedAt": _LATER,
}
LOST = {
    **CHANGED,
    "etapaId": STAGE_LOST,
    "status": "perdido",
    "versao": 3,
    "probabilidade": 0,
    "etapaDesde": _LATER,
    "perdidoEm": _LATER,
    "fechadoPorId": ACCOUNT,
    "motivoPerdaId": LOST_REASON,
    "observacaoPerda": "Escolheu outro fornecedor",
    "updatedAt": _LATER,
}
REOPENED = {**CHANGED, "versao": 4, "etapaDesde": _LATER, "updatedAt": _LATER}
TRANSFERRED = {**REOPENED, "pipelineId": OTHER_PIPELINE, "etapaId": OTHER_STAGE, "versao": 3}
ENTERED: dict[str, Any] = {
    "id": CARD_MOVE,
    "tipo": "ganho",
    "de": {"etapaId": STAGE, "nome": "Contato"},
    "para": {"etapaId": STAGE_WON, "nome": "Ganho"},
    "entrouEm": _LATER,
    "porId": ACCOUNT,
    "porNome": "Ana Souza",
    "em": _LATER,
}
MOVED = {"card": WON, "movimento": ENTERED}
MOVES: dict[str, Any] = {
    "to the end of a stage": {"etapaId": STAGE_WON},
    "beside another card": {"etapaId": STAGE, "antesDe": OTHER_CARD},
    "with what the stage demands": {"etapaId": STAGE_WON, "campos": {"valor": 1800.5}, "versao": 2},
}
BATCH = {"batch": {"cardIds": [CARD, OTHER_CARD], "etapaId": STAGE_WON}}
BATCH_MOVED = {
    "movidos": 1,
    "erros": [
        {
            "cardId": OTHER_CARD,
            "codigo": "CAMPOS_OBRIGATORIOS_AUSENTES",
            "mensagem": "The stage demands what the card lacks: valor.",
        }
    ],
}
HISTORY = {
    "items": [
        ENTERED,
        {
            "id": "his_2bNm4XcVz6LkJh8GfDs0A",
            "tipo": "campo",
            "campo": "valor",
            "porId": ACCOUNT,
            "porNome": "Ana Souza",
            "em": "2026-11-22T12:00:00.000Z",
        },
        {
            "id": "his_7yHn5TgBr4FvEd3CwSx2Z",
            "tipo": "criado",
            "para": {"etapaId": STAGE, "nome": "Contato"},
            "entrouEm": "2026-11-21T03:00:00.138Z",
            "saiuEm": _LATER,
            "duracaoSegundos": 205199,
            "porId": ACCOUNT,
            "porNome": "Ana Souza",
            "em": "2026-11-21T03:00:00.138Z",
        },
    ]
}
NEW_ACTIVITY = {
    "task": {
        "tipo": "tarefa",
        "titulo": "Ligar para Ana",
        "venceEm": "2026-11-25T14:00:00Z",
        "responsavelId": ACCOUNT,
    },
    "note": {"tipo": "nota", "texto": "Pediu desconto para doze meses."},
}
ACTIVITY_RECORD = {
    "id": ACTIVITY,
    "cardId": CARD,
    "tipo": "tarefa",
    "titulo": "Ligar para Ana",
    "venceEm": "2026-11-25T14:00:00.000Z",
    "responsavelId": ACCOUNT,
    "createdById": ACCOUNT,
    "createdAt": "2026-11-21T03:00:00.138Z",
    "updatedAt": "2026-11-21T03:00:00.138Z",
}
ACTIVITY_DONE = {**ACTIVITY_RECORD, "concluidaEm": _LATER, "updatedAt": _LATER}
ACTIVITIES = {"items": [ACTIVITY_RECORD], "total": 1}
