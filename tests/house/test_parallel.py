"""`--processes`: what each of the forked processes finds is told as if there were one."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.forked import ROOT

CONFTEST = """
from tests.support.parallel import Parallel

def pytest_configure(config):
    config.pluginmanager.register(Parallel(config, 2), "parallel")
"""
TESTS = {
    "test_of_every_end.py": """
import os, warnings
import pytest

@pytest.mark.parametrize("number", range(50))
def test_passes(number, tmp_path):
    assert tmp_path.is_dir()

def test_fails():
    print("what it said")
    assert 1 == 2

def test_ends_its_process():
    os._exit(3)

def test_after_that(): pass

def test_warns():
    warnings.warn("be careful")

@pytest.mark.skip(reason="not today")
def test_is_skipped(): pass
""",
    "test_together.py": """
import os
import pytest

@pytest.fixture(scope="module")
def process(): return os.getpid()

@pytest.mark.parametrize("number", range(100))
def test_in_the_process_of_its_fixture(process, number):
    assert process == os.getpid()
""",
}


def test_what_ends_in_any_way_is_told_once(tmp_path: Path) -> None:
    for name, text in {"conftest.py": CONFTEST, **TESTS}.items():
        (tmp_path / name).write_text(text)

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-ra", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1, done.stdout + done.stderr
    assert "2 failed, 152 passed, 1 skipped, 1 warning" in done.stdout
    assert "what it said" in done.stdout
    assert "the process of this test ended with 3" in done.stdout
    assert "not today" in done.stdout
    assert "be careful" in done.stdout
    assert "Traceback" not in done.stderr
