"""One line of JSON for each request: who, what, how it ended, how long it took. Never an address, a
query or a body.

Every request pays for it, so a line is put together by hand, of parts that need no escaping (0.9 µs
against 3 for a JSON library and 7 for the logger), and lines are gathered for a moment: a system
call for each would cost as much.
"""

import asyncio
import json
import sys
import time
from typing import BinaryIO

from core.foundation.security.caller import Caller

GATHER_SECONDS = 0.1
MAX_LINES = 512


class AccessLog:
    """Writes to `out`: everything at `debug` and `info`, slow and failed requests at `warning`,
    nothing at `error`.
    """

    def __init__(self, out: BinaryIO, *, level: str, slow_seconds: float) -> None:
        self._out = out
        self._slow = slow_seconds
        self._everything = level == "debug"
        self._ordinary = level in ("debug", "info")
        self._trouble = level != "error"
        self._lines: list[str] = []
        self._second = 0
        self._second_as_text = ""

    def note(
        self,
        head: str,
        status: int,
        *,
        seconds: float,
        request_id: str | None,
        caller: Caller | None,
        quiet: bool,
    ) -> None:
        """Keep the line of one request, if one is wanted. `head`: of `head_of`."""
        slow = seconds >= self._slow
        trouble = slow or status >= 500
        if not (self._trouble if trouble else self._everything if quiet else self._ordinary):
            return
        at = time.time()
        second = int(at)
        if second != self._second:
            self._second = second
            self._second_as_text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        line = (
            f'{head},"level":"{"warning" if trouble else "info"}",'
            f'"timestamp":"{self._second_as_text}.{int((at - second) * 1000):03d}Z",'
            f'"status":{status},"ms":{seconds * 1000:.1f}'
        )
        # Ids are letters, digits, - and _, a caller's own request id included.
        if request_id is not None:
            line = f'{line},"request_id":"{request_id}"'
        if caller is not None:
            line = f'{line},"organization_id":"{caller.organization_id}","env":"{caller.env}"'
            if caller.credential_id is not None:
                line = f'{line},"credential_id":"{caller.credential_id}"'
        self._lines.append(f'{line},"slow":true}}\n' if slow else f"{line}}}\n")
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_later(GATHER_SECONDS, self.flush)
        elif len(self._lines) >= MAX_LINES:
            self.flush()

    def flush(self) -> None:
        """Write what was gathered."""
        lines, self._lines = self._lines, []
        if lines:
            self._out.write("".join(lines).encode())
            self._out.flush()


_log: AccessLog | None = None


def start(*, level: str, slow_seconds: float) -> None:
    """From now on this process writes lines to standard error."""
    global _log
    _log = AccessLog(sys.stderr.buffer, level=level, slow_seconds=slow_seconds)


def stop() -> None:
    """Write what is left, and no more after that."""
    global _log
    if _log is not None:
        _log.flush()
    _log = None


def head_of(method: str, route: str) -> str:
    """How all lines of one operation begin."""
    return json.dumps(
        {"event": "request", "method": method, "route": route}, separators=(",", ":")
    ).removesuffix("}")


def note(
    head: str,
    status: int,
    *,
    seconds: float,
    request_id: str | None,
    caller: Caller | None,
    quiet: bool = False,
) -> None:
    """A request was answered."""
    if _log is not None:
        _log.note(head, status, seconds=seconds, request_id=request_id, caller=caller, quiet=quiet)
