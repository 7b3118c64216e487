"""SIGTERM: nothing new is taken, what is open is finished, exit status 0. A second one: the end, at
once.
"""

import asyncio
import json
import signal
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import asyncpg
import psutil
import pytest

from core.foundation.settings import Settings
from tests.support.books import check_deliveries, check_messages, everything_is_settled
from tests.support.customer import Credential, Customer
from tests.support.held_up import A_WALLET, locked, refuses, waiting_for_locks
from tests.support.processes import ROOT, SVC, Process, free_port, plain_environment
from tests.support.receiver import Receiver
from tests.support.service import Service
from tests.support.waiting import PATIENCE, eventually

DRAIN_SECONDS: int = Settings.model_fields["drain_seconds"].default


async def up(service: Service, *, processes: int = 1, **settings: str) -> tuple[Process, Customer]:
    """An API of so many processes, and a customer of it."""
    api = await service.api(processes=processes, settings=settings)
    return api, Customer(service.http, api.url, credential=service._known)


@pytest.mark.parametrize(
    ("processes", "stop"), [(1, signal.SIGTERM), (1, signal.SIGINT), (2, signal.SIGTERM)]
)
async def test_an_api_told_to_stop_takes_no_more_and_answers_what_it_has_begun(
    service: Service, processes: int, stop: signal.Signals
) -> None:
    api, customer = await up(service, processes=processes)
    books = await service.books()

    async with locked(await service.books()):
        sending = asyncio.create_task(customer.send("0005", idempotency_key="k"))
        await eventually(lambda: waiting_for_locks(books), "the send waits for its wallet")
        api.send(stop)
        await eventually(lambda: refuses(customer.urls[0]), "nobody takes new connections")
        assert not sending.done()

    assert (await sending).status == 201
    assert await api.ended() == 0
    assert len(api.logged("api_stopped")) == processes


async def test_an_idle_api_told_to_stop_ends_at_once(service: Service) -> None:
    api, _ = await up(service)

    status, seconds = await api.terminate()

    assert status == 0
    assert seconds < DRAIN_SECONDS, "it waits for nobody"


@pytest.mark.parametrize("processes", [1, 2])
async def test_told_twice_an_api_ends_at_once_and_the_repeat_of_what_was_cut_off_is_one_message(
    service: Service, processes: int
) -> None:
    api, customer = await up(service, processes=processes)
    books = await service.books()

    async with locked(await service.books()):
        sending = asyncio.create_task(customer.send("0005", idempotency_key="k"))
        await eventually(lambda: waiting_for_locks(books), "the send waits for its wallet")
        left_over = api.all_of_it
        api.send(signal.SIGTERM)
        await eventually(lambda: refuses(customer.urls[0]), "it has heard the first")
        api.send(signal.SIGTERM)
        assert await api.ended() == 1
        with pytest.raises(aiohttp.ClientError):
            await sending
    await eventually(
        lambda: not any(map(psutil.Process.is_running, left_over)), "no process is left"
    )

    _, customer = await up(service)
    answer = await customer.send("0005", idempotency_key="k")
    assert answer.status == 201
    await service.worker()
    await everything_is_settled(books)
    await check_messages(books, {"k": answer.body})


