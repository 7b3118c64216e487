"""Several API processes in one: each with batches and settlements of its own, so that only the
database is between.
"""

from collections.abc import Coroutine
from contextvars import ContextVar
from functools import cache
from typing import Any, TypeVar

import pytest

from core.foundation.database.combining import Combiner
from core.messaging import AcceptOutcome, PhoneVerdict, Record, Settlement
from core.sms import hand_over, send
from core.sms.accept import accept_batch
from core.sms.send_request import SmsSendRequest
from core.sms.settle import settle

Answer = TypeVar("Answer")

_process: ContextVar[int] = ContextVar("process", default=0)


@cache
def _batched_accept(process: int) -> Combiner[SmsSendRequest, AcceptOutcome]:
    return Combiner(accept_batch)


@cache
def _settlements(process: int) -> Combiner[Settlement[PhoneVerdict], Record | None]:
    return Combiner(settle)


class _BatchedAccept:
    async def submit(self, request: SmsSendRequest) -> AcceptOutcome:
        return await _batched_accept(_process.get()).submit(request)


class _Settlements:
    async def submit(self, settlement: Settlement[PhoneVerdict]) -> Record | None:
        return await _settlements(_process.get()).submit(settlement)


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sends under `in_process(n, …)` share nothing with those of another number but the database."""
    monkeypatch.setattr(send, "batched_accept", _BatchedAccept())
    monkeypatch.setattr(hand_over.HAND_OVER, "settlements", _Settlements())


async def in_process(number: int, work: Coroutine[Any, Any, Answer]) -> Answer:
    """Do the work in this process; call it in a task of its own, as `asyncio.gather` does."""
    _process.set(number)
    return await work
