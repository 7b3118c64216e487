"""A relay on this machine, configured as an operator does."""

from collections.abc import AsyncIterator

import pytest

from core.foundation import settings
from core.providers import registry
from tests.fakes.relay import Relay, a_relay


@pytest.fixture
async def relay(database: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Relay]:
    """A relay without encryption, open for live e-mails."""
    async with a_relay() as fake:
        with monkeypatch.context() as patched:
            patched.setenv("SVC_SMTP_URL", f"smtp://127.0.0.1:{fake.port}")
            patched.setenv("SVC_SMTP_STARTTLS", "off")
            patched.setenv("SVC_SMTP_TIMEOUT_SECONDS", "5")
            settings.current.cache_clear()
            await registry.open_providers(settings.current())
            yield fake
            await registry.close_providers()
        settings.current.cache_clear()