async def test_with_a_notice_the_port_stays_open_and_readyz_sends_the_balancer_away(
    service: Service,
) -> None:
    api, customer = await up(service, SVC_DRAIN_NOTICE_SECONDS="100")
    assert (await customer.call("GET", "/readyz")).status == 200

    api.send(signal.SIGTERM)
    await eventually(lambda: api.logged("api_stopping"), "it has heard it")

    refused = await customer.call("GET", "/readyz")
    assert (refused.status, refused.body["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert (await customer.call("GET", "/healthz")).status == 200
    assert (await customer.send("0005", idempotency_key="k")).status == 201
    api.send(signal.SIGTERM)
    assert await api.ended() == 1


async def test_after_the_notice_an_api_of_several_processes_stops_in_order(
    service: Service,
) -> None:
    api, _ = await up(service, processes=2, SVC_DRAIN_NOTICE_SECONDS="0.5")

    status, seconds = await api.terminate()

    assert status == 0
    assert seconds < DRAIN_SECONDS, "it waits for nobody"


async def test_open_requests_get_the_seconds_that_are_set_and_no_more(service: Service) -> None:
    api, customer = await up(service, SVC_DRAIN_SECONDS="1")
    books = await service.books()

    async with locked(await service.books()):
        sending = asyncio.create_task(customer.send("0005", idempotency_key="k"))
        await eventually(lambda: waiting_for_locks(books), "the send waits for its wallet")
        api.send(signal.SIGTERM)
        assert await api.ended() == 0

    cut_off = await sending
    assert (cut_off.status, cut_off.body["code"], cut_off.headers["Retry-After"]) == (
        503,
        "SERVICE_UNAVAILABLE",
        "1",
    )
    assert not api.logged("unexpected")


async def test_processes_whose_parent_is_killed_end_too_and_the_port_is_free(
    service: Service,
) -> None:
    port = free_port()
    command = [*SVC, "api", "--port", str(port), "--workers", "2"]
    environment = {**service.environment, "PYTHONPATH": str(ROOT)}
    parent = await asyncio.create_subprocess_exec(
        *command, env=environment, stderr=asyncio.subprocess.DEVNULL, start_new_session=True
    )
    children: list[psutil.Process] = []
    try:

        async def serves() -> bool:
            try:
                async with service.http.get(f"http://127.0.0.1:{port}/readyz") as answer:
                    return answer.status == 200
            except aiohttp.ClientError:
                return False

        await eventually(serves, "it serves")
        children = psutil.Process(parent.pid).children(recursive=True)
        parent.kill()
        await parent.wait()
        await eventually(lambda: refuses(f"http://127.0.0.1:{port}"), "nobody holds the port")
        await eventually(
            lambda: not any(map(psutil.Process.is_running, children)), "no process is left"
        )
    finally:
        for process in children:
            if process.is_running():
                process.kill()


async def test_an_address_that_is_taken_is_a_failed_start_of_several_processes_too(
    service: Service,
) -> None:
    api, _ = await up(service)

    second = await asyncio.to_thread(
        subprocess.run,
        [*SVC, "api", "--port", str(api.port), "--workers", "2"],  # type: ignore[attr-defined]
        env={**service.environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert second.returncode == 1
    assert "ddress already in use" in second.stderr


# The worker


async def test_a_worker_told_twice_ends_at_once_and_the_next_one_does_its_work(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up(short_lease=True)
    (worker,), customer = running.workers, running.customer
    await customer.subscribe(receiver)

    receiver.hold()
    sent = await customer.send("0005", idempotency_key="k")
    await eventually(lambda: receiver.waiting, "a post is under way")
    worker.send(signal.SIGTERM)
    await eventually(lambda: worker.logged("worker_stopping"), "it has heard the first")
    worker.send(signal.SIGTERM)
    assert await worker.ended() == 1
    receiver.release()

    await service.worker(short_lease=True)
    books = await service.books()
    await everything_is_settled(books)
    await check_messages(books, {"k": sent.body})
    await check_deliveries(books, receiver)


async def test_a_worker_interrupted_ends_with_status_0(service: Service) -> None:
    worker = await service.worker()
    worker.send(signal.SIGINT)

    assert await worker.ended() == 0
    assert worker.logged("worker_stopped")


# svc dev


class Dev(Process):
    """`svc dev` on a folder of its own."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """What it tells other commands."""
        read: dict[str, str] = json.loads((self.folder / "running.json").read_text())
        return read


@pytest.fixture
async def dev(tmp_path: Path) -> AsyncIterator[Dev]:
    folder = tmp_path / "data"
    environment = plain_environment() | {"SVC_DATA_DIR": str(folder)}
    dev = Dev(
        "dev", ["dev", "--port", "0"], environment=environment, log=tmp_path / "dev.log", fresh=True
    )
    dev.folder = folder
    try:

        def ready() -> bool:
            assert dev.running, dev.lines
            return "ready http://" in dev.lines

        await eventually(ready, lambda: f"svc dev is ready\n{dev.lines}")
        yield dev
    finally:
        await dev.kill()


async def test_dev_told_to_stop_ends_everything_in_order(dev: Dev) -> None:
    everything = dev.all_of_it
    assert len(everything) > 4, (
        "itself, the API, the worker, PostgreSQL and Redis, each behind its guard"
    )

    dev.send(signal.SIGINT)

    assert await dev.ended() == 0
    assert dev.logged("api_stopped")
    assert dev.logged("worker_stopped")
    await eventually(
        lambda: not any(map(psutil.Process.is_running, everything)), "no process is left"
    )
    assert not (dev.folder / "running.json").exists()


async def test_dev_told_twice_ends_at_once_and_leaves_no_process(dev: Dev) -> None:
    everything = dev.all_of_it
    demo = json.loads((dev.folder / "demo.json").read_text())
    key = next(value for value in _texts(demo) if value.startswith("svc_test_"))
    lock, books = [await asyncpg.connect(dev.environment["DATABASE_URL"]) for _ in range(2)]
    await lock.execute(f"BEGIN; {A_WALLET}")
    async with aiohttp.ClientSession() as http:
        customer = Customer(
            http, dev.environment["SVC_DEV_URL"], credential=Credential("", key, "")
        )
        sending = asyncio.create_task(customer.send("0005", idempotency_key="k"))
        await eventually(
            lambda: waiting_for_locks(books, activity="pg_stat_activity"),
            "the send waits for its wallet",
        )
        dev.send(signal.SIGTERM)
        await eventually(lambda: dev.logged("api_stopping"), "the API has heard it")

        dev.send(signal.SIGTERM)

        assert await dev.ended() == 1
        await eventually(
            lambda: not any(map(psutil.Process.is_running, everything)), "no process is left"
        )
        await asyncio.wait({sending})
        assert sending.exception() or sending.result().status == 503
    lock.terminate()
    books.terminate()


def _texts(value: object) -> list[str]:
    """All texts in a piece of JSON."""
    if isinstance(value, dict):
        return [text for part in value.values() for text in _texts(part)]
    return [value] if isinstance(value, str) else []
