"""What is installed without the repository beside it: the wheel holds every file of the packages."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.docker.dockerfile import ROOT

NOT_PYTHON = {
    "rest_api/account_page/static/page.css",
    "rest_api/account_page/static/page.html",
    "rest_api/account_page/static/page.js",
    "rest_api/console/static/THIRD_PARTY_LICENSES.txt",
    "rest_api/console/static/documents.json",
    "rest_api/console/static/index.html",
    "rest_api/docs/static/docs.css",
    "rest_api/docs/static/docs.html",
    "rest_api/docs/static/docs.js",
    "rest_api/docs/static/docs.svg",
    "rest_api/docs/static/scalar.LICENSE.txt",
    "rest_api/docs/static/scalar.js",
    "rest_api/graphiql/static/LICENSES.txt",
    "rest_api/graphiql/static/graphiql.js",
    "rest_api/graphiql/static/page.html",
    "rest_api/openapi/guide.md",
}
"""What the service reads beside its code. Another kind of file needs its ending in pyproject."""

LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean folder with what the image is built from."""
    folder = tmp_path_factory.mktemp("context")
    shutil.copy(ROOT / "pyproject.toml", folder)
    found = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"][
        "find"
    ]["include"]
    for name in found:
        if "." not in name and (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
    return folder


@pytest.fixture(scope="module")
def installed(packages: Path) -> set[str]:
    """The names of the files in the wheel."""
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        ".",
    ]
    done = subprocess.run([*build, "."], cwd=packages, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = packages.glob("*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_holds_every_file_of_the_packages(packages: Path, installed: set[str]) -> None:
    here = {
        str(path.relative_to(packages))
        for folder in packages.iterdir()
        if folder.is_dir() and folder.name != "build" and not folder.name.endswith(".egg-info")
        for path in folder.rglob("*")
        if path.is_file()
    }

    assert NOT_PYTHON | {"core/migrations/0001_foundation.py"} <= here
    assert here - installed == set()


def test_the_wheel_brings_the_command_and_none_of_the_tests(installed: set[str]) -> None:
    assert not any(name.startswith(("tests/", "bench/")) for name in installed)
    assert any(name.endswith(".dist-info/entry_points.txt") for name in installed)
