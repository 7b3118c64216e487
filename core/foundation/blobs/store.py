"""What a store of files does, whatever keeps the bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote

from core.foundation.blobs.contents import UNKNOWN, opens_in_place
from core.foundation.errors import ServiceUnavailable


class StoreAway(ServiceUnavailable):
    default_detail = "The store of files cannot be reached; repeat the request in a moment."

    def __init__(self) -> None:
        super().__init__(retry_after=5)


@dataclass(frozen=True, slots=True)
class Served:
    """How a file is handed to a browser: its name, and its type when that one may open in place."""

    name: str
    mime_type: str

    @property
    def content_type(self) -> str:
        """The type that is told; one that a browser could run is told as bytes."""
        return self.mime_type if opens_in_place(self.mime_type) else UNKNOWN

    @property
    def disposition(self) -> str:
        """The Content-Disposition, with the name for old and for new readers (RFC 6266)."""
        kind = "inline" if opens_in_place(self.mime_type) else "attachment"
        plain = "".join(c if c.isascii() and c.isprintable() and c not in '"\\%' else "_" for c in self.name)
        return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(self.name, safe='')}"


class BlobStore(Protocol):
    """Keys are made by us: letters, digits, `_`, `-` and `/`. Every method raises StoreAway."""

    async def put(self, key: str, content: bytes) -> None:
        """Store under the key; what was there is replaced whole or not at all."""

    async def delete(self, keys: Sequence[str]) -> None:
        """Remove what is there of these."""

    async def signed_url(self, key: str, served: Served, *, seconds: int) -> str:
        """An address that opens the file to whoever has it, for so long."""

    async def close(self) -> None:
        """Let go of connections."""
