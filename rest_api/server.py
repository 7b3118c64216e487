"""The HTTP server, as one process or as several that share a port, and how it ends."""

import os
import shutil
import signal
import sys
import tempfile
from socket import socket
from types import FrameType

import uvicorn
from uvicorn.supervisors import Multiprocess

SHARED_COUNTS = "SVC_SHARED_COUNTS"
"""Names the folder where the processes of one port keep what they count; set by `run` for its
processes alone.
"""


def run(config: uvicorn.Config) -> int:
    """Serve until told to stop, then finish what is open. Answers the exit status: 0 for a stop
    that was asked for.
    """
    try:
        return _run_several(config) if config.workers > 1 else _run_one(config)
    except SystemExit as ended:  # uvicorn's way to say that it could not start; it has logged why
        return 1 if ended.code else 0


def folder_of_counts() -> str | None:
    """Where this process and its siblings keep their counts; None for a process alone."""
    return os.environ.get(SHARED_COUNTS)


def _run_one(config: uvicorn.Config) -> int:
    # uvicorn raises the signal that stopped it again; a stop that was asked for is a success.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    server = uvicorn.Server(config)
    server.run()
    return 0 if server.started else 1


def _run_several(config: uvicorn.Config) -> int:
    folder = tempfile.mkdtemp(prefix="svc-counts-")
    os.environ[SHARED_COUNTS] = folder
    try:
        processes = Processes(config, [config.bind_socket()], folder)
        processes.run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if processes.told else 1


class Processes(Multiprocess):
    """uvicorn's processes; told to stop twice, all of them end at once."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket], folder: str) -> None:
        super().__init__(config, sockets)
        self.told = False
        self._folder = folder
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._tell)

    def terminate_all(self) -> None:
        """Ask them to stop. Our own hold on the port goes first: with it, the port would take calls
        for nobody.
        """
        for held in self.sockets:
            held.close()
        super().terminate_all()

    def _tell(self, number: int, _: FrameType | None) -> None:
        if self.told:
            for process in self.processes:
                process.process.kill()
            shutil.rmtree(self._folder, ignore_errors=True)
            os._exit(1)
        self.told = True
        self.signal_queue.append(number)
