"""Examples of media."""

from rest_api.support.sample_ids import MEDIA

NEW = {"filename": "recibo.pdf", "mimeType": "application/pdf", "dataBase64": "JVBERi0xLjcK"}
UPLOADED = {
    "mediaId": MEDIA,
    "kind": "document",
    "mimeType": "application/pdf",
    "filename": "recibo.pdf",
    "size": 9,
    "sha256": "0716f9264c9fe19f5d7455276107f3ddcc1d3497f63d60689a73558ae8a1bf5e",
}
VOICE = {
    "mediaId": MEDIA,
    "kind": "audio",
    "mimeType": "audio/ogg",
    "filename": "recado.ogg",
    "size": 31874,
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "voice": True,
}
ANNOUNCED = {"filename": "recibo.pdf", "mimeType": "application/pdf"}
TICKET = {
    "url": "https://mensagens.example.com/media/uploads/9rJ2aQsealed",
    "expiresAt": "2026-01-20T12:10:00.000Z",
    "maxBytes": 105_000_000,
}
