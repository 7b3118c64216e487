"""The media shapes."""

from typing import Literal

from rest_api.support.shapes import Out


class MediaUpload(Out):
    """A file for messages of the number: `{"type": "media", "payload": {"kind": …, "media": {"id":
    …}}}`, for 30 days.

    `mimeType` is read from the bytes, `size` is in bytes. `voice` is there, and true, for mono
    Ogg/Opus: pass it back as `payload.media.voice` to send a voice note.
    """

    media_id: str
    kind: Literal["image", "audio", "video", "document", "sticker"]
    mime_type: str
    filename: str
    size: int
    sha256: str
    voice: bool | None = None
