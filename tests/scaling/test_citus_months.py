"""A placed cell whose tables are partitioned by month: beside the traffic, on to another machine, and months that come
and go.

They run where the tests have a cluster (`make test-citus`).
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from core.partitions import MONTHS_AHEAD, TABLES
from tests.support import citus, months_later
from tests.support.books import check_messages, everything_is_settled
from tests.support.customer import Customer, under_load
from tests.support.forked import ROOT
from tests.support.processes import svc
from tests.support.receiver import Receiver
from tests.support.service import Service

pytestmark = pytest.mark.skipif(citus.home() is None, reason="SVC_TEST_CITUS names no cluster")

SCRIPT = Path(months_later.__file__)


KEPT = {
    "SVC_KEEP_MESSAGES_MONTHS": "1",
    "SVC_KEEP_AUDIT_MONTHS": "1",
    "SVC_RETENTION_EXPORT": "parquet",
}


async def test_a_placed_cell_is_partitioned_beside_the_traffic_and_its_months_come_and_go(
    service: Service, receiver: Receiver
) -> None:
    assert service.machines.placed is not None
    assert service.home_machine is not None
    books = await service.books()
    service.machines.placed.keep_from_others(service.cell_url or "")
    running = await service.up(short_lease=True)
    customer = running.customer
    await customer.subscribe(receiver)

    async with under_load(customer, lanes=3) as load:
        await load.more(10)
        enabled = await in_the_cell(service, "partitions", "enable")
        assert enabled == {"partitioned": [table.name for table in TABLES]}
        await load.more(20)
        machine = f"127.0.0.1:{service.home_machine.port}"
        placed = await service.svc("cell", "place", str(service.cell), "--on", machine)
        assert placed["machine"] == machine
        await load.more(20)
    assert (load.refusals, load.cut_off) == ([], {})
    await everything_is_settled(books)
    await check_messages(books, load.accepted)
    assert await total_of(customer) == len(load.accepted)
    sent = len(load.accepted)

    later = await months_go_on(service)

    assert later["moved"] == 1
    assert set(later["ahead"].values()) == {MONTHS_AHEAD}
    assert {f"{table.name}_before" for table in TABLES} <= set(later["dropped"])
    assert later["exported"] == sent
    assert await total_of(customer) == 0

    answer = await customer.send("0005", idempotency_key="later")
    assert (answer.status, answer.body["replayed"]) == (201, False)
    await everything_is_settled(books)
    assert await total_of(customer) == 1
    assert await books.fetchval("SELECT count(*) FROM webhook_attempts") == 1
    assert not running.apis[0].logged("unexpected")
    assert not running.workers[0].logged("pump_failed")


async def in_the_cell(service: Service, *words: str) -> dict[str, Any]:
    """What a command answers that works with the cell of the customers itself."""
    status, out, err = await svc([*words, "--json"], environment=of_the_cell(service))
    assert status == 0, err
    answer: dict[str, Any] = json.loads(out)
    return answer


def of_the_cell(service: Service) -> dict[str, str]:
    assert service.cell_url is not None
    return {**service.environment, "DATABASE_URL": service.cell_url}


async def months_go_on(service: Service) -> dict[str, Any]:
    """Some months pass in the cell."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", SCRIPT),
        env={**of_the_cell(service), **KEPT, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    answer: dict[str, Any] = json.loads(out.splitlines()[-1])
    return answer


async def total_of(customer: Customer) -> int:
    """How many messages a list says that there are: as many as were counted."""
    answer = await customer.call("GET", "/v2/sms/messages?limit=1")
    assert answer.status == 200, answer
    total: int = answer.body["total"]
    return total
