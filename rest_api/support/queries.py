"""Reading the query of a request, and telling what of it was passed over: a list is never silent
about it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from starlette.types import Scope

from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.records import WrittenPage
from core.foundation.validation.inputs import (
    QueryInput,
    closed_sets,
    query_names,
    read_query,
    repeatable_names,
)
from core.foundation.validation.nearest import nearest
from rest_api.support.operations import Operation
from rest_api.support.requests import NOT_STORABLE, PARAMETER_NAME, Call, is_text, query_pairs

MAX_UNKNOWN = 10
"""Unknown names that one answer tells; of more it tells how many there were."""
MAX_VALUES = 12
"""Of a larger set only the value that was probably meant is told."""

Pairs = Sequence[tuple[str, str]]


def read_query_of(operation: Operation, call: Call, scope: Scope) -> None:
    """Put what was asked, and warnings about what was not understood of it, into the call.

    Raises ValidationFailed, unless the operation may not refuse a parameter.
    """
    pairs = query_pairs(scope)
    model = operation.parameters
    if operation.lenient:
        call.query, ignored = _read_leniently(model, pairs)
    else:
        _refuse_garbled(model, pairs)
        call.query, ignored = read_query(model, pairs), []
    if operation.warns and pairs:
        call.warnings = (*ignored, *_passed_over(model, pairs))


def warned(content: Any, warnings: Sequence[str]) -> Any:
    """The answer with these warnings before its own. Bytes are a JSON object already."""
    if isinstance(content, WrittenPage):
        return content.encode(warnings)
    if isinstance(content, bytes):
        return content[:-1] + b',"warnings":' + orjson.dumps(warnings) + b"}"
    return {**content, "warnings": [*warnings, *content.get("warnings", ())]}


def _refuse_garbled(model: type[QueryInput], pairs: Pairs) -> None:
    known = query_names(model)
    garbled = [name for name, value in pairs if name in known and not is_text(value)]
    if garbled:
        raise ValidationFailed(
            errors=[
                FieldError("parameter", name, "not_utf8", "Write the text in UTF-8")
                for name in garbled
            ]
        )


def _read_leniently(model: type[QueryInput], pairs: Pairs) -> tuple[QueryInput, list[str]]:
    """The query of an operation that lists neither 400 nor 422, and warnings.

    A filter that is no text matches nothing, as every unknown value; a number that is none is left
    out.
    """
    pairs = [(name, NOT_STORABLE.sub("\ufffd", value)) for name, value in pairs]
    try:
        return read_query(model, pairs), []
    except ValidationFailed as invalid:
        wrong = {error.where for error in invalid.errors}
        read = read_query(model, [pair for pair in pairs if pair[0] not in wrong])
        return read, [f"{name}_ignorado_invalido" for name in sorted(wrong)]


def _passed_over(model: type[QueryInput], pairs: Pairs) -> Iterable[str]:
    known, times = query_names(model), Counter(name for name, _ in pairs)
    unknown = [name for name in times if name not in known]
    yield from (_unknown_name(name, known) for name in unknown[:MAX_UNKNOWN])
    if len(unknown) > MAX_UNKNOWN:
        yield f"parametros_desconhecidos: mais {len(unknown) - MAX_UNKNOWN}"
    for name in sorted(known - repeatable_names(model)):
        if times[name] > 1:
            yield f"parametro_repetido: {name}, vale o ultimo"
    last = dict(pairs)
    for name, closed in closed_sets(model).items():
        if name in last and last[name] not in closed.values:
            yield _unknown_value(name, last[name], closed.values)


def _unknown_name(name: str, known: Iterable[str]) -> str:
    """Names the parameter only where it looks like a name: what else stands there may be anything."""
    shown = name if PARAMETER_NAME.fullmatch(name) else "?"
    meant = nearest(name, known)
    return f"parametro_desconhecido: {shown}" + (f", existe {meant}" if meant else "")


def _unknown_value(name: str, value: str, values: Sequence[str]) -> str:
    """Never repeats the value."""
    meant = nearest(value, values)
    if len(values) <= MAX_VALUES:
        return f"valor_desconhecido: {name}, existem {', '.join(values)}"
    return f"valor_desconhecido: {name}" + (f", existe {meant}" if meant else "")
