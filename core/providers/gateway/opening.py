"""The gateway client of a process, made of its settings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.foundation.settings import Settings
from core.providers.gateway.client import Gateway
from core.providers.gateway.session import open_session


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Gateway | None]:
    """The gateway with a session of its own, or None where none is configured."""
    if settings.gateway_url is None or settings.gateway_secret is None:
        yield None
        return
    async with open_session() as session:
        yield Gateway(
            settings.gateway_url,
            settings.gateway_secret,
            session,
            seconds=settings.gateway_timeout_seconds,
        )
