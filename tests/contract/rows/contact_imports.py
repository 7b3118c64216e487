"""Decisions: the import of contacts."""

from tests.contract.table import Endpoint, Limit

ENDPOINTS = [
    Endpoint(
        address="POST /contacts/import",
        scope="contacts:write",
        errors="400 401 403 422",
        fields="contatos[]! chave seExistir listId simular silencioso",
        body={"contatos": [{"phone": "<phone>"}]},
        body_limit=50_000_000,
    )
]

IMPORT = "POST /contacts/import"

LIMITS = [
    # Lines are judged one by one, so the largest import may be all faults.
    Limit(
        address=IMPORT,
        field="/contatos",
        takes=[[{}], [{}] * 10_000],
        refuses=[([], "too_few"), ([{}] * 10_001, "too_many")],
    ),
    Limit(
        address=IMPORT,
        field="/chave",
        takes=["phone", "externalId"],
        refuses=[("email", "not_allowed")],
    ),
    Limit(
        address=IMPORT,
        field="/seExistir",
        takes=["atualizar", "ignorar", "erro"],
        refuses=[("apagar", "not_allowed")],
    ),
]
