"""`GET /console` and every address under it: one page, and the files that it loads.

The files are built from `console/` and committed (`make console`); their names tell their content.
"""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from pathlib import Path

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from core.foundation.errors import NotFound
from rest_api.support.pages import PageEndpoint
from rest_api.support.prepared import FOREVER, DeferredAnswer, Prepared
from rest_api.support.static_pages import MEDIA, SAFE

STATIC = Path(__file__).with_name("static")

# Nothing stands in the page itself, and no script makes markup of text.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src "
    "'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'"
)

_address = "/console"

PAGE_HEADERS = {**SAFE, "Content-Security-Policy": POLICY}


class ConsolePage:
    """The page is the same at each of its addresses: the console draws what they name."""

    @cached_property
    def _page(self) -> DeferredAnswer:
        def make() -> Prepared:
            html = (STATIC / "index.html").read_bytes()
            # Kept by nobody: it names the files of one version.
            return Prepared(html, "text/html", cache_control="no-store", headers=PAGE_HEADERS)

        return DeferredAnswer(make)

    @cached_property
    def _files(self) -> Mapping[str, DeferredAnswer]:
        return {path.name: DeferredAnswer(_made_of(path)) for path in (STATIC / "assets").iterdir()}

    async def show(self, request: Request) -> Response:
        """The page."""
        return await self._page.answer(request)

    async def move(self, _: Request) -> Response:
        """Where a page of ours stood before."""
        return RedirectResponse("/console", status_code=301)

    async def send_file(self, request: Request) -> Response:
        """One of its files."""
        file = self._files.get(request.path_params["name"])
        if file is None:
            raise NotFound(f"No such file; open {_address} for the ones of this version.")
        return await file.answer(request)

    @property
    def routes(self) -> list[Route]:
        """The page, its files, and the addresses that it draws."""
        return [
            Route("/console", PageEndpoint(self.show)),
            Route("/console/assets/{name}", PageEndpoint(self.send_file)),
            Route("/console/{place:path}", PageEndpoint(self.show)),
            Route("/dashboard", PageEndpoint(self.move)),
        ]


def _made_of(path: Path) -> Callable[[], Prepared]:
    return lambda: Prepared(
        path.read_bytes(), MEDIA[path.suffix], cache_control=FOREVER, headers=SAFE
    )


@cache
def documents() -> dict[str, str]:
    """The operations of the console by their SHA-256."""
    found: dict[str, str] = orjson.loads((STATIC / "documents.json").read_bytes())
    return found


routes = ConsolePage().routes
