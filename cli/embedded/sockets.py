"""Where a server's unix socket lies."""

import hashlib
import os
import re
from pathlib import Path

from cli.embedded.errors import EmbeddedServerError

MAX_PATH_LENGTH = 100
"""The kernel takes 107 bytes on Linux and 103 on macOS."""

PLAIN = re.compile(r"[A-Za-z0-9_./-]+")
"""Readers of addresses disagree on quoting, so a path that would need it is not used."""


def socket_folder(folder: Path, socket_name: str) -> Path:
    """A folder for the socket: inside `folder`, or in /tmp when that path is too long or needs
    quoting.

    It is always the same for the same `folder`, so an address outlives a restart.
    """
    inside = folder / "socket"
    path = str(inside / socket_name)
    if len(os.fsencode(path)) <= MAX_PATH_LENGTH and PLAIN.fullmatch(path):
        return inside
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path("/tmp") / f"svc-{os.geteuid()}-{digest}"  # noqa: S108 (short on every system; checked below)


def make_socket_folder(folder: Path, *, owner: int) -> None:
    """Create the folder for `owner` alone. Raises EmbeddedServerError if it is somebody else's."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if folder.is_symlink() or found.st_uid not in (os.geteuid(), owner):
        raise EmbeddedServerError(f"the folder {folder} belongs to somebody else; delete it")
    folder.chmod(0o700)
    if found.st_uid != owner:
        os.chown(folder, owner, -1)
