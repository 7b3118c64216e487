import asyncio

import pytest

from core import idempotency
from core.idempotency import concurrent


async def test_the_room_for_waiters_is_one_for_all_operations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(concurrent, "MAX_WAITERS", 2)
    done = asyncio.Event()

    def operation(name: str) -> asyncio.Task[str]:
        async def ask() -> str | None:
            await done.wait()
            return name

        return asyncio.create_task(idempotency.wait_for_first(ask))

    waiting = [operation("sms"), operation("push")]
    await asyncio.sleep(0)
    with pytest.raises(idempotency.RequestInProgress) as refused:
        await operation("email")
    assert refused.value.retry_after == 1
    done.set()
    assert await asyncio.gather(*waiting) == ["sms", "push"]
    assert await operation("rcs") == "rcs"


async def test_who_waits_in_vain_leaves_the_room_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrent, "MAX_WAITERS", 1)
    monkeypatch.setattr(concurrent, "WAIT_TIMEOUT_SECONDS", 0.0)

    async def ask() -> None:
        raise AssertionError("the time is over before the first question")

    for _ in range(2):
        with pytest.raises(idempotency.RequestInProgress):
            await idempotency.wait_for_first(ask)
    assert concurrent._waiters == 0
