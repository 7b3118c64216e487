"""Drill: what accepting a send costs the coordinator of Citus, the machine that holds the cell, and the other one.

SVC_DRILL_SENDS=6000 SVC_TEST_CITUS=FOLDER .venv/bin/python -m pytest -s tests/scaling/test_citus_cost.py

The balance of a sandbox is enough for that many.
"""

import asyncio
import os
import sys
import time
from dataclasses import replace
from itertools import count

import psutil
import pytest

from core.foundation.database import db
from core.foundation.database.bounded_pool import MIGRATION
from core.foundation.security.caller import Caller, Limits
from core.foundation.settings import current
from core.operations import places
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.support import citus

SENDS = int(os.environ.get("SVC_DRILL_SENDS", "0"))
IDLE_SECONDS = 5.0
pytestmark = [
    pytest.mark.skipif(not SENDS or citus.home() is None, reason="a drill: set SVC_DRILL_SENDS"),
    pytest.mark.usefixtures("real_commits"),
]


async def test_cpu_per_send_at_each_machine() -> None:
    cluster = citus.running()
    assert cluster is not None
    async with db.connected_apart(current().database_url, bounds=MIGRATION) as connection:
        holds = int((await places.place_of(connection)).machine.rpartition(":")[2]) - cluster.port
    caller = replace(await a_caller("test"), limits=Limits(sms_per_second=1_000_000))
    await sent(caller, 1_000, at_once=64)
    for at_once, sends in ((64, SENDS), (8, SENDS // 6), (2, SENDS // 6), (1, SENDS // 6)):
        began, before = time.monotonic(), seconds_of(cluster)
        await asyncio.sleep(IDLE_SECONDS)
        idle = per_second(cluster, began, before)
        began, before = time.monotonic(), seconds_of(cluster)
        await sent(caller, sends, at_once=at_once)
        took = time.monotonic() - began
        used = [
            (rate - quiet) * took / sends * 1e6
            for rate, quiet in zip(per_second(cluster, began, before), idle, strict=True)
        ]
        others = sum(used) - used[0] - used[holds]
        sys.stdout.write(
            f"{at_once} at once: {sends / took:,.0f} a second; coordinator {used[0]:.0f} µs of CPU per send, "
            f"the cell's machine {used[holds]:.0f}, the other {others:.0f}; {used[0] / used[holds]:.2f}\n"
        )


async def sent(caller: Caller, sends: int, *, at_once: int) -> None:
    """Send so many messages."""
    numbers = count()

    async def lane() -> None:
        while (number := next(numbers)) < sends:
            await a_send(caller, key=f"{at_once}-{sends}-{number}")

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(lane())


def per_second(cluster: citus.Cluster, began: float, before: list[float]) -> list[float]:
    """Seconds of CPU of each node since then, for each second."""
    passed = time.monotonic() - began
    return [(now - then) / passed for now, then in zip(seconds_of(cluster), before, strict=True)]


def seconds_of(cluster: citus.Cluster) -> list[float]:
    """Seconds of CPU that the processes of each node have used."""
    found = []
    for node in range(citus.NODES):
        pid = (cluster.folder / "data" / f"n{node}" / "postmaster.pid").read_text().split()[0]
        server = psutil.Process(int(pid))
        ended = server.cpu_times()
        total = ended.children_user + ended.children_system
        for process in (server, *server.children(recursive=True)):
            times = process.cpu_times()
            total += times.user + times.system
        found.append(total)
    return found
