"""Examples of companies."""

from typing import Any

from rest_api.support.sample_ids import ACCOUNT, COMPANY, CONTACT, ORGANIZATION

NEW: dict[str, Any] = {
    "whole": {
        "nome": "Padaria Boa Vista Ltda",
        "cnpj": "11.222.333/0001-81",
        "segmento": "Alimentação",
        "site": "https://padaria.example.com",
        "endereco": "Rua das Flores, 100, Recife/PE",
        "responsavelId": ACCOUNT,
        "contatoPrincipalId": CONTACT,
        "atributos": {"porte": "pequena", "funcionarios": 12},
    },
    "with letters in its CNPJ": {"nome": "Mercado Aliança ME", "cnpj": "12.ABC.345/01DE-35"},
    "just a name": {"nome": "Oficina do Zé"},
}
CHANGES: dict[str, Any] = {
    "another person": {"responsavelId": ACCOUNT},
    "clear": {"site": None, "contatoPrincipalId": None},
    "all attributes": {"atributos": {"porte": "média"}},
}
_COUNTS = {
    "contatos": 3,
    "negociosAbertos": 1,
    "valorAberto": 1500.0,
    "ultimaInteracao": "2026-11-20T18:30:00.000Z",
}
_NO_COUNTS = {"contatos": 0, "negociosAbertos": 0, "valorAberto": 0.0, "ultimaInteracao": None}
CREATED = {
    "id": COMPANY,
    "organizationId": ORGANIZATION,
    **NEW["whole"],
    "cnpj": "11222333000181",
    "createdById": ACCOUNT,
    "createdAt": "2026-11-21T12:00:00.000Z",
    "updatedAt": "2026-11-21T12:00:00.000Z",
    "contagens": _NO_COUNTS,
}
_LISTED = {**CREATED, "contagens": _COUNTS}
READ = {**CREATED, "contagens": {**_COUNTS, "valorGanho": 980.5, "negociosGanhos": 2}}
CHANGED = {**READ, "atributos": {"porte": "média"}, "updatedAt": "2026-11-30T12:00:00.000Z"}
PAGE = {"items": [_LISTED], "total": 1}
IMPORT: dict[str, Any] = {
    "empresas": [
        {"nome": "Padaria Boa Vista Ltda", "cnpj": "11.222.333/0001-81", "segmento": "Alimentação"},
        {"nome": "Oficina do Zé", "site": "https://oficina.example.com"},
        {"nome": "Mercado", "cnpj": "11.222.333/0001-00"},
    ]
}
IMPORTED = {
    "criadas": 1,
    "atualizadas": 1,
    "erros": [
        {"linha": 3, "mensagem": "cnpj: This is not a valid CNPJ; its check digits do not fit"}
    ],
}
DEFINITIONS: dict[str, Any] = {
    "defs": [
        {"key": "porte", "type": "string", "label": "Porte", "required": True},
        {"key": "funcionarios", "type": "number", "required": False},
        {"key": "clienteDesde", "type": "date", "label": "Cliente desde", "required": False},
    ]
}
