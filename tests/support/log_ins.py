"""Log-ins without the pause of a refusal."""

from importlib import import_module

import pytest


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused log-in answers without its pause."""
    for module, pause in (
        ("core.organizations.sessions.open", "MIN_REFUSAL_SECONDS"),
        ("core.people.forgotten_password", "ANSWER_SECONDS"),
    ):
        monkeypatch.setattr(import_module(module), pause, 0.0)
