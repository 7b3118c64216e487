"""Running the shell examples of one page: one after the other, as a reader would."""

import asyncio
import json
import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.embedded.postgres import programs
from tests.support.forked import ROOT, THROUGH, address

STAND_INS = Path(__file__).with_name("stand_ins")


@dataclass(frozen=True)
class Exchange:
    """One call of an example and its answer."""

    method: str
    target: str
    status: int
    body: str

    @property
    def document(self) -> Any:
        """The answer, read."""
        return json.loads(self.body) if self.body else None


class Shell:
    """A shell that remembers its variables from one block to the next.

    `curl`, `jq`, `svc` and the programs of PostgreSQL are at hand.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self._exchanges = folder / "exchanges"
        self._state = folder / "state.sh"
        self._state.touch()
        tools = folder / "bin"
        tools.mkdir()
        for name in ("curl", "jq"):
            self._tool(
                tools / name, f'exec {shlex.quote(sys.executable)} -P {STAND_INS / name}.py "$@"'
            )
        for name in ("psql", "pg_dump", "pg_restore"):
            self._tool(tools / name, f'exec {shlex.quote(str(programs() / name))} "$@"')
        through = shlex.join([sys.executable, "-I", "-S", str(THROUGH), address()])
        self._tool(tools / "svc", f'exec {through} "$@"')
        self.environment = {
            **environment,
            "PATH": f"{tools}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "EXCHANGES": str(self._exchanges),
        }

    async def run(self, commands: str) -> list[Exchange]:
        """Run commands to their end: the calls that they made. Fails when one of them does."""
        self._exchanges.write_text("")
        script = f"set -eu\nset -a\n. {shlex.quote(str(self._state))}\n{commands}\nexport -p > {self._state}\n"
        process = await asyncio.create_subprocess_exec(
            "sh",
            "-c",
            script,
            cwd=self.folder,
            env=self.environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        assert process.returncode == 0, f"{commands}\n{out.decode()}\n{err.decode()}"
        return [Exchange(**json.loads(line)) for line in self._exchanges.read_text().splitlines()]

    @staticmethod
    def _tool(path: Path, text: str) -> None:
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
