"""A program that we start, watch, stop and start again."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

GUARD = Path(__file__).with_name("guard.py")


class ChildProcess:
    """One program behind its guard (see `guard.py`): it ends with us even when we are killed.

    `stop_signal` asks it to end, `patience` is how many seconds it may take before it is killed.
    `user` is "uid:gid" to run it as another user when we are root. Its output goes to `log`, or to
    our standard error: standard output is kept for answers. `held` are file descriptors that stay
    open as long as it lives.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        log: Path | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
        patience: float = 15,
        user: str | None = None,
        held: Sequence[int] = (),
    ) -> None:
        self.name = name
        self._command = [
            *(
                sys.executable,
                "-I",
                "-S",
                str(GUARD),
                str(patience),
                str(int(stop_signal)),
                user or "",
            ),
            *map(str, command),
        ]
        self._environment = dict(os.environ if environment is None else environment)
        self._folder = folder
        self._log = log
        self._held = tuple(held)
        self._guard: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the program; it may need a while to be of use."""
        output = (
            os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            if self._log
            else os.dup(2)
        )
        try:
            self._guard = subprocess.Popen(
                self._command,
                env=self._environment,
                cwd=self._folder,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                pass_fds=self._held,
                start_new_session=True,
                bufsize=0,
            )
        finally:
            os.close(output)

    @property
    def running(self) -> bool:
        """Whether the program is there."""
        return self._guard is not None and self._guard.poll() is None

    @property
    def ending(self) -> str:
        """How the program ended, in words."""
        status = self._guard.poll() if self._guard else None
        if status is None:
            return "not ended"
        return (
            f"killed by {signal.Signals(status - 128).name}"
            if status > 128
            else f"exit status {status}"
        )

    def send(self, number: signal.Signals) -> None:
        """Send it a signal that ends it."""
        if self._guard and self._guard.stdin and not self._guard.stdin.closed:
            with suppress(BrokenPipeError):
                self._guard.stdin.write(bytes([number]))

    def ask_to_stop(self) -> None:
        """Let go of the program without waiting for its end."""
        if self._guard and self._guard.stdin:
            self._guard.stdin.close()

    def wait(self) -> int:
        """Wait for the program to end by itself; answers its exit status (128 and more: a signal)."""
        if self._guard is None:
            return 0
        status = self._guard.wait()
        self.ask_to_stop()  # nobody is left to ask; it closes our end
        return status

    def stop(self) -> None:
        """Ask the program to end and wait until it has; after its patience it is killed."""
        self.ask_to_stop()
        self.wait()

    def restart(self) -> None:
        """End the program if it still runs and start it again."""
        self.stop()
        self.start()
