"""Detecting what a file is for the platform, from its first bytes and its length."""

from dataclasses import dataclass

from core.foundation.files import mime_type_of
from core.media.models import MediaKind

MEGABYTE = 1_048_576

WEBP = "image/webp"
MAX_BYTES = {
    "image/jpeg": (MediaKind.IMAGE, 5 * MEGABYTE),
    "image/png": (MediaKind.IMAGE, 5 * MEGABYTE),
    "audio/aac": (MediaKind.AUDIO, 16 * MEGABYTE),
    "audio/amr": (MediaKind.AUDIO, 16 * MEGABYTE),
    "audio/mp4": (MediaKind.AUDIO, 16 * MEGABYTE),
    "audio/mpeg": (MediaKind.AUDIO, 16 * MEGABYTE),
    "audio/ogg": (MediaKind.AUDIO, 16 * MEGABYTE),
    "video/3gpp": (MediaKind.VIDEO, 16 * MEGABYTE),
    "video/mp4": (MediaKind.VIDEO, 16 * MEGABYTE),
}
"""The types that the platform shows as what they are, and up to how many bytes it does. All else is
a document.
"""
STICKER_BYTES = 100 * 1024
ANIMATED_STICKER_BYTES = 500 * 1024

_ANIMATED = 0x02


@dataclass(frozen=True, slots=True)
class DetectedFile:
    """What a file is. `voice`: it can be sent as a voice note."""

    mime_type: str
    kind: MediaKind
    voice: bool


def examine(head: bytes, *, size: int, declared: str) -> DetectedFile:
    """The nature of a file of `size` bytes that begins with `head`; what its sender says decides
    only in doubt.

    A picture, sound or film that is larger than the platform shows is a document, as anything else
    is.
    """
    mime_type = mime_type_of(head, declared=declared, whole=len(head) == size)
    if mime_type == WEBP:
        most = ANIMATED_STICKER_BYTES if _is_animated(head) else STICKER_BYTES
        kind = MediaKind.STICKER
    else:
        kind, most = MAX_BYTES.get(mime_type, (MediaKind.DOCUMENT, size))
    if size > most:
        kind = MediaKind.DOCUMENT
    return DetectedFile(mime_type, kind, voice=kind is MediaKind.AUDIO and is_voice(head))


def is_voice(head: bytes) -> bool:
    """Whether this begins as Ogg with one stream of Opus in one channel (RFC 3533, RFC 7845)."""
    if len(head) < 27 or not head.startswith(b"OggS"):
        return False
    packet = head[27 + head[26] :]
    return packet.startswith(b"OpusHead") and packet[9:10] == b"\x01"


def _is_animated(head: bytes) -> bool:
    """A WebP of the extended form says so in its first chunk."""
    return head[12:16] == b"VP8X" and len(head) > 20 and bool(head[20] & _ANIMATED)
