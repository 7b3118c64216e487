"""The catalogue as pages: what stands on each, apart from how it looks."""

from collections.abc import Sequence
from functools import cache
from http import HTTPStatus
from typing import Any

from core.foundation.language import ENGLISH, Language, translated
from core.foundation.settings import current
from rest_api.problems.error_catalogue import ERROR_DOCS
from rest_api.problems.error_doc import ErrorDoc, ErrorKind
from rest_api.problems.field_codes import FIELD_CODES
from rest_api.problems.kinds import KINDS
from rest_api.support.problems import problem_body, slug, status_of
from rest_api.support.sample_ids import REQUEST

NAMES_FIELDS = ("BAD_REQUEST", "VALIDATION_ERROR")


@cache
def slugs() -> dict[str, ErrorKind | Sequence[ErrorDoc]]:
    """What has a page, by the last part of its address: every code, and every refinement with all
    its entries.
    """
    found: dict[str, Any] = {}
    for doc in ERROR_DOCS:
        if doc.refinement is not None:
            found.setdefault(slug(doc.refinement), []).append(doc)
    for kind in KINDS:
        found[kind.slug] = kind
    return found


def index(language: Language = ENGLISH) -> dict[str, Any]:
    """All codes and refinements."""
    return {
        "items": [
            {"code": kind.code, "status": kind.status, "meaning": translated(kind.meaning, language),
             "url": _url(kind.slug)}
            for kind in KINDS
        ],
        "refinements": [
            {"field": doc.field, "refinement": doc.refinement, "code": doc.sample.code,
             "meaning": translated(doc.meaning, language), "url": _url(slug(doc.refinement))}
            for doc in ERROR_DOCS
            if doc.refinement is not None
        ],
    }  # fmt: skip


def page(name: str, language: Language = ENGLISH) -> dict[str, Any] | None:
    """One code or one refinement; None where there is no such page."""
    found = slugs().get(name)
    if found is None:
        return None
    if isinstance(found, ErrorKind):
        docs = [doc for doc in ERROR_DOCS if doc.sample.code == found.code]
        told: dict[str, Any] = {
            "code": found.code,
            "status": found.status,
            "title": translated(HTTPStatus(found.status).phrase, language),
            "meaning": translated(found.meaning, language),
            "whatToDo": translated(found.remedy, language),
            "url": _url(name),
            "causes": [_documented(doc, language) for doc in docs],
        }
        if found.code in NAMES_FIELDS:
            told["fieldCodes"] = {
                code: translated(meaning, language) for code, meaning in FIELD_CODES.items()
            }
        return told
    documented = [_documented(doc, language) for doc in found]
    return {"refinement": found[0].refinement, "url": _url(name), "causes": documented}


def example_of(
    doc: ErrorDoc, *, base_url: str, path: str, language: Language = ENGLISH
) -> dict[str, Any]:
    """The problem document as the service answers it."""
    return problem_body(
        doc.sample, base_url=base_url, path=path, request_id=REQUEST, language=language
    )


def _documented(doc: ErrorDoc, language: Language) -> dict[str, Any]:
    told: dict[str, Any] = {
        "code": doc.sample.code,
        "status": status_of(doc.sample),
        "meaning": translated(doc.meaning, language),
        "whatToDo": translated(doc.remedy, language),
        "example": example_of(doc, base_url=current().base_url, path="/v2/…", language=language),
    }
    if doc.refinement is not None:
        told |= {
            "field": doc.field,
            "refinement": doc.refinement,
            "url": _url(slug(doc.refinement)),
        }
    return told


def _url(name: str) -> str:
    return f"{current().base_url}/problems/{name}"
