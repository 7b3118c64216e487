"""Files in a folder of the machine: for one machine, or several that share a volume."""

import asyncio
import hmac
import os
import tempfile
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlencode

from core.foundation.blobs.store import Served, StoreAway

ROUTE = "/blobs"


class FolderStore:
    """One file per key below `folder`. The service itself serves them, to addresses that it has signed."""

    def __init__(self, folder: Path, *, base_url: str, secret: str) -> None:
        self._folder = folder
        self._base_url = base_url
        self._secret = hmac.digest(secret.encode(), b"signed addresses of files", "sha256")

    async def put(self, key: str, content: bytes) -> None:
        try:
            await asyncio.to_thread(_write_whole, self._folder / key, content)
        except OSError:
            raise StoreAway from None

    async def delete(self, keys: Sequence[str]) -> None:
        try:
            await asyncio.to_thread(_unlink_all, [self._folder / key for key in keys])
        except OSError:
            raise StoreAway from None

    async def signed_url(self, key: str, served: Served, *, seconds: int) -> str:
        values = {"expires": str(int(time.time()) + seconds), "name": served.name, "type": served.mime_type}
        return f"{self._base_url}{ROUTE}/{key}?{urlencode({**values, 'signature': self._sign(key, values)})}"

    async def close(self) -> None:
        pass

    def path_of(self, key: str, values: dict[str, str], *, at: float) -> tuple[Path, Served] | None:
        """The file of an address that `signed_url` made and whose time is not over; None for any other."""
        given = values.pop("signature", "")
        if not given.isascii() or not hmac.compare_digest(given, self._sign(key, values)):
            return None
        if int(values["expires"]) < at:
            return None
        return self._folder / key, Served(values["name"], values["type"])

    def _sign(self, key: str, values: dict[str, str]) -> str:
        signed = urlencode([("key", key), *sorted(values.items())], errors="surrogateescape")
        return hmac.new(self._secret, signed.encode(), sha256).hexdigest()


def _write_whole(path: Path, content: bytes) -> None:
    """Under another name first: a reader, and a machine that stops, finds the whole file or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def _unlink_all(paths: list[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
