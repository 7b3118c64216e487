"""`svc smpp-link` as operators of the service start it, killed amid a message: nothing leaves twice."""

import asyncio
from pathlib import Path

import pytest

from core.providers.contracts import Accepted, MessageFound, Unknown
from core.providers.gateway import Gateway, open_session
from tests.fakes.smsc import an_smsc, holds
from tests.smpp_api.link.conftest import SECRET, outgoing
from tests.support.processes import Process, free_port, listening
from tests.support.scrape import scraped
from tests.support.service import Service
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow


async def test_a_link_that_is_killed_sends_no_id_again(service: Service, tmp_path: Path) -> None:
    port, metrics_port = free_port(), free_port()
    url = f"http://127.0.0.1:{port}"
    file = tmp_path / "operators.toml"

    async def a_link() -> Process:
        process = Process(
            f"link-{len(service._processes)}",
            ["smpp-link", str(file), "--port", str(port), "--metrics-port", str(metrics_port)],
            environment=service.environment
            | {"SVC_GATEWAY_URL": url, "SVC_GATEWAY_SECRET": SECRET},
            log=service._log(f"link-{len(service._processes)}"),
        )
        service._processes.append(process)
        await listening(port, process)
        await eventually(
            lambda: process.logged("smpp_link_bound"), lambda: f"it is bound\n{process.lines}"
        )
        return process

    async with an_smsc() as smsc, open_session() as session:
        file.write_text(
            f'[[link]]\nname = "operator"\nhost = "127.0.0.1"\nport = {smsc.port}\ntls = false\n'
            'system_id = "svc"\npassword = "secret"\n'
        )
        gateway = Gateway(url, SECRET, session)
        taken, amid = outgoing(), outgoing()
        link = await a_link()
        assert await gateway.send(taken) == Accepted("1")
        assert (await scraped(f"http://127.0.0.1:{metrics_port}"))[
            "svc_smpp_link_binds", "operator"
        ] == 1

        smsc.will(holds(asyncio.Event()))
        sending = asyncio.create_task(gateway.send(amid))
        await eventually(lambda: smsc.seen == 2, "it has left")
        await link.kill()
        assert await sending == Unknown()

        link = await a_link()
        assert [await gateway.send(one) for one in (taken, amid)] == [Accepted("1"), Unknown()]
        assert await gateway.look_up(taken.id) == MessageFound("1", "sent", None, None)
        assert smsc.seen == 2
        await link.terminate()
