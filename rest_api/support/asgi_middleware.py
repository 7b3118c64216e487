"""The hook for ASGI middleware of an operator's own: SVC_ASGI_MIDDLEWARE wraps the application."""

from importlib import import_module
from typing import Final, cast

from starlette.types import ASGIApp

from core.foundation.settings import Settings, SettingsError

UNEXPECTED: Final = "svc.unexpected"
"""Under which a scope has the exception behind an answer of 500, for middleware that reports it."""


def with_middleware(app: ASGIApp, settings: Settings) -> ASGIApp:
    """The application inside of the middleware that the settings name. Raises SettingsError."""
    if settings.asgi_middleware is None:
        return app
    module, _, name = settings.asgi_middleware.partition(":")
    try:
        wrap = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"Wrong settings: SVC_ASGI_MIDDLEWARE: {error}") from None
    return cast("ASGIApp", wrap(app))
