"""Whover REST answers when the database is away, and when the fault is ours."""

from collections.abc import Callable

import asyncpg
import httpx
import pytest

from core import webhooks
from core.foundation.database.availability import DatabaseUnreachable
from rest_api.support.shapes import Problem
from tests.factories.organizations import a_key

OUTAGES = [
    DatabaseUnreachable("refused"),
    asyncpg.TooManyConnectionsError("sorry, too many clients already"),
    asyncpg.AdminShutdownError("terminating connection"),
    asyncpg.DeadlockDetectedError("deadlock detected"),
    asyncpg.InterfaceError("connection is closed"),
]


def failing(error: Exception) -> Callable[..., object]:
    async def fail(*_: object) -> object:
        raise error

    return fail


@pytest.mark.parametrize("error", OUTAGES, ids=lambda error: type(error).__name__)
async def test_a_database_that_is_away_is_a_503_that_says_when_to_come_back(
    rest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    key = await a_key()
    monkeypatch.setattr(webhooks, "list_subscriptions", failing(error))

    answer = await rest.get("/webhooks", headers={"Authorization": f"Bearer {key}"})

    assert answer.status_code == 503
    assert answer.headers["content-type"] == "application/problem+json"
    assert int(answer.headers["retry-after"]) >= 1
    problem = Problem.model_validate(answer.json())
    assert problem.code == "SERVICE_UNAVAILABLE"
    assert str(error) not in answer.text


async def test_a_fault_of_ours_is_a_500_without_details(
    rest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await a_key()
    monkeypatch.setattr(webhooks, "list_subscriptions", failing(RuntimeError("a secret of ours")))

    answer = await rest.get("/webhooks", headers={"Authorization": f"Bearer {key}"})

    assert (answer.status_code, answer.json()["code"]) == (500, "INTERNAL")
    assert "a secret of ours" not in answer.text
    assert "retry-after" not in answer.headers
