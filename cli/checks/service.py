"""The service itself: is what it needs there, and does its work flow?"""

from datetime import timedelta
from typing import TYPE_CHECKING

from cli.checks.finding import Warned
from cli.failures import Failure

if TYPE_CHECKING:
    from core.foundation.settings import Settings

LATE_SECONDS, STUCK_SECONDS = 90, 600
"""Since when the oldest row of a queue may be due. A worker looks every few seconds, after files once a minute."""
LATELY = timedelta(hours=1)


async def encryption(_: "Settings") -> str:
    """Can what is stored encrypted be read with the keys that are given?"""
    from core import operation
    from core.foundation.keyring import keyring

    ring = keyring()
    found = await operation.sealed_with()
    lost = sum(count for key_id, count in found.items() if not ring.knows(key_id))
    if lost:
        raise Failure(
            f"{lost} stored values need a key that is not in SVC_ENCRYPTION_KEYS: add the old key behind the newest"
        )
    older = sum(count for key_id, count in found.items() if not ring.is_current(f"{key_id}."))
    if older:
        return f"the keys open what is stored; {older} values still need an older one until `svc encryption renew`"
    return "the newest key is used"


async def workers(settings: "Settings") -> str:
    """Is somebody working?"""
    import redis.asyncio as redis

    from workers.heartbeat import KEY

    async with redis.Redis.from_url(settings.redis_url) as client:
        alive = [name async for name in client.scan_iter(f"{KEY}*")]
    if not alive:
        raise Failure("none is running: messages get no reports and webhooks do not leave; start `svc worker`")
    return "1 is running" if len(alive) == 1 else f"{len(alive)} are running"


async def queues(_: "Settings") -> str:
    """Is what is due done in time?"""
    from core import operation
    from core.foundation.clock import now

    found = await operation.measure_queues(at=now())
    late = [queue for queue in found if queue.oldest_seconds >= LATE_SECONDS]
    if not late:
        return f"{sum(queue.due for queue in found)} rows are due, none of them late"
    told = ", ".join(f"{queue.queue}: {queue.due} due, the oldest for {queue.oldest_seconds:.0f} s" for queue in late)
    line = f"{told}: start more workers, or read their log for what fails"
    if max(queue.oldest_seconds for queue in late) >= STUCK_SECONDS:
        raise Failure(line)
    return Warned(line)


async def webhooks(settings: "Settings") -> str:
    """Do webhooks get out, and only to where they may?"""
    from core import operation
    from core.foundation.clock import now

    reach = await operation.webhook_reach(at=now(), within=LATELY)
    if reach.failed and not reach.reached:
        return Warned(
            f"none of {reach.failed} subscriptions was reached in the last hour: look whether this machine may call "
            "out (DNS, firewall), and at the receivers"
        )
    line = f"{reach.reached} subscriptions were reached in the last hour, {reach.failed} were not"
    private = ", ".join(map(str, settings.webhook_allow_networks))
    return f"{line}; private networks that they may reach: {private}" if private else line


async def gateway(settings: "Settings") -> str:
    """Does the provider of live messages answer?"""
    from core.providers import registry
    from core.providers.contracts import LookupFailed

    await registry.open_providers(settings)
    try:
        provider = registry.for_live("sms")
        if provider is None:
            return "none is set, so live sends answer 503 (SVC_GATEWAY_URL); the sandbox needs none"
        if isinstance(await provider.look_up("msg_doctor"), LookupFailed):
            raise Failure(
                "it gives no readable answer to a look-up: check SVC_GATEWAY_URL, SVC_GATEWAY_SECRET and the network"
            )
        return "it answers a signed look-up"
    finally:
        await registry.close_providers()
