"""The bench that asks every list knows a value for each parameter: whoever adds one names it there."""

import pytest

from bench.questions import (
    BY_NATURE,
    console_questions,
    graphql_questions,
    previews,
    read_samples,
    rest_questions,
)
from core.foundation.clock import now
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message


@pytest.mark.usefixtures("clean_slate")
async def test_every_list_can_be_asked_with_every_filter() -> None:
    caller = await a_caller()
    await stored_message(caller, now())
    samples = await read_samples(caller.organization_id, caller.env)

    questions = [
        *rest_questions(samples),
        *previews(samples),
        *graphql_questions(samples),
        *console_questions(samples),
    ]

    assert len(questions) > 500
    names = [question.name for question in questions]
    stale = [
        one.questions for one in BY_NATURE if not any(one.covers(name, set()) for name in names)
    ]
    assert not stale, "no question is called so: take these exceptions out"
