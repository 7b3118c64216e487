"""Files of messages for tests."""

import hashlib
import struct
from collections.abc import AsyncIterator, Iterable

from core import media
from core.foundation.security.caller import Caller
from tests.factories.numbers import a_number

PDF = b"%PDF-1.7\n" + bytes(range(128, 256)) * 10
PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"
    + b"\x1f" * 40
)
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00" + b"\x11" * 40
MP4 = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom" + b"\x00" * 40
MARKUP = b"<!doctype html><script>alert(document.domain)</script>"


def opus(channels: int = 1) -> bytes:
    """The first page of an Ogg stream of Opus."""
    head = b"OpusHead" + struct.pack("<BBHIhB", 1, channels, 312, 48_000, 0, 0)
    return b"OggS\x00\x02" + bytes(20) + bytes([1, len(head)]) + head + bytes(200)


def webp(*, animated: bool = False, size: int = 200) -> bytes:
    """A WebP of the extended form."""
    head = (
        b"RIFF"
        + struct.pack("<I", size - 8)
        + b"WEBPVP8X\x0a\x00\x00\x00"
        + bytes([0x02 if animated else 0])
    )
    return head.ljust(size, b"\x00")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Arriving:
    """A file that arrives in these pieces."""

    def __init__(
        self, pieces: Iterable[bytes], name: str = "arquivo.pdf", declared: str = "application/pdf"
    ) -> None:
        self.name = name
        self.declared_type = declared
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece


async def a_file(
    caller: Caller, content: bytes = PDF, *, number_id: str | None = None, name: str = "arquivo.pdf"
) -> media.MediaFile:
    """An uploaded file, of a number of its own unless told."""
    number = number_id or (await a_number(caller)).id
    told = await media.upload_media(caller, number, Arriving([content], name))
    return await media.MediaFile.get(id=told["mediaId"])
