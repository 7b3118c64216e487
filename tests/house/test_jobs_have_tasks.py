"""Whatever core asks of the workers, they know how to do."""

import inspect

import pytest
from arq.worker import Function

from core.foundation.jobs import Job
from workers.tasks import WAKE_FUNCTIONS


def test_every_job_has_a_function_of_its_name_and_no_function_is_without_a_job() -> None:
    assert sorted(function.name for function in WAKE_FUNCTIONS) == sorted(Job)


@pytest.mark.parametrize("function", WAKE_FUNCTIONS, ids=lambda function: function.name)
def test_a_function_tolerates_arguments_of_another_version(function: Function) -> None:
    parameters = inspect.signature(function.coroutine).parameters.values()

    assert inspect.Parameter.VAR_KEYWORD in {parameter.kind for parameter in parameters}


@pytest.mark.parametrize("job", Job)
async def test_a_function_wakes_the_loop_of_its_job(job: Job) -> None:
    class FakeLoop:
        woken = 0

        def wake(self) -> None:
            self.woken += 1

    loops = {other: FakeLoop() for other in Job}
    (function,) = [function for function in WAKE_FUNCTIONS if function.name == job]

    await function.coroutine({"loops": loops}, unknown="argument")

    assert {other: loop.woken for other, loop in loops.items()} == {
        other: int(other is job) for other in Job
    }
