"""GraphQL's tests pass with the compiler on and off: SVC_GRAPHQL_COMPILED of the run decides."""

from collections.abc import Iterator

import pytest

from core.foundation import settings


@pytest.fixture
def compiled(servers: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For tests of compiled selections themselves: the compiler is on, whatever the run says."""
    monkeypatch.setenv("SVC_GRAPHQL_COMPILED", "on")
    settings.current.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()
