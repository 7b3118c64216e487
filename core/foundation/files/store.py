"""The interface of a file store, whatever keeps the bytes."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from core.foundation.files.contents import UNKNOWN, opens_in_place
from core.foundation.files.partial_uploads import PartialUpload

PIECE = 262_144
"""Bytes of a file that are read at once."""


@dataclass(frozen=True, slots=True)
class Served:
    """How a file is handed to a browser: its name, and its type when that one may open in place.

    `to_save`: never in place, whatever it is.
    """

    name: str
    mime_type: str
    to_save: bool = False

    @property
    def in_place(self) -> bool:
        """Whether a browser shows it instead of saving it."""
        return opens_in_place(self.mime_type) and not self.to_save

    @property
    def content_type(self) -> str:
        """The type that is told; one that a browser could run is told as bytes."""
        return self.mime_type if opens_in_place(self.mime_type) else UNKNOWN

    @property
    def disposition(self) -> str:
        """The Content-Disposition, with the name for old and for new readers (RFC 6266)."""
        kind = "inline" if self.in_place else "attachment"
        plain = "".join(
            c if c.isascii() and c.isprintable() and c not in '"\\%' else "_" for c in self.name
        )
        return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(self.name, safe='')}"


class BlobStore(Protocol):
    """Keys are made by us: letters, digits, `_`, `-` and `/`. Every method raises StoreAway."""

    async def put(self, key: str, content: bytes) -> None:
        """Store under the key; what was there is replaced whole or not at all."""

    def draft(self) -> AbstractAsyncContextManager["PartialUpload"]:
        """A file to receive into, which `put_draft` can take; gone when the block ends."""

    async def put_draft(self, key: str, draft: "PartialUpload") -> None:
        """Store a finished draft under the key, whole or not at all. It may move: read it there no
        more.
        """

    def read(
        self, key: str, *, start: int = 0, end: int | None = None
    ) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """The bytes from `start` to before `end`, in pieces. Raises NoSuchBlob too."""

    def on_disk(self, key: str) -> AbstractAsyncContextManager[Path]:
        """The file for whoever needs a path, as long as the block lasts. Raises NoSuchBlob too."""

    def stored_keys(self) -> AsyncIterator[str]:
        """All that is stored, in no order. For operators: no request waits for it."""

    async def delete(self, keys: Sequence[str]) -> None:
        """Remove what is there of these."""

    async def signed_url(self, key: str, served: Served, *, seconds: int) -> str:
        """An address that opens the file to whoever has it, for so long."""

    async def signed_urls(
        self, files: Sequence[tuple[str, str, str]], *, seconds: int
    ) -> list[str]:
        """Such addresses of several, in their order, at once. `files`: the key of each, its name and type."""

    async def close(self) -> None:
        """Let go of connections."""
