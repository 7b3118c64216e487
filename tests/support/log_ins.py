"""Log-ins without the pause of a refusal."""

from importlib import import_module

import pytest


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused log-in answers without its pause."""
    monkeypatch.setattr(
        import_module("core.organizations.sessions.open"), "MIN_REFUSAL_SECONDS", 0.0
    )
