"""An activity as callers see it."""

from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database.db import Row


def activity_record(row: Row) -> dict[str, Any]:
    """The Atividade of a row, or of a model's `vars`. Fields without a value are absent."""
    record = {
        "id": row["id"],
        "cardId": row["card_id"],
        "tipo": row["kind"],
        "titulo": row["title"],
        "texto": row["text"],
        "venceEm": row["due_at"] and wire_time(row["due_at"]),
        "concluidaEm": row["done_at"] and wire_time(row["done_at"]),
        "responsavelId": row["owner_id"],
        "messageId": row["message_id"],
        "createdById": row["created_by_id"],
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
    }
    return {name: value for name, value in record.items() if value is not None}
