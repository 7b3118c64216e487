"""Examples of templates."""

from typing import Any

from rest_api.support.sample_ids import NEXT_TEMPLATE, NUMBER, ORGANIZATION, TEMPLATE

COMPONENTS: list[dict[str, Any]] = [
    {"type": "HEADER", "payload": {"format": "TEXT", "text": "Pedido {{1}}", "example": ["1042"]}},
    {
        "type": "BODY",
        "payload": {
            "text": "Olá {{1}}, seu pedido saiu e chega {{2}}.",
            "example": ["Ana", "amanhã"],
        },
    },
    {"type": "FOOTER", "payload": {"text": "Loja Exemplo"}},
    {
        "type": "BUTTONS",
        "payload": {
            "buttons": [
                {
                    "type": "URL",
                    "text": "Acompanhar",
                    "url": "https://loja.example.com/pedidos/{{1}}",
                    "example": ["https://loja.example.com/pedidos/1042"],
                }
            ]
        },
    },
]
CODE: list[dict[str, Any]] = [
    {"type": "BODY", "payload": {"text": "Seu código é {{1}}.", "example": ["482913"]}},
    {
        "type": "BUTTONS",
        "payload": {"buttons": [{"type": "OTP", "otpType": "COPY_CODE", "text": "Copiar"}]},
    },
]
NEW = {
    "numberId": NUMBER,
    "name": "pedido_enviado",
    "language": "pt-BR",
    "category": "utility",
    "components": COMPONENTS,
}
BODIES = {
    "variables in every part": NEW,
    "a code to log in": {**NEW, "name": "codigo", "category": "authentication", "components": CODE},
}

DRAFT = {
    "id": TEMPLATE,
    "organizationId": ORGANIZATION,
    "numberId": NUMBER,
    "name": "pedido_enviado",
    "language": "pt-BR",
    "category": "utility",
    "status": "draft",
    "components": COMPONENTS,
    "variaveis": [
        {"componente": "HEADER", "indice": 1, "exemplo": "1042"},
        {"componente": "BODY", "indice": 1, "exemplo": "Ana"},
        {"componente": "BODY", "indice": 2, "exemplo": "amanhã"},
        {
            "componente": "BUTTONS",
            "indice": 1,
            "exemplo": "https://loja.example.com/pedidos/1042",
            "botao": 0,
        },
    ],
    "version": 1,
    "createdAt": "2026-11-21T12:00:00.000Z",
    "updatedAt": "2026-11-21T12:00:00.000Z",
}
SUBMITTED = {**DRAFT, "status": "submitted", "updatedAt": "2026-11-21T12:05:00.000Z"}
APPROVED = {
    **DRAFT,
    "status": "approved",
    "metaTemplateId": "594425479261596",
    "updatedAt": "2026-11-21T12:10:00.000Z",
}
REJECTED = {
    **DRAFT,
    "status": "rejected",
    "metaTemplateId": "594425479261596",
    "rejectionReason": "INVALID_FORMAT",
    "updatedAt": "2026-11-21T12:10:00.000Z",
}
NEXT_VERSION = {
    **DRAFT,
    "id": NEXT_TEMPLATE,
    "version": 2,
    "versaoDe": TEMPLATE,
    "createdAt": "2026-11-30T12:00:00.000Z",
    "updatedAt": "2026-11-30T12:00:00.000Z",
}
PAGE = {"items": [APPROVED], "total": 1}
CHANGE = {"components": COMPONENTS}
