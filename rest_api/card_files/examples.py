"""Examples of files."""

from rest_api.support.sample_ids import ACCOUNT, CARD, FILE

FILE_RECORD = {
    "id": FILE,
    "cardId": CARD,
    "nome": "proposta.pdf",
    "mimeType": "application/pdf",
    "tamanho": 48213,
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "createdById": ACCOUNT,
    "createdAt": "2026-11-21T12:00:00.000Z",
}
PAGE = {
    "items": [
        {
            **FILE_RECORD,
            "url": "https://files.example/proposta.pdf?expires=1795266000&signature=5b3a",
        }
    ],
    "total": 1,
}
