"""The strangers' programs of these tests: installed once, outside of the repository, in the
versions named here.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
NOTHING: Mapping[str, str] = {}
OLDEST_NODE = (20, 19)
"""What @hey-api/openapi-ts asks for."""


def npm_packages() -> Path:
    """The folder `node_modules` of package-lock.json."""

    def install(folder: Path) -> None:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, folder)
        finished(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], folder=folder)

    return (
        _installed("npm", [HERE / "package.json", HERE / "package-lock.json"], install)
        / "node_modules"
    )


def python_tools() -> Path:
    """The folder of the programs of requirements.txt."""

    def install(folder: Path) -> None:
        finished([sys.executable, "-m", "venv", str(folder / "venv")], folder=folder)
        pip = [
            str(folder / "venv/bin/python"),
            "-m",
            "pip",
            "install",
            "-qq",
            "--disable-pip-version-check",
        ]
        finished([*pip, "-r", str(HERE / "requirements.txt")], folder=folder)

    return (
        _installed(f"python-{sys.version_info[1]}", [HERE / "requirements.txt"], install)
        / "venv/bin"
    )


def no_node() -> str | None:
    """Why nothing of npm can run here; None where it can."""
    if shutil.which("npm") is None or (node := shutil.which("node")) is None:
        return "NOT RUN: no Node.js with npm here. Install Node.js 20.19 or newer."
    told = finished([node, "--version"], folder=HERE).strip().removeprefix("v")
    if tuple(map(int, told.split(".")[:2])) < OLDEST_NODE:
        return f"NOT RUN: this is Node.js {told}. Install 20.19 or newer."
    return None


def finished(
    words: Sequence[str],
    *,
    folder: Path,
    path: Path | None = None,
    given: Mapping[str, str] = NOTHING,
) -> str:
    """Run a program to its end: what it wrote. Fails with that when the program fails.

    `path`: a folder whose programs it finds before others. `given`: variables of its environment.
    """
    environment = {**os.environ, "NO_COLOR": "1", **given}
    if path is not None:
        environment["PATH"] = f"{path}{os.pathsep}{environment['PATH']}"
    ran = subprocess.run(
        words,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"{' '.join(words)}\n{ran.stdout}"
    return ran.stdout


def _installed(name: str, wanted: Sequence[Path], install: Callable[[Path], None]) -> Path:
    """The folder of what these files name. One that was cut short is done again."""
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in wanted)).hexdigest()[:16]
    folder = _cache() / f"{name}-{digest}"
    with _alone(_cache() / f"{name}.lock"):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            install(folder)
            (folder / "complete").touch()
    return folder


def _cache() -> Path:
    place = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(place) / "svc-test-clients"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Two runs do not install at once."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
