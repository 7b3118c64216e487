"""Examples of journeys."""

from typing import Any

from rest_api.support.sample_ids import JOURNEY, NEXT_JOURNEY, NUMBER, SEGMENT, TEMPLATE

NEW: dict[str, Any] = {
    "name": "Boas-vindas",
    "gatilho": {"tipo": "segmento", "segmentId": SEGMENT},
    "reentrada": "apos_concluir",
    "intervaloReentradaHoras": 720,
    "silencio": {"inicio": "22:00", "fim": "08:00"},
    "tetoDeFrequencia": {"mensagens": 3, "dias": 7},
    "meta": {"evento": "purchase"},
    "passos": [
        {
            "id": "ola",
            "tipo": "mensagem",
            "rotulo": "Olá",
            "config": {
                "canal": "whatsapp",
                "numberId": NUMBER,
                "templateId": TEMPLATE,
                "variaveis": ["Ana"],
            },
            "proximo": "pausa",
        },
        {"id": "pausa", "tipo": "espera", "config": {"duracaoHoras": 24}, "proximo": "vip"},
        {
            "id": "vip",
            "tipo": "condicao",
            "config": {
                "filterTree": {
                    "kind": "leaf",
                    "filter": {"field": "tag", "operator": "is", "value": "vip"},
                },
                "seSim": "lembrete",
            },
        },
        {
            "id": "lembrete",
            "tipo": "mensagem",
            "config": {"canal": "sms", "texto": "Seu cupom vence hoje"},
        },
    ],
    "entradaPasso": "ola",
}
LISTED = {
    "id": JOURNEY,
    "name": "Boas-vindas",
    "status": "rascunho",
    "gatilho": NEW["gatilho"],
    "reentrada": "apos_concluir",
    "intervaloReentradaHoras": 720,
    "execucoes": {"ativa": 0, "concluida": 0, "cancelada": 0, "erro": 0},
    "silencio": NEW["silencio"],
    "tetoDeFrequencia": NEW["tetoDeFrequencia"],
    "meta": NEW["meta"],
    "versao": 1,
    "createdAt": "2026-11-21T12:00:00.000Z",
    "updatedAt": "2026-11-21T12:00:00.000Z",
    "canais": ["whatsapp", "sms"],
    "fluxo": ["mensagem", "espera", "condicao", "mensagem"],
    "metaEvento": "purchase",
    "segmento": {"nome": "Ativos"},
}
PAGE = {"items": [LISTED]}
METRICS: dict[str, Any] = {
    "entraram": 0,
    "aguardando": 0,
    "concluiram": 0,
    "erros": 0,
    "pulados": {},
}
MESSAGE_METRICS = {
    **METRICS,
    "mensagens": {"enviadas": 0, "entregues": 0, "lidas": 0, "cliques": 0},
    "conversoes": 0,
}
STORED = {
    **LISTED,
    "passos": NEW["passos"],
    "entradaPasso": "ola",
    "metricasPorPasso": {
        step["id"]: MESSAGE_METRICS if step["tipo"] == "mensagem" else METRICS
        for step in NEW["passos"]
    },
}
ARCHIVED = {**STORED, "status": "arquivada", "updatedAt": "2026-11-22T09:00:00.000Z"}
CHANGE = {"name": "Boas-vindas de novembro"}
CHANGED = {**STORED, **CHANGE, "updatedAt": "2026-11-21T13:00:00.000Z"}
ACTIVATED = {
    "journeyId": JOURNEY,
    "entrarao": 1_250,
    "coinsEstimados": 1_500_000,
    "terminoEstimado": "2026-11-22T12:00:00.000Z",
}
ACTIVE = {
    **STORED,
    "status": "ativa",
    "ativadaEm": "2026-11-21T12:30:00.000Z",
    "updatedAt": "2026-11-21T12:30:00.000Z",
}
PAUSED = {**ACTIVE, "status": "pausada"}
DRAINING = {**ACTIVE, "entradasEncerradas": True}
COPY = {**STORED, "id": NEXT_JOURNEY, "name": "Boas-vindas (cópia)"}
SETTINGS = {"teto": {"mensagens": 3, "dias": 7}}
MIGRATED = {"journeyId": JOURNEY, "movidas": 820, "encerradas": 0, "mantidas": 14}
