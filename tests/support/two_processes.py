"""Several API processes in one: each with intake and settlement of its own, so that only the
database is between.
"""

from collections.abc import Coroutine
from contextvars import ContextVar
from functools import cache
from typing import Any, TypeVar

import pytest

from core.foundation.database.combining import Combiner
from core.sms import hand_over, send
from core.sms.draft import Draft, Outcome
from core.sms.intake import take
from core.sms.settle import Settlement, settle

Answer = TypeVar("Answer")

_process: ContextVar[int] = ContextVar("process", default=0)


@cache
def _intake(process: int) -> Combiner[Draft, Outcome]:
    return Combiner(take)


@cache
def _settlements(process: int) -> Combiner[Settlement, dict[str, Any]]:
    return Combiner(settle)


class _Intake:
    async def submit(self, draft: Draft) -> Outcome:
        return await _intake(_process.get()).submit(draft)


class _Settlements:
    async def submit(self, settlement: Settlement) -> dict[str, Any]:
        return await _settlements(_process.get()).submit(settlement)


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sends under `in_process(n, …)` share nothing with those of another number but the database."""
    monkeypatch.setattr(send, "intake", _Intake())
    monkeypatch.setattr(hand_over, "settlements", _Settlements())


async def in_process(number: int, work: Coroutine[Any, Any, Answer]) -> Answer:
    """Do the work in this process; call it in a task of its own, as `asyncio.gather` does."""
    _process.set(number)
    return await work
