"""Structured logs: one line per event, each with the request id; personal data never.

JSON for machines; on a terminal short coloured lines for people, who see the same but for ids that
are always there.
"""

import logging
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import asyncpg
import orjson
import structlog
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from core.foundation.errors import ServiceError
from core.foundation.settings import LogFormat

VALUES = re.compile(
    r"""'[^'\n]*'|"[^"\n]*"|[^\s'"<>(),;:]{1,128}@[^\s'"<>(),;]+|\+?\d[\d ().-]{3,}\d""",
)
"""What may be somebody's in the text of an exception: what is quoted, e-mail addresses, long
numbers.

The bound of the address keeps a long word from being read anew from each of its characters.
"""

HIDDEN = "…"

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
CONTROL_BUT_LINES = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

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


def configure(level: str = "info", style: LogFormat = "auto") -> None:
    """Send every line of this process to standard error, also those of libraries."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.ExceptionRenderer(without_values),
    ]
    on_terminal = sys.stderr.isatty()
    rendered = (
        _for_people(colors=on_terminal)
        if style == "console" or (style == "auto" and on_terminal)
        else _AS_JSON
    )
    structlog.configure(
        cache_logger_on_first_use=True,
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        processors=[*shared, *rendered, _encoded],
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, _of_a_library, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendered],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def _for_people(*, colors: bool) -> list[Processor]:
    """The clock of this machine, the event, and what it tells."""
    lines = structlog.dev.ConsoleRenderer(
        colors=colors and "NO_COLOR" not in os.environ,
        pad_event_to=0,
        sort_keys=False,
        exception_formatter=structlog.dev.plain_traceback,
    )
    return [structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False), _short, _harmless, lines]


def _short(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Whose it was is left out while all is well."""
    if event.get("level") in ("debug", "info"):
        for name in ("organization_id", "credential_id"):
            event.pop(name, None)
    return event


def _harmless(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Characters that would move the cursor of a terminal, or colour it, are shown; a traceback
    keeps its lines.
    """
    for name, value in event.items():
        if isinstance(value, str):
            lines_stay = name == "exception"
            event[name] = (
                CONTROL_BUT_LINES.sub(_visible, value)
                if lines_stay
                else CONTROL.sub(_visible, value)
            )
    return event


def _visible(control: re.Match[str]) -> str:
    return repr(control[0])[1:-1]


def without_values(exc_info: ExcInfo) -> str:
    """The traceback, but none of the values that exceptions quote: that may be somebody's phone."""
    quoting = [
        error for error in _all_of(exc_info[1], set()) if isinstance(error, asyncpg.PostgresError)
    ]
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
    of_the_database = isinstance(error, asyncpg.PostgresError) or isinstance(
        error.__cause__, asyncpg.PostgresError
    )
    if not of_the_database and not isinstance(error, TELL_NO_VALUES):
        vars(told)["_str"] = VALUES.sub(HIDDEN, str(told))  # nothing public changes the text
    _hide_values(told.__cause__, error.__cause__)
    _hide_values(told.__context__, error.__context__)
    for part, inner in zip(told.exceptions or (), getattr(error, "exceptions", ()), strict=False):
        _hide_values(part, inner)


def _of_a_library(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """What libraries write may quote the exception of a request; the server speaks of addresses and
    processes.
    """
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


def _json_text(
    event: dict[str, object], default: Callable[[object], object] | None = None, **_: object
) -> str:
    return orjson.dumps(event, default=default or str).decode()


def _encoded(_: WrappedLogger, __: str, line: Any) -> Any:
    return line.encode()


_AS_JSON: list[Processor] = [
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.JSONRenderer(serializer=_json_text),
]
