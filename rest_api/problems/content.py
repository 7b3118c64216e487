"""The catalogue as pages: what stands on each, apart from how it looks."""

from collections.abc import Sequence
from functools import cache
from http import HTTPStatus
from typing import Any

from core.foundation.language import ENGLISH, Language, translated
from core.foundation.settings import current
from rest_api.problems.catalogue import CAUSES
from rest_api.problems.field_codes import FIELD_CODES
from rest_api.problems.kinds import KINDS
from rest_api.problems.rows import Cause, Kind
from rest_api.support.problems import problem_body, slug, status_of
from rest_api.support.sample_ids import REQUEST

NAMES_FIELDS = ("BAD_REQUEST", "VALIDATION_ERROR")


@cache
def slugs() -> dict[str, Kind | Sequence[Cause]]:
    """What has a page, by the last part of its address: every code, and every refinement with all
    its causes.
    """
    found: dict[str, Any] = {}
    for cause in CAUSES:
        if cause.refinement is not None:
            found.setdefault(slug(cause.refinement), []).append(cause)
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
            {"field": cause.field, "refinement": cause.refinement, "code": cause.sample.code,
             "meaning": translated(cause.meaning, language), "url": _url(slug(cause.refinement))}
            for cause in CAUSES
            if cause.refinement is not None
        ],
    }  # fmt: skip


def page(name: str, language: Language = ENGLISH) -> dict[str, Any] | None:
    """One code or one refinement; None where there is no such page."""
    found = slugs().get(name)
    if found is None:
        return None
    if isinstance(found, Kind):
        causes = [cause for cause in CAUSES if cause.sample.code == found.code]
        told: dict[str, Any] = {
            "code": found.code,
            "status": found.status,
            "title": translated(HTTPStatus(found.status).phrase, language),
            "meaning": translated(found.meaning, language),
            "whatToDo": translated(found.remedy, language),
            "url": _url(name),
            "causes": [_cause(cause, language) for cause in causes],
        }
        if found.code in NAMES_FIELDS:
            told["fieldCodes"] = {
                code: translated(meaning, language) for code, meaning in FIELD_CODES.items()
            }
        return told
    told_causes = [_cause(cause, language) for cause in found]
    return {"refinement": found[0].refinement, "url": _url(name), "causes": told_causes}


def example_of(
    cause: Cause, *, base_url: str, path: str, language: Language = ENGLISH
) -> dict[str, Any]:
    """The problem document as the service answers it."""
    return problem_body(
        cause.sample, base_url=base_url, path=path, request_id=REQUEST, language=language
    )


def _cause(cause: Cause, language: Language) -> dict[str, Any]:
    told: dict[str, Any] = {
        "code": cause.sample.code,
        "status": status_of(cause.sample),
        "meaning": translated(cause.meaning, language),
        "whatToDo": translated(cause.remedy, language),
        "example": example_of(cause, base_url=current().base_url, path="/v2/…", language=language),
    }
    if cause.refinement is not None:
        told |= {
            "field": cause.field,
            "refinement": cause.refinement,
            "url": _url(slug(cause.refinement)),
        }
    return told


def _url(name: str) -> str:
    return f"{current().base_url}/problems/{name}"
