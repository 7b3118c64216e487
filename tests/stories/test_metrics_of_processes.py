"""One scrape tells what all processes of a port have done, also those that were killed; a worker
shows its own.
"""

import asyncio
from collections import Counter
from functools import partial

import aiohttp
import psutil

from tests.support.books import everything_is_settled
from tests.support.customer import Customer
from tests.support.processes import Process, free_port
from tests.support.receiver import Receiver
from tests.support.scrape import scraped, those_that_serve
from tests.support.service import Service
from tests.support.waiting import eventually

SENDS = 40
THREE_EACH = (
    ("svc_webhook_attempts_total", "delivered"),
    ("svc_webhook_delivery_latency_seconds_count",),
    ("svc_receipts_total", "sms", "test", "delivered"),
    ("svc_worker_rows_total", "apply_sandbox_reports"),
    ("svc_worker_rows_total", "deliver_webhooks"),
)
ROUTE = "/v2/sms/messages"


def replaced(api: Process, pid: int) -> bool:
    """Whether this process is gone and two others serve."""
    serving = {line["pid"] for line in api.logged("api_started") if psutil.pid_exists(line["pid"])}
    return len(serving - {pid}) == 2


def routes_of(api: Process) -> Counter[str]:
    """How many lines the log has for each route."""
    return Counter(line["route"] for line in api.logged("request"))


async def test_any_process_tells_what_all_of_them_counted_also_after_one_was_killed(
    service: Service,
) -> None:
    api = await service.api(processes=2)
    sent = ("svc_http_requests_total", "POST", ROUTE, "201")

    async def send(number: int) -> None:
        """Over a connection of its own, so that both processes have some."""
        async with aiohttp.ClientSession() as http:
            customer = Customer(http, api.url, credential=service._known)
            assert (await customer.send("0005", idempotency_key=f"k-{number}")).status == 201

    await asyncio.gather(*(send(number) for number in range(SENDS)))
    await eventually(lambda: routes_of(api)[ROUTE] == SENDS, "each of them has a line in the log")
    for page in [await scraped(api.url) for _ in range(8)]:
        assert page[sent] == page["svc_sends_total", "sms", "test", "sent"] == SENDS
        assert page["svc_http_request_seconds_count", "POST", ROUTE] == SENDS
        assert page["svc_processes",] == 2

    victim = those_that_serve(api)[0]
    victim.kill()
    await eventually(partial(replaced, api, victim.pid), "another takes its place")
    await send(SENDS)

    page = await scraped(api.url)
    assert page[sent] == SENDS + 1
    assert page["svc_processes",] == 2


async def test_a_worker_shows_its_work_at_a_port_of_its_own(
    service: Service, receiver: Receiver
) -> None:
    port = free_port()
    api, worker = await asyncio.gather(
        service.api(), service.worker(settings={"SVC_WORKER_METRICS_PORT": str(port)})
    )
    customer = Customer(service.http, api.url, credential=service._known)
    await customer.subscribe(receiver)
    for number in range(3):
        await customer.send("0005", idempotency_key=f"k-{number}")
    await everything_is_settled(await service.books())

    page: dict[tuple[str, ...], float] = {}

    async def all_is_counted() -> bool:
        """It counts when all is written."""
        page.update(await scraped(f"http://127.0.0.1:{port}"))
        return all(page.get(series) == 3 for series in THREE_EACH)

    await eventually(all_is_counted, lambda: f"three of each are counted: {page}")
    assert page["svc_database_up",] == page["svc_redis_up",] == page["svc_processes",] == 1
    assert {job for line in worker.logged("worked") if (job := line["job"])} == {
        "apply_sandbox_reports",
        "assign_feed_positions",
        "deliver_webhooks",
    }

    statuses = {}
    for method, path in (
        ("GET", "/healthz"),
        ("HEAD", "/metrics"),
        ("POST", "/metrics"),
        ("GET", "/anything"),
    ):
        async with service.http.request(method, f"http://127.0.0.1:{port}{path}") as answer:
            statuses[f"{method} {path}"] = answer.status
    assert statuses == {
        "GET /healthz": 200,
        "HEAD /metrics": 200,
        "POST /metrics": 405,
        "GET /anything": 404,
    }


async def test_the_token_guards_the_worker_too_and_a_taken_port_is_a_failed_start(
    service: Service,
) -> None:
    port = free_port()
    settings = {
        "SVC_WORKER_METRICS_PORT": str(port),
        "SVC_METRICS_TOKEN": "a token of the operator",
    }
    await service.worker(settings=settings)

    statuses = []
    for headers in (
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Bearer a token of the operator"},
    ):
        async with service.http.get(f"http://127.0.0.1:{port}/metrics", headers=headers) as answer:
            statuses.append(answer.status)
    assert statuses == [401, 401, 200]

    second = Process(
        "second",
        ["worker"],
        environment={**service.environment, **settings},
        log=service._log("second"),
    )
    assert await second.ended() == 1
    assert "address already in use" in second.lines.splitlines()[-1]


async def test_a_worker_without_a_port_listens_nowhere(service: Service) -> None:
    worker = await service.worker()

    assert not [
        connection
        for process in worker.all_of_it
        for connection in process.net_connections()
        if connection.status == psutil.CONN_LISTEN
    ]
