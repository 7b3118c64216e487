"""Structured logs: one JSON line per event, each with the request id; personal data never."""

import logging
import sys
from typing import Any

import orjson
import structlog


def _json(event: dict[str, Any], default: Any = None, **_: Any) -> bytes:
    return orjson.dumps(event, default=default or str)


def configure(level: str = "info") -> None:
    """Send every line of this process to standard error as JSON."""
    structlog.configure(
        cache_logger_on_first_use=True,
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(serializer=_json),
        ],
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, force=True)
