"""A push to 200,000 devices: building its queue, against the bare INSERT … SELECT, and one worker
draining it.
"""

import asyncio
import statistics
import time
from typing import Any

import orjson
import psutil

from bench.kit.house import House
from bench.kit.http import request_bytes
from bench.kit.load import load
from bench.kit.organizations import some_customers
from bench.kit.program import Program
from bench.kit.report import Goal, Report, Row
from core.foundation.database import db

DEVICES = 200_000
PATIENCE_SECONDS = 300.0
MEGABYTE = 1024 * 1024

FILL = """
INSERT INTO push_devices
    (organization_id, env, id, app_id, token, token_hash, platform, topics, opted_in, created_at, updated_at)
SELECT $1, 'test', 'dev_' || lpad(md5(n::text), 21), 'loja', 'token-' || n, sha256(('token-' || n)::bytea),
       (ARRAY['ios', 'android', 'web'])[n % 3 + 1], '{}', true, now(), now()
FROM generate_series(1, $2::int) AS n
"""

FLOOR = """
INSERT INTO push_deliveries (organization_id, env, dispatch_id, device_id, platform)
SELECT organization_id, env, 'psh_000000000000000000000', id, platform FROM push_devices
WHERE organization_id = $1 AND env = 'test' AND opted_in AND deactivated_at IS NULL
"""

BODY = {
    "title": "Oi",
    "body": "Tudo bem?",
    "platforms": ["ios", "android", "web"],
    "segment": "all_opt_in",
}


async def measure(house: House) -> Report:
    """Rounds of the bare insert, of the operation, and of a worker that drains its queue, in turn."""
    floor: list[float] = []
    built: list[float] = []
    drained: list[float] = []
    grown: list[float] = []
    async with house.database():
        [customer] = await some_customers(1)
        house.say(f"registering {DEVICES:,} devices")
        await db.execute(FILL, customer.organization_id, DEVICES)
        await db.execute("VACUUM ANALYZE push_devices")
        headers = {"Authorization": f"Bearer {customer.key}", "Content-Type": "application/json"}
        with house.api() as api:
            api.wait_until_ready()
            for number in range(house.effort.rounds + 1):
                house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
                await _empty()
                started = time.perf_counter()
                await db.execute(FLOOR, customer.organization_id)
                floor.append(time.perf_counter() - started)
                await _empty()
                keyed = {**headers, "Idempotency-Key": f"round-{number}"}
                request = request_bytes("POST", "/v2/push/messages", keyed, orjson.dumps(BODY))
                before = _memory(api)
                answers = await load(api.port, [request], concurrency=1, status=201, keep=True)
                built.append(answers.latencies[0])
                dispatch = orjson.loads(answers.bodies[0])
                assert dispatch["metrics"]["reach"] == DEVICES
                seconds, megabytes = await _drain(house, dispatch["id"])
                drained.append(DEVICES / seconds)
                grown.append(max(megabytes, _memory(api) - before))
    ratio = statistics.median(ours / bare for bare, ours in zip(floor[1:], built[1:], strict=True))
    return Report(
        "push_queue",
        rows=[
            *(
                Row(
                    name,
                    {
                        "devices per second": DEVICES / statistics.median(times[1:]),
                        "ms": statistics.median(times[1:]) * 1000,
                    },
                )
                for name, times in (("INSERT … SELECT", floor), ("the operation", built))
            ),
            Row("one worker draining", {"devices per second": statistics.median(drained[1:])}),
        ],
        goals=[
            Goal("time against the bare INSERT … SELECT", ratio, "at most", 2.5),
            Goal(
                "devices per second of one worker",
                statistics.median(drained[1:]),
                "at least",
                5_000,
            ),
            Goal("growth of API and worker in MB", max(grown[1:]), "at most", 64),
        ],
        notes=[
            f"{DEVICES:,} devices of one organization in the sandbox, to all_opt_in, of three platforms",
            "the operation also checks denials, sets the price aside, and answers through HTTP",
        ],
    )


async def _drain(house: House, id: str) -> tuple[float, float]:
    """Seconds that a worker needs from taking the dispatch up to its end, and the megabytes that it
    grew meanwhile.
    """
    with house.worker() as worker:
        await worker.says("worker_started")
        least, most = _memory(worker), 0.0
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            await asyncio.sleep(0.1)
            most = max(most, _memory(worker))
            row: Any = await db.fetchrow("SELECT * FROM push_dispatches WHERE id = $1", id)
            if row["completed_at"] is not None:
                break
            assert time.monotonic() < deadline, "the worker does not come to an end"
        assert row["delivered_ios"] + row["delivered_android"] + row["delivered_web"] == DEVICES
        return (row["completed_at"] - row["started_at"]).total_seconds(), most - least


def _memory(program: Program) -> float:
    """Megabytes of a process and its children."""
    process = psutil.Process(program.pid)
    return (
        sum(one.memory_info().rss for one in (process, *process.children(recursive=True)))
        / MEGABYTE
    )


async def _empty() -> None:
    await db.execute("TRUNCATE push_deliveries, push_dispatches")
