"""The data folder of `svc dev`: its lock, its secrets, and how others find a running one."""

import base64
import os
import secrets
from collections.abc import MutableMapping
from pathlib import Path

from cli.embedded.folder_lock import FolderLock
from cli.failures import Failure
from cli.private_file import read_private, write_private

SHARED = ("DATABASE_URL", "REDIS_URL")
OURS = "SVC_"


def data_folder() -> Path:
    """`SVC_DATA_DIR`, by default `.svc`, as a path that holds from anywhere."""
    return Path(os.environ.get("SVC_DATA_DIR") or ".svc").resolve()


def lock_of(folder: Path) -> FolderLock:
    """One `svc dev` at a time works with a data folder."""
    return FolderLock(folder / "dev.lock")


def lend_secrets(folder: Path, environment: MutableMapping[str, str]) -> None:
    """Fill in the secrets that are not given; made once for this folder, whose data needs them for
    ever.
    """
    file = folder / "secrets.json"
    kept = read_private(file)
    if kept is None:
        kept = {
            "SVC_ENCRYPTION_KEYS": base64.b64encode(secrets.token_bytes(32)).decode(),
            "SVC_HASH_KEY": secrets.token_urlsafe(32),
        }
        write_private(file, kept)
    for name, value in kept.items():
        environment.setdefault(name, value)


def publish_environment(folder: Path) -> None:
    """Let commands in other terminals find this `svc dev`."""
    ours = {
        name: value for name, value in os.environ.items() if name in SHARED or name.startswith(OURS)
    }
    write_private(_published(folder), ours)


def withdraw_environment(folder: Path) -> None:
    """The opposite of `publish_environment`."""
    _published(folder).unlink(missing_ok=True)


def join_running_dev() -> None:
    """Give this process the settings of the `svc dev` that runs on its data folder, if one does.

    So `svc key create …` works in a second terminal. Whoever names another database means that one,
    with the secrets that belong to it.
    """
    folder = data_folder()
    try:
        theirs = read_private(_published(folder))
    except Failure:
        return  # another user's, or one that is just ending
    if theirs is None or not lock_of(folder).taken():
        return
    if os.environ.get("DATABASE_URL") in (None, "", theirs.get("DATABASE_URL")):
        for name, value in theirs.items():
            os.environ.setdefault(name, str(value))


def _published(folder: Path) -> Path:
    return folder / "running.json"
