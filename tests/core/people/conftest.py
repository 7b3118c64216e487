"""People who get letters by a relay on this machine."""

from collections.abc import Iterator

import pytest

from core.foundation import settings
from tests.core.email.conftest import relay
from tests.fakes.relay import Relay

__all__ = ["a_sender_of_ours", "relay"]


@pytest.fixture
def a_sender_of_ours(relay: Relay, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The installation's own address for letters to people."""
    with monkeypatch.context() as patched:
        patched.setenv("SVC_ACCOUNT_LETTERS_FROM", "no-reply@svc.test")
        settings.current.cache_clear()
        yield
    settings.current.cache_clear()
