"""The record of a file, and the copy that a message stores of it."""

from typing import Any

from core.foundation.clock import wire_time
from core.media.models import MediaFile

Record = dict[str, Any]


def media_record(file: MediaFile) -> Record:
    """The media upload result; `voice` only where it is true, `size` in bytes."""
    return {
        "mediaId": file.id,
        "kind": file.kind.value,
        "mimeType": file.mime_type,
        "filename": file.filename,
        "size": file.size,
        "sha256": file.sha256,
        **({"voice": True} if file.voice else {}),
    }


def stored_copy(file: MediaFile) -> Record | None:
    """What a message that carries the file keeps in `messages.media`: `{mimeType, size, storedAt,
    key, filename}`.
    """
    if file.blob_key is None:
        return None
    return {
        "mimeType": file.mime_type,
        "size": file.size,
        "storedAt": wire_time(file.created_at),
        "key": file.blob_key,
        "filename": file.filename,
    }
