"""Answers that are made once per process: plain and compressed, with an ETag, ready to send."""

import asyncio
import gzip
import hashlib
from collections.abc import Callable, Mapping
from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from rest_api.support.compression import SMALL, takes_gzip

ASK_AGAIN = "public, max-age=0, must-revalidate"
"""Kept, but asked about each time: the answer to that is an empty 304."""
FOREVER = "public, max-age=31536000, immutable"
"""For an address that names its content."""


class Prepared:
    """The bytes of one answer. `headers` go with each of them."""

    def __init__(
        self,
        body: bytes,
        media_type: str,
        *,
        cache_control: str = ASK_AGAIN,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.digest = hashlib.sha256(body).hexdigest()[:16]
        self._media_type = media_type
        self._headers = {
            "Cache-Control": cache_control,
            "Vary": "Accept-Encoding",
            **(headers or {}),
        }
        self._bodies = {"": body}
        if len(body) >= SMALL:
            self._bodies["gzip"] = gzip.compress(body, compresslevel=6, mtime=0)

    def answer(self, request: Request) -> Response:
        """200 with the body in the encoding that the client takes, or 304 when it has it already."""
        encoding = (
            "gzip"
            if "gzip" in self._bodies and takes_gzip(request.headers.get("accept-encoding"))
            else ""
        )
        tag = f'"{self.digest}{encoding and "-" + encoding}"'
        headers = {**self._headers, "ETag": tag}
        if tag in _tags(request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        if encoding:
            headers["Content-Encoding"] = encoding
        return Response(self._bodies[encoding], headers=headers, media_type=self._media_type)


class DeferredAnswer:
    """A prepared answer that is made when it is first asked for, beside the loop."""

    def __init__(self, make: Callable[[], Prepared]) -> None:
        self._make = cache(make)

    async def answer(self, request: Request) -> Response:
        """As Prepared."""
        return (await asyncio.to_thread(self._make)).answer(request)


def _tags(header: str) -> set[str]:
    return {tag.strip().removeprefix("W/") for tag in header.split(",")}
