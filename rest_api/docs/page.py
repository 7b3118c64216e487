"""`GET /docs` and the files that the page loads, at addresses that name their content."""

import asyncio
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.foundation.errors import NotFound
from rest_api.support.pages import Page
from rest_api.support.prepared import FOREVER, Later, Prepared

STATIC = Path(__file__).with_name("static")
PAGE = "docs.html"
FILES = {
    "scalar.js": "text/javascript",
    "docs.js": "text/javascript",
    "docs.css": "text/css",
    "docs.svg": "image/svg+xml",
}

SAFE = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
# Scalar writes its style sheet into the page; nothing else is let in, and no request gets out.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def files() -> dict[str, Prepared]:
    """The page's files by address."""
    found = {}
    for name, media_type in FILES.items():
        file = Prepared((STATIC / name).read_bytes(), media_type, cache_control=FOREVER, headers=SAFE)
        found[f"/docs/{file.digest}/{name}"] = file
    return found


def _page() -> Prepared:
    html = (STATIC / PAGE).read_text(encoding="utf-8")
    for address in files():
        html = html.replace(f"{{{address.rpartition('/')[2]}}}", address)
    return Prepared(html.encode(), "text/html", headers={**SAFE, "Content-Security-Policy": POLICY})


_prepared_page = Later(_page)


async def show_docs(request: Request) -> Response:
    """The reference."""
    return await _prepared_page.answer(request)


async def send_file(request: Request) -> Response:
    """One of the files of the page."""
    file = (await asyncio.to_thread(files)).get(request.url.path)
    if file is None:
        raise NotFound("No such file; open /docs for the ones of this version.")
    return file.answer(request)


routes = [Route("/docs", Page(show_docs)), Route("/docs/{digest}/{name}", Page(send_file))]
