"""What the tests of numbers share."""

from collections.abc import Iterator

import pytest

from core.providers import registry
from tests.fakes.healthy_platform import Answers


@pytest.fixture
def platform() -> Iterator[Answers]:
    """The platform of live conversations, which finds every number healthy until the test says
    otherwise.
    """
    answers = Answers()
    registry.converse_by(answers.as_platform())
    yield answers
    registry.converse_by(None)
