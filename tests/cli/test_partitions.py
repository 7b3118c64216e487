"""`svc partitions`: large tables become partitioned beside a reader that stays and the traffic."""

import asyncio
import json

from core.partitions import TABLES
from tests.support.customer import under_load
from tests.support.processes import svc
from tests.support.service import Service
from tests.support.waiting import eventually

WAITS = (
    "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND $1 = ANY (pg_blocking_pids(pid)))"
)
"""Whether somebody waits for what this process holds."""


async def test_tables_are_partitioned_beside_a_reader_and_the_traffic(service: Service) -> None:
    customer = (await service.up(workers=1)).customer
    reader, books = await service.books(), await service.books()
    reading = reader.transaction()
    await reading.start()
    await reader.fetch("SELECT count(*) FROM messages")

    async with under_load(customer, lanes=2) as load:
        enabling = asyncio.create_task(
            svc(["partitions", "enable", "--json"], environment=service.environment)
        )

        async def held_up() -> bool:
            return bool(await books.fetchval(WAITS, reader.get_server_pid()))

        await eventually(held_up, "it waits for the reader")
        await load.more(3)
        await reading.rollback()
        status, _, err = await enabling
        await load.more(3)

    assert (status, load.refusals) == (0, []), err
    assert await books.fetchval("SELECT count(*) FROM messages") == len(load.accepted)
    told = await service.svc("partitions", "status")
    assert {table["table"] for table in told["tables"] if table["partitioned"]} == {
        table.name for table in TABLES
    }
    assert await service.svc("partitions", "enable") == {"partitioned": []}


async def test_the_doctor_tells_of_months_that_are_missing_and_of_retention_without_months(
    service: Service,
) -> None:
    wanted = {**service.environment, "SVC_KEEP_MESSAGES_MONTHS": "12"}

    assert "svc partitions enable" in await _partitions(wanted)
    await service.svc("partitions", "enable")
    assert await _partitions(wanted) == f"{len(TABLES)} tables by month"
    books = await service.books()
    for row in await books.fetch(
        "SELECT relname FROM pg_class WHERE relname ~ '^audit_entries_[0-9]+_[0-9]+$'"
    ):
        await books.execute(f"DROP TABLE {row['relname']}")
    assert "audit_entries: months ahead have no partition" in await _partitions(wanted)


async def _partitions(environment: dict[str, str]) -> str:
    _, out, _ = await svc(["doctor", "--json"], environment=environment)
    details: dict[str, str] = {
        check["name"]: check["detail"] for check in json.loads(out)["checks"]
    }
    return details["partitions"]
