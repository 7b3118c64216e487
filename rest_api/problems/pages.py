"""`GET /problems` and `GET /problems/{code}`: for people as HTML, for programs as JSON."""

import asyncio
from functools import cache

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.foundation.errors import NotFound
from core.foundation.language import Language, language_asked
from rest_api.problems import content, html
from rest_api.support.pages import PageEndpoint
from rest_api.support.prepared import Prepared
from rest_api.support.problems import slug

HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
HTML_HEADERS = {**HEADERS, "Content-Security-Policy": html.POLICY}


async def show_index(request: Request) -> Response:
    """Every code and every refinement."""
    language = language_asked(request.headers.get("accept-language"))
    page = await asyncio.to_thread(_index, language, as_json=_wants_json(request))
    return _negotiated(page.answer(request), language)


async def show_problem(request: Request) -> Response:
    """One code or refinement, in the interface's spelling or in that of the address."""
    name = slug(request.path_params["code"])
    if name not in content.slugs():
        raise NotFound("No problem has this code; /problems lists those that exist.")
    language = language_asked(request.headers.get("accept-language"))
    page = await asyncio.to_thread(_page, name, language, as_json=_wants_json(request))
    return _negotiated(page.answer(request), language)


@cache
def _index(language: Language, *, as_json: bool) -> Prepared:
    told = content.index(language)
    return _json(told) if as_json else _html(html.index_page(told, language))


@cache
def _page(name: str, language: Language, *, as_json: bool) -> Prepared:
    told = content.page(name, language)
    assert told is not None
    if as_json:
        return _json(told)
    made = html.refinement_page if "refinement" in told else html.kind_page
    return _html(made(told, language))


def _json(told: dict[str, object]) -> Prepared:
    return Prepared(orjson.dumps(told), "application/json", headers=HEADERS)


def _html(text: str) -> Prepared:
    return Prepared(text.encode(), "text/html", headers=HTML_HEADERS)


def _wants_json(request: Request) -> bool:
    """Whether JSON, or a problem document, is asked for by name and HTML is not."""
    accepted = [
        part.partition(";")[0].strip()
        for part in request.headers.get("accept", "").lower().split(",")
    ]
    return "text/html" not in accepted and bool(
        {"application/json", "application/problem+json"} & set(accepted)
    )


def _negotiated(response: Response, language: Language) -> Response:
    response.headers["Vary"] = "Accept, Accept-Encoding, Accept-Language"
    response.headers["Content-Language"] = language
    return response


routes = [
    Route("/problems", PageEndpoint(show_index)),
    Route("/problems/{code}", PageEndpoint(show_problem)),
]
