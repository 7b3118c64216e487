"""Drill: an organization with many messages is moved while it sends.

SVC_DRILL_MESSAGES=100000 .venv/bin/python -m pytest -s tests/scaling/test_move_drill.py

With SVC_TEST_CITUS the organization leaves a cell that Citus has placed, for another one; with SVC_DRILL_TO=west for a
plain PostgreSQL.
"""

import asyncio
import contextvars
import os
import sys
import time
from dataclasses import replace

import asyncpg
import pytest

from core import cells
from core.foundation.database import db
from core.foundation.database.availability import DatabaseAway
from core.foundation.security.caller import Caller, Limits
from core.moves import move_organization
from core.moves.mover import Pauses
from tests.core.moves.test_operate import reported, told
from tests.factories.organizations import a_caller
from tests.factories.seeding import a_seed
from tests.factories.sms import a_send
from tests.scaling.flows import proven
from tests.support.two_cells import plain_database, second_database, south, west

__all__ = ["plain_database", "second_database", "south", "west"]

TARGET = os.environ.get("SVC_DRILL_TO", "south")
MESSAGES = int(os.environ.get("SVC_DRILL_MESSAGES", "0"))
PACE_SECONDS = 0.02
TOLD_BEFORE = 300
pytestmark = pytest.mark.skipif(not MESSAGES, reason="a drill: set SVC_DRILL_MESSAGES")


class Sender:
    """Sends one message after the other, and notes how long each was under way."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.took: list[float] = []
        self.ids: set[str] = set()
        self.refused = 0
        self.stops = False

    async def run(self, name: str) -> None:
        """Until it is told to stop."""
        while not self.stops:
            key, since = f"{name}-{len(self.took)}", time.perf_counter()
            while True:
                try:
                    sent = await asyncio.create_task(self._send(key), context=contextvars.Context())
                except (DatabaseAway, asyncpg.LockNotAvailableError):
                    self.refused += 1
                    await asyncio.sleep(0.05)
                else:
                    break
            self.took.append(time.perf_counter() - since)
            self.ids.add(sent)
            await asyncio.sleep(PACE_SECONDS)

    async def _send(self, key: str) -> str:
        cells.enter_cell(await cells.cell_of(self.caller.organization_id))
        await cells.wait_to_write(self.caller.organization_id)
        return str((await a_send(self.caller, key=key))["id"])


NOT_TOLD = "SELECT (SELECT count(*) FROM webhook_events) - (SELECT count(*) FROM webhook_feed)"


@pytest.mark.usefixtures(TARGET)
async def test_many_messages_move_while_more_are_sent() -> None:
    target = await cells.cell_named(TARGET)
    caller = await a_caller("test")
    await a_seed(caller, messages=MESSAGES)
    sender = Sender(replace(caller, limits=Limits(sms_per_second=5_000)))
    for number in range(TOLD_BEFORE):
        await a_send(sender.caller, key=f"before-{number}")
    counted = await db.fetchval("SELECT count(*) FROM messages")
    await reported()
    early, cursor = await told(caller)
    said: list[tuple[float, str, int]] = []
    began = time.perf_counter()

    def tell(what: str, rows: int) -> None:
        said.append((time.perf_counter() - began, what, rows))

    async with asyncio.TaskGroup() as group:
        for name in ("a", "b", "c", "d"):
            group.create_task(sender.run(name))
        moved = await move_organization(
            caller.organization_id,
            target.name,
            tell=tell,
            pauses=Pauses(draining=cells.KNOWN_AFTER_SECONDS, gone=3),
        )
        sender.stops = True
    for at, what, rows in said:
        if rows > 10_000 or (what.split()[0] != "removed" and not rows):
            sys.stdout.write(f"{at:7.1f} s  {what} {rows:,}\n")
    took = sorted(sender.took)
    sys.stdout.write(
        f"{counted:,} messages, {moved.rows:,} rows; moved in {time.perf_counter() - began:.0f} s; writes waited for "
        f"{moved.writes_waited_ms} ms; of {len(took):,} sends meanwhile the slowest took {took[-1]:.2f} s, "
        f"p99 {took[int(len(took) * 0.99)]:.3f} s, p50 {took[len(took) // 2]:.3f} s; refused {sender.refused}\n"
    )
    with cells.use_cell(target):
        ids = {row["id"] for row in await db.fetch("SELECT id FROM messages")}
        assert len(ids) == counted + len(sender.ids)
        assert ids >= sender.ids
        await reported()
        behind, _ = await told(caller, cursor)
        whole, _ = await told(caller)
        assert whole == [*early, *behind]
        assert len(set(whole)) == len(whole)
        assert await db.fetchval(NOT_TOLD) == 0
        await proven(caller)
    sys.stdout.write(f"the feed told {len(early):,} events before, and {len(behind):,} behind\n")
    assert took[-1] < 6
