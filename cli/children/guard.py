"""A guard process: its program ends when its owner does, even by kill -9.

Run as a script with nothing but the standard library (`python -I -S guard.py …`). The owner holds
the other end of our standard input. A byte on it is a signal number for the program; its end means
that the owner is done or dead, and the program is stopped. We live in a session of our own: Ctrl-C
in a terminal reaches the owner alone, which stops its programs in the right order.

(PR_SET_PDEATHSIG alone is not enough: it fires when the *thread* that started the program ends.)
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time
from typing import NoReturn

LIFELINE = 0

PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, PR_SET_SECUREBITS = 1, 8, 28
PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE = 47, 2
SECBIT_NO_SETUID_FIXUP = 4
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION_3 = 0x20080522


def main(patience: float, stop_signal: int, user: str, command: list[str]) -> int:
    for unwanted in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(unwanted, signal.SIG_IGN)
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)

    guard = os.getpid()
    program = os.fork()
    if program == 0:
        become(command, user, guard, stop_signal)
    return watch(program, woken, patience, stop_signal)


def watch(program: int, woken: int, patience: float, stop_signal: int) -> int:
    """Pass on the owner's signals until the program has ended; answers its exit status."""
    sources = [LIFELINE, woken]
    told_to_stop = False
    deadline: float | None = None
    while True:
        ended, status = os.waitpid(program, os.WNOHANG)
        if ended:
            end_group(program)  # what it left behind
            return os.waitstatus_to_exitcode(status)
        ready, _, _ = select.select(sources, [], [], None if deadline is None else 0.1)
        if woken in ready:
            os.read(woken, 512)
        if LIFELINE in ready:
            orders = os.read(LIFELINE, 512)
            for order in orders or ([] if told_to_stop else [stop_signal]):
                os.kill(program, order)
                told_to_stop = True
            if not orders:
                sources.remove(LIFELINE)
                deadline = time.monotonic() + patience
        if deadline is not None and time.monotonic() > deadline:
            end_group(program)


def end_group(program: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)


def become(command: list[str], user: str, guard: int, stop_signal: int) -> NoReturn:
    """Turn this forked process into the program."""
    try:
        os.setpgid(0, 0)
        for changed in (
            signal.SIGINT,
            signal.SIGTERM,
            signal.SIGHUP,
            signal.SIGPIPE,
            signal.SIGXFSZ,
        ):
            signal.signal(changed, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), LIFELINE)
        if user:
            step_down(*map(int, user.split(":")))
        end_with(guard, stop_signal)
        os.execv(command[0], command)  # noqa: S606 (no shell is wanted)
    except OSError as error:
        print(f"{command[0]} cannot be started: {error}", file=sys.stderr, flush=True)  # noqa: T201 (its log)
    os._exit(127)


def end_with(guard: int, stop_signal: int) -> None:
    """Should the guard itself be killed, the kernel stops the program (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(stop_signal), 0, 0, 0)
        if os.getppid() != guard:
            os._exit(127)


def step_down(uid: int, gid: int) -> None:
    """Become another user than root, but keep root's reach into folders that only root may enter.

    Without it the program could neither read its own files in root's home nor its data there. Where
    the kernel refuses the capability, the program has the other user's plain rights.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    if libc:
        libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)
        # Without it access(2), which PostgreSQL asks about its own files, would not count the
        # capability.
        libc.prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0)
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
    if libc:
        kept = 1 << CAP_DAC_OVERRIDE
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
        low, high = (kept, kept, kept), (0, 0, 0)  # each: effective, permitted, inheritable
        sets = (ctypes.c_uint32 * 6)(*low, *high)
        libc.capset(header, sets)
        libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0)


if __name__ == "__main__":
    status = main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])
    sys.exit(status if status >= 0 else 128 - status)
