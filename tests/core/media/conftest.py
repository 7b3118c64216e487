"""What the tests of media share."""

from collections.abc import Iterator

import pytest

from core.providers import registry
from tests.fakes.files import FilesOfPlatform


@pytest.fixture
def platform() -> Iterator[FilesOfPlatform]:
    """The platform of live conversations, as far as files go; it is there once it gave a number."""
    yield FilesOfPlatform()
    registry.converse_by(None)
