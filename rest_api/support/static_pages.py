"""Pages for people: one HTML file of ours, and files at addresses that name their content."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.foundation.errors import NotFound
from rest_api.support.pages import PageEndpoint
from rest_api.support.prepared import FOREVER, Prepared

MEDIA = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

SAFE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class StaticPage:
    """A page and what it loads. `{name}` in the HTML becomes the address of that file.

    All files of a page share one part of their addresses, so that modules find each other by name
    alone.
    """

    def __init__(
        self,
        folder: Path,
        *,
        address: str,
        html: str,
        files: Sequence[str],
        policy: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`policy` is the page's Content-Security-Policy; `headers` go with the page alone."""
        self._folder = folder
        self._address = address
        self._html = html
        self._names = files
        self._headers = {**SAFE, "Content-Security-Policy": policy, **(headers or {})}

    @cached_property
    def files(self) -> dict[str, Prepared]:
        """The page's files by address."""
        contents = {name: (self._folder / name).read_bytes() for name in self._names}
        digest = hashlib.sha256(b"".join(contents.values())).hexdigest()[:16]
        return {
            f"{self._address}/{digest}/{name}": Prepared(
                content, MEDIA[Path(name).suffix], cache_control=FOREVER, headers=SAFE
            )
            for name, content in contents.items()
        }

    @cached_property
    def _page(self) -> Prepared:
        html = (self._folder / self._html).read_text(encoding="utf-8")
        for address in self.files:
            html = html.replace(f"{{{address.rpartition('/')[2]}}}", address)
        return Prepared(html.encode(), "text/html", headers=self._headers)

    async def show(self, request: Request) -> Response:
        """The page."""
        # Made once, beside the loop: some files are large.
        return (await asyncio.to_thread(lambda: self._page)).answer(request)

    async def send_file(self, request: Request) -> Response:
        """One of its files."""
        file = (await asyncio.to_thread(lambda: self.files)).get(request.url.path)
        if file is None:
            raise NotFound(f"No such file; open {self._address} for the ones of this version.")
        return file.answer(request)

    @property
    def file_route(self) -> Route:
        """Where the files are."""
        return Route(f"{self._address}/{{digest}}/{{name}}", PageEndpoint(self.send_file))

    @property
    def routes(self) -> list[Route]:
        """The page and its files."""
        return [Route(self._address, PageEndpoint(self.show)), self.file_route]
