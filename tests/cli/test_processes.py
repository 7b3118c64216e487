"""Every group of commands in a process of its own, started as an operator does: with the imports
that it makes itself.

The other tests fork their commands from a process that has imported everything.
"""

import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import typer

from cli.app import app
from tests.support.customer import Credential
from tests.support.processes import plain_environment, svc
from tests.support.service import Machines, Service, a_service
from tests.support.waiting import eventually

ORG = "an organization"
"""Stands for its id."""

OF_THE_SANDBOX = ("--org", ORG, "--env", "test")

COMMANDS = {
    "account": ("list", "--org", ORG),
    "amazon": ("setup", "--print"),
    "clock": ("--org", ORG),
    "contacts": ("ninth-digit", "--org", ORG, "--off"),
    "doctor": (),
    "email-sender": ("list", *OF_THE_SANDBOX),
    "encryption": ("renew",),
    "instagram": ("list", *OF_THE_SANDBOX),
    "key": ("list", "--org", ORG),
    "limits": ("set", *OF_THE_SANDBOX, "--sms-per-second", "7"),
    "migrate": (),
    "number": ("create", *OF_THE_SANDBOX, "--phone", "+5511987654321"),
    "org": ("create", "Padaria"),
    "partitions": ("status",),
    "prices": ("show", "--org", ORG),
    "push-app": ("list", *OF_THE_SANDBOX),
    "quiet-hours": ("clear", *OF_THE_SANDBOX),
    "sandbox": ("reset", "--org", ORG),
    "seed": (*OF_THE_SANDBOX, "--contacts", "2"),
    "settings": (),
    "smpp-account": ("list", "--org", ORG),
    "suppressions": ("list", *OF_THE_SANDBOX),
    "wallet": ("show", *OF_THE_SANDBOX),
    "webhooks": ("list", *OF_THE_SANDBOX),
}
BY_THEMSELVES = {
    "api", "backup", "cell", "demo", "dev", "gateway-example", "listen", "messages", "restore", "smpp",
    "smpp-link", "worker",
}  # fmt: skip
"""Their own tests start them so."""


@pytest.fixture(scope="module")
async def shared(
    machines: Machines, template: Credential, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Service]:
    """One database for all of them."""
    async with a_service(machines, template, tmp_path_factory.mktemp("shared")) as service:
        yield service


def test_each_of_them_is_started_here_or_by_its_own_tests() -> None:
    names = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]

    assert names == COMMANDS.keys() | BY_THEMSELVES


@pytest.mark.parametrize("name", COMMANDS)
async def test_it_answers_with_one_object(shared: Service, name: str) -> None:
    words = [shared._known.organization_id if word is ORG else word for word in COMMANDS[name]]

    status, out, err = await svc(
        [name, *words, "--json"], environment=shared.environment, fresh=True
    )

    assert "Traceback" not in err
    assert out.count("\n") == 1
    answer = json.loads(out)
    assert isinstance(answer, dict)
    assert status == (0 if answer.get("ok", True) else 1), "doctor may miss a worker, and says so"


@pytest.mark.parametrize(
    "words", [("--help",), ("key", "list"), ("no-such-command",), ("doctor", "--json")], ids=str
)
async def test_a_forked_command_ends_and_says_the_same_as_a_fresh_one(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    environment = plain_environment() | {"SVC_DATA_DIR": str(tmp_path), "SVC_BILLING": "perhaps"}

    assert await svc(words, environment=environment) == await svc(
        words, environment=environment, fresh=True
    )


async def test_a_forked_process_ends_by_the_signal_that_it_is_sent_and_none_is_left(
    shared: Service,
) -> None:
    worker = await shared.worker()
    everything = worker.all_of_it

    await worker.kill()

    assert await worker.ended() == 128 + signal.SIGKILL
    assert everything
    await eventually(
        lambda: not any(map(psutil.Process.is_running, everything)), "no process is left"
    )
