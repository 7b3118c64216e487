"""A running `svc dev`, as somebody has it in a terminal."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.processes import Process, plain_environment
from tests.support.waiting import eventually


@dataclass
class Dev:
    """`svc dev` on a data folder and a port of its own. Commands with its environment find it."""

    process: Process
    url: str
    environment: dict[str, str]
    organization_id: str
    key: str
    """Of the sandbox, with all scopes."""


@asynccontextmanager
async def running_dev(folder: Path, *options: str, **settings: str) -> AsyncIterator[Dev]:
    """Start it with more options and settings, wait until it is ready, and stop it at the end."""
    environment = plain_environment() | {
        "SVC_DATA_DIR": str(folder / "data"),
        "SVC_SANDBOX_DELAY_SECONDS": "0.2",
        **settings,
    }
    process = Process(
        "dev",
        ["dev", "--port", "0", *options],
        environment=environment,
        log=folder / "dev.log",
        fresh=True,
    )
    try:

        def ready() -> bool:
            assert process.running, process.lines
            return "ready http://" in process.lines

        await eventually(ready, lambda: f"svc dev is ready\n{process.lines}")

        def told(pattern: str) -> str:
            return str(re.findall(pattern, process.lines)[-1])

        yield Dev(
            process,
            url=told(r"ready (http://\S+)"),
            environment=environment,
            organization_id=told(r"organization +(\S+)"),
            key=told(r"test key +(\S+)"),
        )
    finally:
        await process.terminate()
