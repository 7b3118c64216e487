"""Refusals as entries of `errors`: the codes and facts of REST under `extensions`."""

import re
from typing import Any

import structlog
from graphql import GraphQLError

from core.foundation.database.availability import DatabaseAway, is_outage
from core.foundation.errors import BadRequest, Forbidden, Internal, ServiceError
from core.foundation.language import Language, language_noted, translated
from core.foundation.observability.outage_log import tell_outage

log = structlog.get_logger()

REPEATED_VALUE = re.compile(
    r"(?:[,;]? [Ff]ound:| got invalid value|(?<=(?<!invalid) value):) .*|(?<=Value) '.*'(?= does "
    r"not exist in )"
    r"|(?:(?<=String)|(?<=Int)|(?<=Float)|(?<=Name)|(?<=sequence):) '.*'(?=\.$)|(?<=Unknown "
    r"operation) named '.*'",
    re.DOTALL,
)
"""Where graphql-core would say the value back: it may be personal data."""


def as_entry(refusal: ServiceError, *, request_id: str | None) -> dict[str, Any]:
    """The entry of `errors` for a refusal that came before any document was read."""
    return as_wire(GraphQLError(refusal.detail, original_error=refusal), request_id=request_id)


def as_wire(error: GraphQLError, *, request_id: str | None) -> dict[str, Any]:
    """One entry of `errors`. Whatever no use case foresaw is masked, and logged."""
    refusal = _refusal_of(error)
    language = language_noted()
    extensions: dict[str, Any] = {"code": refusal.code, "requestId": request_id}
    if facts := refusal.facts:
        extensions["meta"] = facts
    if refusal.errors:
        extensions["errors"] = [field.as_wire(language) for field in refusal.errors]
    if refusal.retry_after is not None:
        extensions["retryAfter"] = refusal.retry_after
    entry: dict[str, Any] = {"message": _message_of(refusal, language), "extensions": extensions}
    if error.locations:
        entry["locations"] = [
            {"line": place.line, "column": place.column} for place in error.locations
        ]
    if error.path:
        entry["path"] = error.path
    return entry


def _message_of(refusal: ServiceError, language: Language) -> str:
    """What most clients show, and nothing else: the one fault, or the scope, said in full."""
    if len(refusal.errors or ()) == 1:
        (fault,) = refusal.errors
        said = translated(fault.message, language)
        return f"{fault.where}: {said}" if fault.where else said  # else it is the whole body's
    if isinstance(refusal, Forbidden) and "escopoExigido" in refusal.meta:
        lacking = f"The credential lacks the scope {refusal.meta['escopoExigido']}, which this field needs."
        return translated(lacking, language)
    return translated(refusal.detail, language)


def _refusal_of(error: GraphQLError) -> ServiceError:
    cause = error.original_error
    if isinstance(cause, ServiceError):
        return cause
    if cause is None or isinstance(cause, GraphQLError):
        return BadRequest(REPEATED_VALUE.sub("", error.message))
    if error.path is None and isinstance(
        cause, ValueError
    ):  # Python reads no integer of thousands of digits
        return BadRequest("A value in the document cannot be read.")
    if is_outage(cause):
        tell_outage("database_away", cause, operation="graphql")
        return DatabaseAway()
    log.error("unexpected", operation="graphql", exc_info=cause)
    return Internal()
