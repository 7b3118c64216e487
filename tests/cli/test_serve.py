"""What `svc api` and `svc worker` do before they open anything."""

import asyncio
import json
from asyncio.subprocess import DEVNULL, PIPE

import pytest

from tests.support.processes import ROOT, SVC, free_port
from tests.support.service import Service

FEW = 512


@pytest.mark.parametrize("command", ["api", "worker"])
async def test_a_process_takes_the_open_files_that_it_may_have(service: Service, command: str) -> None:
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
