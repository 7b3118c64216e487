"""Examples of flows."""

from typing import Any

from rest_api.support.sample_ids import FLOW, NEXT_FLOW, NUMBER, ORGANIZATION

FLOW_JSON: dict[str, Any] = {
    "version": "6.2",
    "data_api_version": "3.0",
    "routing_model": {"NOTA": ["FIM"], "FIM": []},
    "screens": [
        {
            "id": "NOTA",
            "title": "Sua compra",
            "data": {"produto": {"type": "string", "__example__": "Tênis"}},
            "layout": {
                "type": "SingleColumnLayout",
                "children": [
                    {"type": "TextHeading", "text": "O que achou de ${data.produto}?"},
                    {
                        "type": "RadioButtonsGroup",
                        "name": "nota",
                        "label": "Nota",
                        "required": True,
                        "data-source": [
                            {"id": "5", "title": "Ótimo"},
                            {"id": "1", "title": "Ruim"},
                        ],
                    },
                    {
                        "type": "Footer",
                        "label": "Continuar",
                        "on-click-action": {
                            "name": "navigate",
                            "next": {"type": "screen", "name": "FIM"},
                            "payload": {},
                        },
                    },
                ],
            },
        },
        {
            "id": "FIM",
            "title": "Obrigado",
            "terminal": True,
            "success": True,
            "layout": {
                "type": "SingleColumnLayout",
                "children": [
                    {"type": "TextArea", "name": "comentario", "label": "Quer contar mais?"},
                    {
                        "type": "Footer",
                        "label": "Enviar",
                        "on-click-action": {
                            "name": "complete",
                            "payload": {"comentario": "${form.comentario}"},
                        },
                    },
                ],
            },
        },
    ],
}
NEW = {
    "numberId": NUMBER,
    "name": "Pesquisa de satisfação",
    "description": "Depois da entrega",
    "metaCategories": ["SURVEY"],
    "flowJson": FLOW_JSON,
}
DRAFT = {
    "id": FLOW,
    "organizationId": ORGANIZATION,
    "numberId": NUMBER,
    "name": "Pesquisa de satisfação",
    "description": "Depois da entrega",
    "status": "draft",
    "version": 1,
    "metaCategories": ["SURVEY"],
    "flowJson": FLOW_JSON,
    "createdAt": "2026-11-21T12:00:00.000Z",
    "updatedAt": "2026-11-21T12:00:00.000Z",
}
ACTIVE = {
    **DRAFT,
    "status": "active",
    "metaFlowId": "1122334455667788",
    "metaStatus": "PUBLISHED",
    "publishedAt": "2026-11-21T12:30:00.000Z",
    "updatedAt": "2026-11-21T12:30:00.000Z",
}
PAUSED = {**ACTIVE, "status": "paused", "updatedAt": "2026-11-22T12:00:00.000Z"}
DEPRECATED = {
    **ACTIVE,
    "status": "deprecated",
    "metaStatus": "DEPRECATED",
    "updatedAt": "2026-12-01T12:00:00.000Z",
}
ARCHIVED = {**DRAFT, "status": "archived", "updatedAt": "2026-12-02T12:00:00.000Z"}
NEXT_VERSION = {
    **DRAFT,
    "id": NEXT_FLOW,
    "version": 2,
    "versaoDe": FLOW,
    "createdAt": "2026-11-30T12:00:00.000Z",
    "updatedAt": "2026-11-30T12:00:00.000Z",
}
PAGE = {"items": [ACTIVE], "total": 1}
VALID = {"valido": True, "erros": [], "avisos": []}
INVALID = {
    "valido": False,
    "erros": [
        {
            "pointer": "/flowJson/screens/0/layout/children/0/text",
            "codigo": "undeclared",
            "mensagem": "What ${data.…} names is declared in the data of the screen",
        }
    ],
    "avisos": [
        {
            "pointer": "/flowJson/screens/0/layout/children/1/type",
            "codigo": "unknown_type",
            "mensagem": "This type is not known here; the platform may refuse it",
        }
    ],
}
CHANGE = {"name": "Pesquisa de entrega"}
