"""The repository names no machine: no path of somebody's disk, no private place to install from."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
OF_EVERY_MACHINE = {
    Path(place)
    for place in ("/", "/home", "/Users", "/opt", "/root", "/srv", "/tmp", "/usr", "/var")
}
HERE = str(Path(__file__).relative_to(ROOT))
"""This file has to spell out what it looks for."""

LEFT_OUT = {"build", "dist", "node_modules", "__pycache__"}
LARGEST = 2_000_000

# Where somebody keeps things, and options that name a place to install from.
HOME = re.compile(r"(?<![\w.])/(?:home|Users)/[\w.-]+/|(?<![\w.])/root/")
PIP_OPTIONS = r"index-url|find-links|trusted-host"
INSTALL_OPTIONS = re.compile(
    r"--(?:extra-)?index-url\b|--trusted-host\b|--find-links\b|\bindex-url\s*="
)


def files() -> list[Path]:
    """What the repository holds or would hold; without git, whatever lies there."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        if listed.returncode == 0:
            return [ROOT / os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file()
        and not any(
            part in LEFT_OUT or part.startswith(".") or part.endswith(".egg-info")
            for part in path.relative_to(ROOT).parts[:-1]
        )
    ]


def texts() -> Iterator[tuple[str, str]]:
    """Each text file with its content."""
    for path in files():
        if path.is_file() and path.stat().st_size <= LARGEST:
            content = path.read_bytes()
            if b"\0" not in content:
                yield str(path.relative_to(ROOT)), content.decode(errors="replace")


def paths_of_this_machine() -> list[str]:
    """The checkout, the folders above it that are not of every machine, the interpreter's home."""
    above = [folder for folder in (ROOT, *ROOT.parents) if folder not in OF_EVERY_MACHINE]
    return [
        str(folder) for folder in (*above, Path(sys.base_prefix)) if folder not in OF_EVERY_MACHINE
    ]


def where_this_machine_installs_from() -> tuple[list[str], list[str]]:
    """The hosts and the folders that this machine's pip is told to look into."""
    shown = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    ).stdout
    options = [
        line.partition("=")[2] for line in shown.splitlines() if re.search(PIP_OPTIONS, line)
    ]
    options += [
        value
        for name, value in os.environ.items()
        if re.search(PIP_OPTIONS, name.lower().replace("_", "-"))
    ]
    words = [word.strip("'\"") for option in options for word in option.replace("\\n", " ").split()]
    addresses = [
        urlsplit(word if "//" in word or word.startswith("/") else f"//{word}") for word in words
    ]
    hosts = {
        address.hostname
        for address in addresses
        if address.hostname and re.search(r"[.-]", address.hostname)
    }
    folders = {
        address.path
        for address in addresses
        if not address.hostname and address.path.count("/") > 1
    }
    return sorted(hosts), sorted(folders)


def mentions(content: str, path: str) -> bool:
    """Whether a path stands there as a whole, and not as a part of another."""
    return re.search(rf"(?<![\w.-]){re.escape(path)}(?![\w.-])", content) is not None


def test_files_were_found() -> None:
    assert {"pyproject.toml", "core/foundation/database/db.py"} <= {name for name, _ in texts()}


def test_no_file_names_a_path_of_this_machine() -> None:
    found = [
        (name, path)
        for name, content in texts()
        for path in paths_of_this_machine()
        if mentions(content, path)
    ]

    assert found == []


def test_no_file_names_somebodys_home() -> None:
    assert [
        (name, hit[0])
        for name, content in texts()
        if name != HERE and (hit := HOME.search(content))
    ] == []


def test_no_file_says_where_to_install_from() -> None:
    found = [
        (name, hit[0])
        for name, content in texts()
        if name != HERE and (hit := INSTALL_OPTIONS.search(content))
    ]

    assert found == []


def test_no_file_names_a_place_this_machine_installs_from() -> None:
    hosts, folders = where_this_machine_installs_from()
    found = [(name, host) for name, content in texts() for host in hosts if host in content]
    found += [
        (name, folder)
        for name, content in texts()
        for folder in folders
        if mentions(content, folder)
    ]

    assert found == []


@pytest.mark.parametrize(
    ("content", "path", "there"),
    [
        ("see /a/checkout/core", "/a/checkout", True),
        ('"/a/checkout"', "/a/checkout", True),
        ("/a/checkouts", "/a/checkout", False),
        ("/a/checkout-2", "/a/checkout", False),
        ("b/a/checkout", "/a/checkout", False),
    ],
)
def test_a_path_is_found_where_it_stands_as_a_whole(content: str, path: str, there: bool) -> None:
    assert mentions(content, path) is there
