"""Whatever core asks of the workers, they know how to do."""

import inspect
from typing import Any

import pytest

from core.foundation.jobs import Job
from workers.tasks import FUNCTIONS


def test_every_job_has_a_task_of_its_name_and_no_task_is_without_a_job() -> None:
    assert sorted(function.__name__ for function in FUNCTIONS) == sorted(Job)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_task_tolerates_arguments_of_another_version(function: Any) -> None:
    kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}

    assert inspect.Parameter.VAR_KEYWORD in kinds


@pytest.mark.parametrize("job", Job)
async def test_a_task_wakes_the_pump_of_its_job(job: Job) -> None:
    class Pump:
        woken = 0

        def wake(self) -> None:
            self.woken += 1

    pumps = {other: Pump() for other in Job}
    (task,) = [function for function in FUNCTIONS if function.__name__ == job]

    await task({"pumps": pumps}, unknown="argument")

    assert {other: pump.woken for other, pump in pumps.items()} == {
        other: int(other is job) for other in Job
    }
