"""Examples of an import."""

from typing import Any

TWO_LINES = {
    "contatos": [
        {"phone": "+5511987654321", "name": "Ana Souza", "tags": ["vip"]},
        {
            "phone": "(21) 99876-5432",
            "name": "Bruno Lima",
            "optIn": {"status": "granted", "source": "loja"},
        },
    ],
    "seExistir": "atualizar",
}
TRIED: dict[str, Any] = {
    "contatos": [{"externalId": "customer-1042", "phone": "+5511987654321"}],
    "chave": "externalId",
    "simular": True,
}
DONE: dict[str, Any] = {
    "criados": 1,
    "atualizados": 1,
    "inalterados": 0,
    "ignorados": 0,
    "erros": [],
    "warnings": [],
}
ONE_FAULTY: dict[str, Any] = {
    **DONE,
    "atualizados": 0,
    "erros": [
        {
            "linha": 2,
            "campo": "phone",
            "codigo": "invalid_phone",
            "mensagem": "This is not a valid phone number; send it in E.164, such as "
            "+5511987654321",
        }
    ],
}
