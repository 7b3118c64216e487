"""The links of the base URL, in English and in Portuguese; the page loads nothing and asks nobody."""

from dataclasses import dataclass
from functools import cache
from html import escape

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.foundation.language import Language, language_asked, translated
from core.foundation.settings import current
from rest_api.problems.html import POLICY, STYLE
from rest_api.support.accept import accepted
from rest_api.support.pages import PageEndpoint
from rest_api.support.prepared import Prepared
from rest_api.support.static_pages import SAFE

NAME = "SVC"


@dataclass(frozen=True, slots=True)
class Link:
    """An address of ours, and what stands there. `name` is its name in JSON."""

    name: str
    address: str
    title: str
    meaning: str


LINKS = (
    Link("docs", "/docs", "API reference", "Every operation, with examples"),
    Link("openapi", "/openapi.json", "OpenAPI document", "The same for programs and generators"),
    Link("graphql", "/graphql", "GraphiQL", "Write GraphQL queries and run them"),
    Link("console", "/console", "Console", "Where people work: messages and contacts as they move"),
    Link("problems", "/problems", "Problems", "What each refusal means and what to do"),
    Link("health", "/healthz", "Health", "Whether this process answers"),
    Link("ready", "/readyz", "Readiness", "Whether the service can work"),
)

INTRODUCTION = "Messages over every channel, contacts and deals, through one API."
VARIES = {"Vary": "Accept, Accept-Language, Accept-Encoding"}


async def show(request: Request) -> Response:
    """A page where HTML is taken, else JSON."""
    if not _takes_html(request):
        return _as_json().answer(request)
    return _as_page(language_asked(request.headers.get("accept-language"))).answer(request)


def _takes_html(request: Request) -> bool:
    """Whether HTML is named among what is taken: `*/*` alone is a program's."""
    weights = accepted(request.headers.get("accept"))
    return weights.get("text/html", 0.0) > 0 or weights.get("application/xhtml+xml", 0.0) > 0


@cache
def _as_json() -> Prepared:
    links = {link.name: f"{current().base_url}{link.address}" for link in LINKS}
    return Prepared(
        orjson.dumps({"name": NAME, "links": links}), "application/json", headers={**SAFE, **VARIES}
    )


@cache
def _as_page(language: Language) -> Prepared:
    headers = {**SAFE, **VARIES, "Content-Security-Policy": POLICY, "Content-Language": language}
    return Prepared(_html(language).encode(), "text/html", headers=headers)


def _html(language: Language) -> str:
    rows = "".join(
        f'<tr><td><a href="{link.address}">{escape(translated(link.title, language))}</a></td>'
        f"<td>{escape(translated(link.meaning, language))}</td></tr>"
        for link in LINKS
    )
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{NAME}</title><style>{STYLE}</style></head>"
        f"<body><h1>{NAME}</h1><p>{escape(translated(INTRODUCTION, language))}</p><table>{rows}</table></body></html>\n"
    )


routes = [Route("/", PageEndpoint(show))]
