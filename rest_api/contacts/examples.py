"""Examples of contacts."""

from rest_api.support.sample_ids import CONTACT, ORGANIZATION

CREATED = {
    "id": CONTACT,
    "organizationId": ORGANIZATION,
    "phone": "+5511*****4321",
    "phoneHash": "5a1c0d7e2f9b4e638d10c7a4b95f2e61038d7c4ab1e9f02d6c85a7b3e4f10929",
    "name": "Ana Souza",
    "email": "ana@example.com",
    "externalId": "cliente-1042",
    "tags": ["vip"],
    "attributes": {"cidade": "São Paulo", "pedidos": 3},
    "optIn": {"status": "granted", "source": "site", "at": "2026-11-21T03:00:00.138Z"},
    "source": "api",
    "createdAt": "2026-11-21T03:00:00.138Z",
    "updatedAt": "2026-11-21T03:00:00.138Z",
}
WITH_DOCUMENTS = {
    **CREATED,
    "cpfCipher": "OqW3bN-6.jhdERfyIbgP9lSgGcKmnHcK8h0gt0Ge6dIc6VTNwE0Me9j5x",
    "documentos": {"cpf": "***.456.***-**"},
    "optOuts": [
        {"canal": "sms", "em": "2026-11-21T09:30:00.000Z", "motivo": "SAIR", "origem": "resposta"}
    ],
}
CHANGED = {
    **CREATED,
    "name": "Ana S. Lima",
    "tags": ["vip", "renovou"],
    "attributes": {"cidade": "São Paulo", "pedidos": 4},
    "updatedAt": "2026-11-22T12:30:00.000Z",
}
PAGES = {
    "one page": {"items": [CREATED], "total": 1},
    "a search without pii:full": {
        "items": [CREATED],
        "total": 1,
        "warnings": ["q_ignorado_requer_pii_full"],
    },
}
FIELDS = {
    "items": [
        {
            "key": "tags",
            "label": "Tags",
            "tipo": "lista",
            "origem": "padrao",
            "filtravel": True,
            "operadores": ["is", "isNot", "in", "notIn", "exists", "notExists"],
            "obrigatorio": False,
            "exemplo": ["vip"],
            "campo": "tag",
        },
        {
            "key": "pedidos",
            "label": "pedidos",
            "tipo": "numero",
            "origem": "atributo",
            "filtravel": True,
            "operadores": [
                "is",
                "isNot",
                "in",
                "gt",
                "gte",
                "lt",
                "lte",
                "between",
                "exists",
                "notExists",
            ],
            "obrigatorio": False,
            "exemplo": 42,
            "campo": "attribute.pedidos",
        },
    ]
}
OPTED_OUT = {
    "registrados": 1,
    "jaEstavam": 0,
    "notFoundCount": 0,
    "notFound": {"contactIds": [], "externalIds": []},
    "suprimidosSemContato": 0,
}
OPT_IN_OF_ONE_CHANNEL = {
    "phones": ["+5511987654321"],
    "canal": "sms",
    "fonte": "central",
    "em": "2026-11-21T12:00:00Z",
}
OPTED_IN = {
    "registrados": 1,
    "naoEstavam": 0,
    "anterioresARevogacao": 0,
    "anteriores": [],
    "fechadosParaTodos": 0,
    "notFoundCount": 0,
    "notFound": {"contactIds": [], "externalIds": []},
    "liberadosSemContato": 0,
}
OPT_OUT_WORDS = {
    "saida": ["SAIR", "PARE", "PARAR", "CANCELAR", "STOP", "DESCADASTRAR"],
    "volta": ["VOLTAR", "START"],
}
DOCUMENTS = {"cpf": "12345678909", "nascimento": "1990-12-31"}
