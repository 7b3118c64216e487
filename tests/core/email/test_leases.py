"""E-mails in the hands of a worker: it keeps them while it lives, and a minute after its death they
are anybody's.
"""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from core import email
from core.email.outbox import _begin
from core.foundation.clock import now
from core.foundation.database import db, leases
from core.foundation.database.leases import LEASE, Lease
from core.providers import registry
from core.providers.email import (
    Begin,
    EmailAccepted,
    EmailClaimedElsewhere,
    HandedOver,
    OutgoingEmail,
)
from tests.factories.emails import a_sender, an_email
from tests.support.waiting import eventually

SECOND = timedelta(seconds=1)


class SlowRelay:
    """A relay with one line that answers when it is told to."""

    name = "smtp"
    lines = 1

    def __init__(self) -> None:
        self.answers = asyncio.Event()
        self.begun: list[str] = []

    async def hand_over(self, outgoing: OutgoingEmail, begin: Begin) -> HandedOver:
        """Begin, and be silent for a while."""
        if not await begin():
            return EmailClaimedElsewhere()
        self.begun.append(outgoing.id)
        await self.answers.wait()
        return EmailAccepted()


@pytest.fixture
def slow(real_commits: None) -> Iterator[SlowRelay]:
    relay = SlowRelay()
    registry.carry_mail_by(relay)
    yield relay
    registry.carry_mail_by(None)


async def ends() -> set[datetime]:
    return {row["settle_at"] for row in await db.fetch("SELECT settle_at FROM messages")}


async def test_a_relay_that_takes_four_minutes_leaves_its_letters_with_their_worker(
    slow: SlowRelay, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_sender()
    sent = {(await an_email(caller, to=f"ana{n}@example.org"))["id"] for n in range(3)}
    start = clock = now()
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0)
    monkeypatch.setattr(leases, "now", lambda: clock)
    working = asyncio.create_task(email.hand_over_due(at=start))
    await eventually(lambda: slow.begun, "the first letter is being transmitted")

    async def renewed() -> bool:
        return await ends() == {clock + LEASE}

    for _ in range(12):
        clock += 20 * SECOND
        await eventually(renewed, "all letters are still held")
        assert await email.hand_over_due(at=clock) == 0
    slow.answers.set()
    assert await working == 3

    assert sorted(slow.begun) == sorted(sent)
    rows = await db.fetch("SELECT status, settle_at FROM messages")
    assert [tuple(row.values()) for row in rows] == [("sent", None)] * 3


async def test_a_worker_that_is_killed_gives_its_letters_back_within_a_minute(
    slow: SlowRelay,
) -> None:
    caller = await a_sender()
    sent = {(await an_email(caller, to=f"ana{n}@example.org"))["id"] for n in range(3)}
    start = now()
    working = asyncio.create_task(email.hand_over_due(at=start))
    await eventually(lambda: slow.begun, "the first letter is being transmitted")
    working.cancel()
    await asyncio.wait({working})
    slow.answers.set()

    assert await email.hand_over_due(at=start + 59 * SECOND) == 0
    assert await email.hand_over_due(at=start + 60 * SECOND) == 3
    # The one that was marked may have left: it is not transmitted again.
    assert sorted(slow.begun) == sorted(sent)
    assert {row["status"] for row in await db.fetch("SELECT status FROM messages")} == {"sent"}


async def test_a_renewal_in_between_takes_no_letter_from_its_worker(slow: SlowRelay) -> None:
    caller = await a_sender()
    (id, at) = (await an_email(caller))["id"], now()
    until = at + LEASE
    await db.execute("UPDATE messages SET settle_at = $1", until)
    lease = Lease("messages", "settle_at", [id], until=until)

    begins, _ = await asyncio.gather(_begin(id, lease), lease.renew(at=at + 20 * SECOND))

    assert begins
    assert await ends() == {at + 20 * SECOND + LEASE}
    assert not await _begin(id, lease), "it has begun"


async def test_a_letter_that_another_worker_took_is_left_to_it(slow: SlowRelay) -> None:
    caller = await a_sender()
    id = (await an_email(caller))["id"]
    await db.execute("UPDATE messages SET settle_at = $1", now() + 2 * LEASE)
    assert not await _begin(id, Lease("messages", "settle_at", [id], until=now() + LEASE))
