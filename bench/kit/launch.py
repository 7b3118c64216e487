"""Becomes a program that stays on one core and ends with whoever started it.

Run as a script with nothing but the standard library: `python -I -S launch.py CORE PROGRAM
ARGUMENT…`.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    core, command = int(sys.argv[1]), sys.argv[2:]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
    os.execv(command[0], command)
