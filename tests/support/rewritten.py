"""Test modules with their asserts rewritten by another process, while this one collects: half of what a first run does before
its first test, on a core that would be idle.
"""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def rewritten_ahead(config: pytest.Config) -> Callable[[], None]:
    """Let a forked process rewrite what this one comes to last, until it finds what is there. Answers how to wait for it."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            _rewrite(config, [Path(arg.partition("::")[0]) for arg in reversed(config.args)])
            status = 0
        finally:
            os._exit(status)

    def wait() -> None:
        os.waitpid(pid, 0)

    return wait


def _rewrite(config: pytest.Config, places: Iterable[Path]) -> None:
    state = config.stash[rewrite.assertstate_key]
    for place in places:
        for path in sorted(place.resolve().rglob("test_*.py"), reverse=True):
            folder = rewrite.get_cache_dir(path)
            kept = folder / f"{path.stem}{rewrite.PYC_TAIL}"
            if rewrite._read_pyc(path, kept) is not None or not rewrite.try_makedirs(folder):
                return
            source_hash, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(state, code, source_hash, kept)
