"""A file as both entry points show it."""

from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database import db


def file_record(row: db.Row) -> dict[str, Any]:
    """The Arquivo of a row, or of a model's `vars`; `tamanho` in bytes."""
    return {
        "id": row["id"],
        "cardId": row["card_id"],
        "nome": row["name"],
        "mimeType": row["mime_type"],
        "tamanho": row["size"],
        "sha256": row["sha256"],
        "createdById": row["created_by_id"],
        "createdAt": wire_time(row["created_at"]),
    }
