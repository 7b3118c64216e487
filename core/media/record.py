"""The record of a file, and the copy that a message stores of it."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.clock import wire_time
from core.foundation.records import Doc, Id, LargeInt, named
from core.media.models import MediaFile, MediaKind


@named(rest="MediaUpload")
class MediaRecord(TypedDict):
    """A file for messages of the number: `{"type": "media", "payload": {"kind": …, "media": {"id":
    …}}}`, for 30 days.
    """

    mediaId: Annotated[Id, Doc("Names the file in messages")]
    kind: Annotated[MediaKind, Doc("What the file is shown as")]
    mimeType: Annotated[str, Doc("The type of the file, read from its bytes")]
    filename: Annotated[str, Doc("The name of the file")]
    size: Annotated[LargeInt, Doc("How long the file is, in bytes")]
    sha256: Annotated[str, Doc("The SHA-256 of its bytes, in hexadecimal digits")]
    voice: NotRequired[
        Annotated[
            bool,
            Doc(
                "There, and true, for mono Ogg/Opus: pass it back as `payload.media.voice` to send "
                "a voice note"
            ),
        ]
    ]


def media_record(file: MediaFile) -> MediaRecord:
    """The media upload result; `voice` only where it is true."""
    record: MediaRecord = {
        "mediaId": file.id,
        "kind": file.kind,
        "mimeType": file.mime_type,
        "filename": file.filename,
        "size": file.size,
        "sha256": file.sha256,
    }
    if file.voice:
        record["voice"] = True
    return record


class StoredCopy(TypedDict):
    """What a message that carries a file keeps of it in `messages.media`."""

    mimeType: str
    size: int
    storedAt: str
    key: str
    filename: str | None


def stored_copy(file: MediaFile) -> StoredCopy | None:
    """What a message that carries the file keeps of it; None once our copy was removed."""
    if file.blob_key is None:
        return None
    return {
        "mimeType": file.mime_type,
        "size": file.size,
        "storedAt": wire_time(file.created_at),
        "key": file.blob_key,
        "filename": file.filename,
    }
