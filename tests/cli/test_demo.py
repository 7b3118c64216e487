"""`svc demo` against a running `svc dev`: a customer's first day, shown and told as JSON."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.processes import Process, plain_environment, svc
from tests.support.waiting import eventually


@dataclass
class Dev:
    """A running `svc dev`."""

    process: Process
    url: str
    environment: dict[str, str]
    key: str

    async def demo(self) -> tuple[int, str, str]:
        return await svc(["demo"], environment=self.environment)

    async def subscriptions(self) -> list[dict[str, Any]]:
        async with (
            aiohttp.ClientSession(headers={"Authorization": f"Bearer {self.key}"}) as http,
            http.get(f"{self.url}/webhooks") as answer,
        ):
            items: list[dict[str, Any]] = (await answer.json())["items"]
            return items


@pytest.fixture(scope="module")
async def dev(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Dev]:
    """`svc dev` on a data folder and a port of its own."""
    folder = tmp_path_factory.mktemp("dev")
    environment = plain_environment() | {"SVC_DATA_DIR": str(folder / "data"), "SVC_SANDBOX_DELAY_SECONDS": "0.2"}
    process = Process("dev", ["dev", "--port", "0"], environment=environment, log=folder / "dev.log")
    try:

        def ready() -> bool:
            assert process.running, process.lines
            return "ready http://" in process.lines

        await eventually(ready, lambda: f"svc dev is ready\n{process.lines}", within=60)
        url = re.findall(r"ready (http://\S+)", process.lines)[-1]
        key = re.findall(r"test key +(\S+)", process.lines)[-1]
        yield Dev(process, url, environment, key)
    finally:
        await process.terminate()


async def test_the_demo_sends_each_ending_and_verifies_the_webhook_of_each(dev: Dev) -> None:
    status, out, err = await svc(["demo", "--json"], environment=dev.environment)

    assert status == 0, err
    assert out.count("\n") == 1
    told = json.loads(out)
    assert told["url"] == dev.url
    fates = [
        (message["status"], message["webhook"]["event"]["type"] if message["webhook"] else None)
        for message in told["messages"]
    ]
    assert fates == [(201, "sms.delivered"), (201, "sms.undelivered"), (201, "sms.failed"), (503, None)]
    for message in told["messages"][:3]:
        assert message["webhook"]["signatureVerified"] is True
        assert message["webhook"]["event"]["data"]["id"] == message["answer"]["id"]
        assert message["webhook"]["event"]["data"]["metadata"] == message["request"]["metadata"]
    assert told["repeated"]["replayed"] is True
    assert told["repeated"]["id"] == told["messages"][0]["answer"]["id"]
    assert [item["status"] for item in told["list"]["items"]] == ["failed", "failed", "undelivered", "delivered"]
    assert told["removed"] is True
    assert "whsec_" not in out


async def test_the_demo_leaves_no_subscription_behind_and_runs_twice(dev: Dev) -> None:
    first, second = await dev.demo(), await dev.demo()

    assert (first[0], second[0]) == (0, 0)
    assert await dev.subscriptions() == []


async def test_each_step_is_shown_to_a_person(dev: Dev) -> None:
    status, out, err = await dev.demo()

    assert status == 0, err
    for shown in ("POST /webhooks", "POST /v2/sms/messages", "sms.undelivered", "signature verified", "DELETE"):
        assert shown in err
    assert "3 signed webhooks received and verified" in out
    assert f"{dev.url}/docs" in out


async def test_where_nothing_runs_the_demo_says_what_to_start(tmp_path: Path) -> None:
    environment = plain_environment() | {"SVC_DATA_DIR": str(tmp_path)}
    status, out, err = await svc(["demo", "--json"], environment=environment)

    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "svc dev" in err


async def test_doctor_and_settings_join_the_running_dev(dev: Dev) -> None:
    doctor, settings = await asyncio.gather(
        svc(["doctor", "--json"], environment=dev.environment),
        svc(["settings", "--json"], environment=dev.environment),
    )

    assert doctor[0] == 0, doctor
    assert json.loads(doctor[1])["ok"] is True
    values = {entry["name"]: entry["value"] for entry in json.loads(settings[1])["settings"]}
    assert values["SVC_WEBHOOK_ALLOW_NETWORKS"] == "127.0.0.0/8"
    assert values["SVC_WEBHOOK_ALLOW_HTTP"] == "on"
