"""What `svc api` and `svc worker` do before they open anything."""

import asyncio
import json
import socket
from asyncio.subprocess import DEVNULL, PIPE

import pytest
import typer
import uvicorn

from cli.serve import api
from tests.support.processes import ROOT, SVC, free_port, svc
from tests.support.service import Service

FEW = 512


@pytest.mark.parametrize("command", ["api", "worker"])
async def test_a_process_takes_the_open_files_that_it_may_have(
    service: Service, command: str
) -> None:
    words = ("--port", str(free_port())) if command == "api" else ()
    process = await asyncio.create_subprocess_exec(
        "sh", "-c", f'ulimit -Sn {FEW}; exec "$@"', "sh", *SVC, command, *words,
        cwd=ROOT, env=service.environment, stdout=DEVNULL, stderr=PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    told = []
    try:
        async for line in process.stderr:
            told.append(json.loads(line))
            if told[-1]["event"] == f"{command}_started":
                break
    finally:
        process.kill()
        await process.communicate()

    (limit,) = [line["limit"] for line in told if line["event"] == "open_files"]
    assert limit > FEW


@pytest.mark.parametrize(("given", "seconds"), [({}, 75), ({"SVC_KEEP_ALIVE_SECONDS": "7"}, 7)])
def test_a_connection_is_kept_for_longer_than_a_balancer_keeps_it(
    database: None, monkeypatch: pytest.MonkeyPatch, given: dict[str, str], seconds: int
) -> None:
    """A balancer that sends a request while the server closes gets a reset; they close after 60
    seconds at most.
    """
    seen: list[uvicorn.Config] = []

    def run(config: uvicorn.Config) -> int:
        seen.append(config)
        return 0

    monkeypatch.setattr("rest_api.server.run", run)
    monkeypatch.setattr("core.foundation.observability.logs.configure", lambda *_: None)
    monkeypatch.setattr("core.foundation.open_files.raise_open_files", lambda: None)
    monkeypatch.setattr("cli.serve.asyncio.run", lambda coroutine: coroutine.close())
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    with pytest.raises(typer.Exit):
        api(port=0)

    assert [config.timeout_keep_alive for config in seen] == [seconds]


async def test_an_api_whose_port_is_taken_says_so_in_one_line(service: Service) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        status, out, err = await svc(
            ["api", "--port", str(port), "--json"], environment=service.environment
        )

    assert (status, out) == (1, "")
    assert err == f"svc: cannot listen on 127.0.0.1:{port} (Address already in use)\n"


@pytest.mark.parametrize("words", [("api", "--port", "65536"), ("dev", "--port", "65536")])
async def test_a_port_that_there_is_not_is_wrong_usage(
    service: Service, words: tuple[str, ...]
) -> None:
    status, out, err = await svc(words, environment=service.environment)

    assert (status, out) == (2, "")
    assert "--port" in err
