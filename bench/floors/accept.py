"""Sends without any entry point: `core.sms` called in its process, so many at once. Prints how many a second."""

import asyncio
import sys
import time
from typing import Any

import orjson
import uvloop

from core import organizations, sms
from core.foundation.database import db
from core.foundation.redis_address import open_redis
from core.foundation.security import rate_limit
from core.foundation.security.caller import KEY_SCOPES
from core.foundation.settings import current
from core.organizations import OtherCredential
from core.sms import NewSms

BODY = {"to": "+5511987650005", "body": "Seu pedido saiu para entrega hoje", "route": "premium"}


async def _main(organization_id: str, at_once: int, seconds: float) -> None:
    settings = current()
    await db.open_database(settings)
    redis = open_redis(settings.redis_url, seconds=0.5, answer_seconds=0.5)
    rate_limit.use_buckets(rate_limit.RedisBuckets(redis))
    credential = OtherCredential("smp_of_the_bench", organization_id, "test", KEY_SCOPES)
    caller = (await organizations.callers_of([credential]))[credential.id]
    sent = 0

    async def lane(until: float) -> None:
        nonlocal sent
        while time.perf_counter() < until:
            new = NewSms.model_validate({**BODY, "to": f"+55119876{sent % 10_000:04}5"})
            await sms.send_message(caller, new, idempotency_key=f"floor-{time.time_ns()}-{sent}")
            sent += 1

    async def rate(length: float) -> float:
        nonlocal sent
        sent, started = 0, time.perf_counter()
        await asyncio.gather(*(lane(started + length) for _ in range(at_once)))
        return sent / (time.perf_counter() - started)

    await rate(0.5)
    found: dict[str, Any] = {"event": "measured", "rate": await rate(seconds)}
    sys.stdout.write(orjson.dumps(found).decode() + "\n")
    sys.stdout.flush()
    await redis.aclose()
    await db.close_database()


if __name__ == "__main__":
    uvloop.run(_main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
