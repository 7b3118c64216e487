"""Leases: who lives keeps its rows, who does not gives them back."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.foundation.database import db, leases
from core.foundation.database.leases import LEASE, Lease
from tests.support.waiting import eventually

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)

NOTICE = """
INSERT INTO platform_notices (organization_id, env, field, body, attempts, received_at, due_at)
VALUES ('org_1', 'live', 'messages', '{}', 0, $1, $1) RETURNING id
"""


@pytest.fixture
async def rows(real_commits: None) -> list[int]:
    """Three rows that this process has claimed until `AT + LEASE`."""
    return [await db.fetchval(NOTICE, AT + LEASE) for _ in range(3)]


async def ends() -> list[datetime]:
    return [
        row["due_at"] for row in await db.fetch("SELECT due_at FROM platform_notices ORDER BY id")
    ]


def lease_of(rows: list[int]) -> Lease:
    return Lease("platform_notices", "due_at", rows, until=AT + LEASE)


async def test_a_renewal_holds_the_rows_for_a_full_lease(rows: list[int]) -> None:
    lease = lease_of(rows)
    await lease.renew(at=AT + 20 * SECOND)
    await lease.renew(at=AT + 40 * SECOND)
    assert await ends() == [AT + 40 * SECOND + LEASE] * 3
    assert lease.until == AT + 40 * SECOND + LEASE


async def test_what_was_settled_or_taken_by_another_is_let_go(rows: list[int]) -> None:
    other = AT + 7 * SECOND + LEASE
    await db.execute("UPDATE platform_notices SET due_at = $2 WHERE id = $1", rows[1], other)
    await db.execute("DELETE FROM platform_notices WHERE id = $1", rows[2])
    lease = lease_of(rows)
    await lease.renew(at=AT + 20 * SECOND)
    assert await ends() == [AT + 20 * SECOND + LEASE, other]


@pytest.mark.parametrize("took_effect", [False, True])
async def test_a_renewal_that_broke_off_is_made_up_for_by_the_next(
    rows: list[int], took_effect: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = db.fetch

    async def breaks_off(*arguments: Any) -> Any:
        if took_effect:
            await fetch(*arguments)
        raise ConnectionError

    lease = lease_of(rows)
    with monkeypatch.context() as patched:
        patched.setattr(db, "fetch", breaks_off)
        with pytest.raises(ConnectionError):
            await lease.renew(at=AT + 20 * SECOND)
    await lease.renew(at=AT + 40 * SECOND)
    assert await ends() == [AT + 40 * SECOND + LEASE] * 3


async def test_it_is_renewed_while_the_work_goes_on_and_no_longer(
    rows: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = AT + 20 * SECOND
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0)
    monkeypatch.setattr(leases, "now", lambda: at)

    async def held_until(end: datetime) -> None:
        async def so() -> bool:
            return await ends() == [end] * 3

        await eventually(so, f"the rows are held until {end}")

    async with lease_of(rows).kept():
        await held_until(at + LEASE)
        at += 20 * SECOND
        await held_until(at + LEASE)
    last, at = at + LEASE, at + 20 * SECOND
    assert await ends() == [last] * 3


async def test_a_renewal_that_fails_stops_neither_the_work_nor_the_next(
    rows: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    renew, failures = Lease.renew, 0

    async def fails_at_first(lease: Lease, *, at: datetime) -> None:
        nonlocal failures
        if failures < 2:
            failures += 1
            raise ConnectionError
        await renew(lease, at=at)

    monkeypatch.setattr(leases, "RENEW_SECONDS", 0)
    monkeypatch.setattr(leases, "now", lambda: AT + 50 * SECOND)
    monkeypatch.setattr(Lease, "renew", fails_at_first)
    lease = lease_of(rows)
    async with lease.kept():
        await eventually(lambda: lease.until == AT + 50 * SECOND + LEASE, "it is renewed after all")
    assert await ends() == [AT + 50 * SECOND + LEASE] * 3
