"""Handing an SMS to Amazon, against the least that could be done: a bare loop of aiobotocore."""

import asyncio
import os
import resource
import statistics
import time
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from aiobotocore.config import AioConfig  # type: ignore[import-untyped]
from aiobotocore.session import get_session  # type: ignore[import-untyped]

from bench.kit.house import House
from bench.kit.report import Goal, Report, Row
from core.foundation.ids import new_id
from core.foundation.security import rate_limit
from core.providers.amazon.calls import EUM_API, AwsApi
from core.providers.amazon.eum import Eum
from core.providers.amazon.signer import Keys
from core.providers.contracts import Accepted, Outgoing
from core.providers.gateway import open_session

CONCURRENCY = 16
TURNS = 4
REGION = "sa-east-1"
KEY, SECRET = "of-the-bench", "of-the-bench"

Send = Callable[[], Awaitable[None]]


class OurKeys:
    """Credentials that are there."""

    async def keys(self) -> Keys:
        """Always the same."""
        return Keys(KEY, SECRET)


async def measure(house: House) -> Report:
    """Floor and provider in turn, 16 calls under way."""
    rate_limit.use_buckets(rate_limit.LocalBuckets())
    with house.application("bench.floors.aws:create_app") as server:
        server.wait_until_ready()
        url = f"http://127.0.0.1:{server.port}"
        house.environment["AWS_ENDPOINT_URL"] = url
        os.environ["AWS_ENDPOINT_URL"] = url
        config = AioConfig(
            retries={"total_max_attempts": 1, "mode": "standard"}, max_pool_connections=CONCURRENCY
        )
        session = get_session()
        async with (
            session.create_client(
                "pinpoint-sms-voice-v2",
                region_name=REGION,
                endpoint_url=url,
                aws_access_key_id=KEY,
                aws_secret_access_key=SECRET,
                config=config,
            ) as client,
            open_session() as http,
        ):
            provider = Eum(
                AwsApi(EUM_API, REGION, OurKeys(), http),
                origins={"premium": "pool-1"},
                configuration_set="svc",
                parts_per_second=1_000_000,
            )
            variants: dict[str, Send] = {
                "aiobotocore alone": _floor(client, provider),
                "cloud-eum": _ours(provider),
            }
            rates: dict[str, list[tuple[float, float]]] = {name: [] for name in variants}
            turns = house.effort.rounds * TURNS
            for turn in range(turns + 1):
                house.say(f"turn {turn} of {turns}" if turn else "warming up")
                for name, send in variants.items():
                    found = await _rate(send, house.effort.seconds / TURNS if turn else 0.7)
                    if turn:
                        rates[name].append(found)
    return _report(rates)


def _outgoing() -> Outgoing:
    return Outgoing(
        new_id("msg"), "sms", "+5511987650005", "Chegamos!", None, "premium", None, "org_1"
    )


def _floor(client: Any, provider: Eum) -> Send:
    async def send() -> None:
        answer = await client.send_text_message(**provider.request_for(_outgoing()))
        assert answer["MessageId"]

    return send


def _ours(provider: Eum) -> Send:
    async def send() -> None:
        answer = await provider.send(_outgoing())
        assert isinstance(answer, Accepted), answer

    return send


async def _rate(send: Send, seconds: float) -> tuple[float, float]:
    """Calls per second, and the CPU of this process for one in microseconds."""
    done, end = count(), time.perf_counter() + seconds
    started, cpu = time.perf_counter(), _cpu()

    async def work() -> None:
        while time.perf_counter() < end:
            await send()
            next(done)

    await asyncio.gather(*(work() for _ in range(CONCURRENCY)))
    calls = next(done)
    return calls / (time.perf_counter() - started), (_cpu() - cpu) / calls * 1e6


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _report(found: dict[str, list[tuple[float, float]]]) -> Report:
    rates = {name: statistics.median(rate for rate, _ in each) for name, each in found.items()}
    costs = {name: statistics.median(cpu for _, cpu in each) for name, each in found.items()}
    return Report(
        "amazon_send",
        rows=[
            Row(name, {"sends per second": rates[name], "CPU µs per send": costs[name]})
            for name in found
        ],
        goals=[
            Goal(
                "rate against aiobotocore alone",
                rates["cloud-eum"] / rates["aiobotocore alone"],
                "at least",
                0.8,
            )
        ],
        notes=[f"{CONCURRENCY} calls under way, to a server on loopback that takes everything"],
    )
