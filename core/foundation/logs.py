"""Structured logs: one JSON line per event, each with the request id; personal data never."""

import logging
import re
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import asyncpg
import orjson
import structlog
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from core.foundation.errors import ServiceError

VALUES = re.compile(
    r"""'[^'\n]*'|"[^"\n]*"|[^\s'"<>(),;:]+@[^\s'"<>(),;]+|\+?\d[\d ().-]{3,}\d""",
)
"""What may be somebody's in the text of an exception: what is quoted, e-mail addresses, long numbers."""

HIDDEN = "…"

TELL_NO_VALUES = (
    ServiceError,  # our own sentences
    asyncpg.InterfaceError,
    AssertionError,
    AttributeError,
    ImportError,
    NameError,
    OSError,
    TypeError,
)
"""Exceptions whose text speaks of code and machines."""


def configure(level: str = "info") -> None:
    """Send every line of this process to standard error as JSON, also those of libraries."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.ExceptionRenderer(without_values),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        cache_logger_on_first_use=True,
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        processors=[*shared, structlog.processors.JSONRenderer(serializer=_json)],
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, _of_a_library, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(serializer=_json_text),
            ],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def without_values(exc_info: ExcInfo) -> str:
    """The traceback, but none of the values that exceptions quote: that may be somebody's phone."""
    quoting = [error for error in _all_of(exc_info[1], set()) if isinstance(error, asyncpg.PostgresError)]
    whole = [(error, error.detail, error.args) for error in quoting]
    try:
        for error in quoting:
            error.detail = None
            if isinstance(error, asyncpg.DataError):  # `invalid input …: 'the value'`
                error.args = (str(error.args[0]).partition(":")[0],)
        told = traceback.TracebackException(*exc_info)
    finally:
        for error, detail, arguments in whole:
            error.detail, error.args = detail, arguments
    _hide_values(told, exc_info[1])
    return "".join(told.format()).rstrip("\n")


def _hide_values(told: traceback.TracebackException | None, error: BaseException | None) -> None:
    """The same for every exception of a traceback, its causes and what it groups."""
    if told is None or error is None:
        return
    of_the_database = isinstance(error, asyncpg.PostgresError) or isinstance(error.__cause__, asyncpg.PostgresError)
    if not of_the_database and not isinstance(error, TELL_NO_VALUES):
        vars(told)["_str"] = VALUES.sub(HIDDEN, str(told))  # nothing public changes the text
    _hide_values(told.__cause__, error.__cause__)
    _hide_values(told.__context__, error.__context__)
    for part, inner in zip(told.exceptions or (), getattr(error, "exceptions", ()), strict=False):
        _hide_values(part, inner)


def _of_a_library(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """What libraries write may quote the exception of a request; the server speaks of addresses and processes."""
    if not event["logger"].startswith("uvicorn"):
        event["event"] = VALUES.sub(HIDDEN, str(event["event"]))
    return event


def _all_of(error: BaseException | None, seen: set[int]) -> Iterator[BaseException]:
    """The exception, its causes and what it groups."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield error
    for inner in (error.__cause__, error.__context__, *getattr(error, "exceptions", ())):
        yield from _all_of(inner, seen)


def _json(event: dict[str, Any], default: Any = None, **_: Any) -> bytes:
    return orjson.dumps(event, default=default or str)


def _json_text(event: dict[str, Any], default: Any = None, **_: Any) -> str:
    return _json(event, default).decode()
