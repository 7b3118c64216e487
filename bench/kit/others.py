"""What other processes of the machine do meanwhile: figures of a busy machine are to be read as
ratios only.
"""

import resource
import time

import psutil


class Others:
    """Counts from its creation on how much of the machine others have used."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._before = _busy_seconds() - _own_seconds()

    def cores(self) -> float:
        """How many cores others have kept busy on average, the kernel's own work included."""
        used = _busy_seconds() - _own_seconds() - self._before
        return max(0.0, used / (time.monotonic() - self._since))


def _busy_seconds() -> float:
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0) - getattr(times, "guest", 0))


def _own_seconds() -> float:
    """Ours, of the children that have ended, and of those that live."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + ended.ru_utime + ended.ru_stime
    for process in psutil.Process().children(recursive=True):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total
