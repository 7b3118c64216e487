"""The live way on one machine: `svc gateway-example`, the service, a live key, a delivered message and its reply."""

import asyncio
from pathlib import Path

from tests.support.customer import Credential, Customer
from tests.support.live_service import live_credential
from tests.support.processes import Process, free_port, listening
from tests.support.service import Service
from tests.support.waiting import eventually

__all__ = ["live_credential"]

SECRET = "a-secret-of-this-machine"


async def test_a_live_message_leaves_is_delivered_and_answered(
    live_credential: Credential, service: Service, tmp_path: Path
) -> None:
    gateway, port = free_port(), free_port()
    settings = {
        "SVC_GATEWAY_URL": f"http://127.0.0.1:{gateway}",
        "SVC_GATEWAY_SECRET": SECRET,
    }
    example = Process(
        "gateway-example",
        [
            "gateway-example", "--json", "--port", str(gateway), "--delay", "0.1",
            "--service", f"http://127.0.0.1:{port}",
        ],
        environment={**service.environment, **settings},
        log=tmp_path / "gateway-example.log",
        fresh=True,
    )  # fmt: skip
    service._processes.append(example)
    await asyncio.gather(
        listening(gateway, example),
        service.api(port=port, settings=settings),
        service.worker(settings=settings),
    )
    customer = Customer(service.http, f"http://127.0.0.1:{port}", credential=live_credential)

    sent = await customer.send("0020", idempotency_key="k")

    assert (sent.status, sent.body["status"], sent.body["provider"]) == (201, "sent", "gateway")
    books = await service.books()

    async def told() -> bool:
        rows = await books.fetch(
            "SELECT direction, status, content ->> 'text' AS text FROM messages"
        )
        return {tuple(row) for row in rows} == {
            ("outbound", "delivered", None),
            ("inbound", "delivered", "SIM"),
        }

    await eventually(told, lambda: f"it is delivered and answered\n{example.lines}")
    assert '"what": "message"' in example.lines
    status, _ = await example.terminate()
    assert status == 0
