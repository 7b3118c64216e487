"""The least that delivering webhooks can cost: signed bodies from memory, posted by the same
client, nothing stored.

`python -m bench.floors.poster PORT NUMBER CONCURRENCY` prints the seconds it took and the CPU
seconds as JSON.
"""

import asyncio
import gc
import hmac
import json
import sys
import time
from collections.abc import Iterator

import aiohttp
import orjson
import uvloop

SECRET = b"whsec_the-secret-of-the-floor"
RECEIPT = {
    "type": "api_message",
    "status": "DELIVRD",
    "statusDescription": "Delivered to the handset",
    "bill_factor": 1,
    "channel": "SMS",
}


def main() -> None:
    """Post and report."""
    port, number, concurrency = map(int, sys.argv[1:])
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
    seconds, cpu = uvloop.run(_post_all(f"http://127.0.0.1:{port}/hooks", number, concurrency))
    print(json.dumps({"seconds": seconds, "cpu_seconds": cpu}))


async def _post_all(url: str, number: int, concurrency: int) -> tuple[float, float]:
    numbers = iter(range(number))
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar()
    ) as session:
        started, cpu = time.perf_counter(), time.process_time()
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(_post_each(session, url, numbers))
        return time.perf_counter() - started, time.process_time() - cpu


async def _post_each(session: aiohttp.ClientSession, url: str, numbers: Iterator[int]) -> None:
    for number in numbers:
        body = _body(number)
        at = int(time.time())
        signature = hmac.digest(SECRET, b"%d.%b" % (at, body), "sha256").hex()
        headers = {
            "Content-Type": "application/json",
            "X-SVC-Signature": f"t={at},v1={signature}",
            "X-SVC-Event": "sms.delivered",
        }
        async with session.post(url, data=body, headers=headers, allow_redirects=False) as response:
            await response.read()


def _body(number: int) -> bytes:
    id = f"msg_{number:021d}"
    return orjson.dumps(
        {
            "id": f"evt_{number:021d}",
            "type": "sms.delivered",
            "timestamp": "2026-11-01T12:00:00.000Z",
            "env": "test",
            "organizationId": "org_000000000000000000000",
            "apiVersion": "2026-11-01",
            "data": {
                "id": id,
                "to": "+5511*****4321",
                "route": "premium",
                "status": "delivered",
                "segments": 1,
                "sentAt": "2026-11-01T12:00:00.000Z",
                "deliveredAt": "2026-11-01T12:00:03.000Z",
                "providerReceipt": {
                    **RECEIPT,
                    "id": f"sbx_{number:021d}",
                    "reference": id,
                    "to": "+5511*****4321",
                },
                "env": "test",
                "metadata": {"order": f"A-{number}", "attempt": 1},
            },
        }
    )


if __name__ == "__main__":
    main()
