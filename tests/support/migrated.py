"""A PostgreSQL whose database has the newest schema: made once, kept among pytest's own files until a migration changes,
and copied for each process that runs tests.

`python -m tests.support.migrated FOLDER` makes it ahead of those who will wait for it.
"""

import asyncio
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from cli.embedded.postgres import EmbeddedPostgres
from core.foundation.database import schema

ROOT = Path(__file__).resolve().parents[2]
MADE_FROM = ("core/migrations/*.py", "core/foundation/database/*.py", "cli/embedded/*.py")


def copy_migrated(postgres: Path, kept: Path) -> None:
    """Lay a copy into the folder of a server that has not been started yet. `kept`: where the copied one is."""
    postgres.mkdir(parents=True)
    with locked(kept):
        _copy(_made(kept), postgres / "data")


def _made(kept: Path) -> Path:
    made = kept / f"postgres-{name_of_schema()}"
    if not made.exists():
        _make(made)
    return made


@contextmanager
def locked(kept: Path) -> Iterator[None]:
    """One process makes it, the others wait."""
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made_ahead(kept: Path) -> Callable[[], None]:
    """Let another process make it while this one does something else. Answers how to wait for it."""
    other = subprocess.Popen([sys.executable, "-m", __name__, str(kept)], cwd=ROOT)

    def wait() -> None:
        other.wait()

    return wait


def _make(made: Path) -> None:
    """Make it in a folder that any user reaches, for PostgreSQL may not run as root; no older one is kept."""
    for older in made.parent.glob("postgres-*"):
        shutil.rmtree(older)
    with tempfile.TemporaryDirectory(prefix="svc-migrated-") as place:
        folder = Path(place)
        folder.chmod(0o755)
        with EmbeddedPostgres(folder, durable=False) as postgres:
            asyncio.run(schema.migrate(postgres.address))
        try:
            (folder / "data").rename(made)
        except OSError:  # another file system
            draft = made.with_suffix(".draft")
            shutil.rmtree(draft, ignore_errors=True)
            _copy(folder / "data", draft)
            draft.rename(made)


def _copy(source: Path, target: Path) -> None:
    """A copy that belongs to whom the original belongs."""
    shutil.copytree(source, target)
    owner = source.stat()
    if owner.st_uid != os.geteuid():
        for path in (target, *target.rglob("*")):
            os.chown(path, owner.st_uid, owner.st_gid)


def name_of_schema() -> str:
    """A name that changes with the migrations, and with who may read the files."""
    told = sha256(f"{sys.version} {os.geteuid()}".encode())
    for pattern in MADE_FROM:
        for path in sorted(ROOT.glob(pattern)):
            told.update(path.name.encode() + path.read_bytes())
    return told.hexdigest()[:16]


if __name__ == "__main__":
    with locked(Path(sys.argv[1])):
        _made(Path(sys.argv[1]))
