"""`svc demo` against a running `svc dev`: a customer's first day, shown and told as JSON."""

import asyncio
import json
import re
import stat
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from smpp_api.wire.commands import CommandStatus
from tests.smpp_api.client import Client
from tests.support.dev import Dev, running_dev
from tests.support.processes import plain_environment, svc
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
async def dev(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Dev]:
    """`svc dev` for the tests of this file."""
    async with running_dev(tmp_path_factory.mktemp("dev"), "--smpp-port", "0") as dev:
        yield dev


async def demo(dev: Dev) -> tuple[int, str, str]:
    return await svc(["demo"], environment=dev.environment)


async def subscriptions(dev: Dev) -> list[dict[str, Any]]:
    async with (
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {dev.key}"}) as http,
        http.get(f"{dev.url}/webhooks") as answer,
    ):
        items: list[dict[str, Any]] = (await answer.json())["items"]
        return items


async def test_clients_of_smpp_are_let_in_beside_the_api(dev: Dev) -> None:
    words = ("create", "client", "--org", dev.organization_id, "--env", "test", "--json")
    status, out, err = await svc(["smpp-account", *words], environment=dev.environment)
    assert status == 0, err
    port = int(re.findall(r"smpp 127\.0\.0\.1:(\d+)", dev.process.lines)[-1])

    async def bound() -> bool:
        try:
            client = await Client.connected(port)
        except OSError:
            return False
        found = await client.bind(json.loads(out))
        client.cut()
        return found is CommandStatus.ESME_ROK

    await eventually(bound, lambda: f"it binds\n{dev.process.lines}")


def test_the_variables_of_the_examples_lie_where_a_shell_reads_them(dev: Dev) -> None:
    file = Path(dev.environment["SVC_DATA_DIR"]) / "demo.env"
    told = subprocess.run(
        ["sh", "-c", '. "$1" && env', "sh", str(file)],
        env={},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    port = re.findall(r"smpp 127\.0\.0\.1:(\d+)", dev.process.lines)[-1]
    assert {f"URL={dev.url}", f"KEY={dev.key}", f"SMPP_PORT={port}"} <= set(told.splitlines())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


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
    assert fates == [
        (201, "sms.delivered"),
        (201, "sms.undelivered"),
        (201, "sms.failed"),
        (503, None),
    ]
    for message in told["messages"][:3]:
        assert message["webhook"]["signatureVerified"] is True
        assert message["webhook"]["event"]["data"]["id"] == message["answer"]["id"]
        assert message["webhook"]["event"]["data"]["metadata"] == message["request"]["metadata"]
    assert told["repeated"]["replayed"] is True
    assert told["repeated"]["id"] == told["messages"][0]["answer"]["id"]
    assert [item["status"] for item in told["list"]["items"]] == [
        "failed",
        "failed",
        "undelivered",
        "delivered",
    ]
    asked = told["graphql"]
    assert [node["id"] for node in asked["messages"]["nodes"]] == [
        item["id"] for item in told["list"]["items"]
    ]
    assert asked["me"]["wallet"]["disponivelCoins"] > 0
    assert told["removed"] is True
    assert "whsec_" not in out


async def test_the_demo_leaves_no_subscription_behind_and_runs_twice(dev: Dev) -> None:
    first, second = await demo(dev), await demo(dev)

    assert (first[0], second[0]) == (0, 0)
    assert await subscriptions(dev) == []


async def test_each_step_is_shown_to_a_person(dev: Dev) -> None:
    status, out, err = await demo(dev)

    assert status == 0, err
    for shown in (
        "POST /webhooks",
        "POST /v2/sms/messages",
        "sms.undelivered",
        "signature verified",
        "POST /graphql",
        "DELETE",
    ):
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
