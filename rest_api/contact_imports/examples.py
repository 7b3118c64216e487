"""Examples of an import."""

TWO_LINES = {
    "contatos": [
        {"phone": "+5511987654321", "name": "Ana Souza", "tags": ["vip"]},
        {"phone": "(21) 99876-5432", "name": "Bruno Lima", "optIn": {"status": "granted", "source": "loja"}},
    ],
    "seExistir": "atualizar",
}
DONE = {
    "criados": 2,
    "atualizados": 0,
    "inalterados": 0,
    "ignorados": 0,
    "erros": [
        {
            "linha": 3,
            "campo": "phone",
            "codigo": "invalid_phone",
            "mensagem": "This is not a valid phone number; send it in E.164, such as +5511987654321",
        }
    ],
    "warnings": [],
}
