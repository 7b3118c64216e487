"""Runs commands beside each other, one per argument; each tells all that it said when it has ended.

`make check` runs by this what needs one core alone: types on one, and what else is not a matter of many processes on
another. Fails when any of them does, once all have ended.
"""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor


def main(commands: list[str]) -> int:
    """Run them. Answers 1 when any fails."""
    with ThreadPoolExecutor(len(commands)) as threads:
        return int(any(list(threads.map(fails, commands))))


def fails(command: str) -> bool:
    """Run one command to its end, and print what it said in one piece."""
    began = time.monotonic()
    run = subprocess.run(
        command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    said = run.stdout.decode(errors="replace")
    print(
        f"{said}({command}: {time.monotonic() - began:.0f} s, status {run.returncode})", flush=True
    )
    return run.returncode != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
