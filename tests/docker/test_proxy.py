"""The proxy lets through what the service takes, and no more."""

import re
from pathlib import Path

import pytest

from core import media
from rest_api import connections
from rest_api.app import OPERATIONS
from rest_api.graphql import BODY_LIMIT
from rest_api.support.operations import MAX_BODY_BYTES

ROOT = Path(__file__).resolve().parents[2]
NGINX = (ROOT / "docker" / "nginx.conf").read_text(encoding="utf-8")

UNITS = {"": 1, "k": 1_024, "m": 1_024**2, "g": 1_024**3}
LIMITS = re.compile(
    r"(?:client_max_body_size|proxy-body-size|maxRequestBodyBytes)\W+(\d+)([kmg]?)\b", re.IGNORECASE
)
"""How proxies spell it: nginx, its ingress, traefik."""

FILES = sorted(
    path
    for folder in ("docker", "docs")
    for path in (ROOT / folder).rglob("*")
    if path.is_file() and LIMITS.search(path.read_text(encoding="utf-8", errors="replace"))
)


def test_the_largest_body_is_the_largest_of_an_operation() -> None:
    assert max(operation.body_limit for operation in OPERATIONS) == MAX_BODY_BYTES
    assert BODY_LIMIT <= MAX_BODY_BYTES


def test_the_proxy_is_among_the_files() -> None:
    assert ROOT / "docker" / "nginx.conf" in FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_proxy_lets_through_what_the_service_takes(path: Path) -> None:
    found = LIMITS.findall(path.read_text(encoding="utf-8", errors="replace"))

    assert {int(number) * UNITS[unit.lower()] for number, unit in found} == {MAX_BODY_BYTES}


@pytest.mark.parametrize("page", ["operations.md"])
def test_the_documentation_says_the_same(page: str) -> None:
    assert f"{MAX_BODY_BYTES:,} bytes" in (ROOT / "docs" / page).read_text(encoding="utf-8")


def test_its_head_and_its_clocks_are_those_of_the_service() -> None:
    count, size = re.search(r"large_client_header_buffers (\d+) (\d+)k;", NGINX).groups()  # type: ignore[union-attr]
    assert int(count) * int(size) * 1_024 == connections.MAX_HEAD_BYTES
    assert f"client_header_timeout {connections.HEAD_SECONDS:.0f}s;" in NGINX
    assert f"client_body_timeout {media.CHUNK_TIMEOUT:.0f}s;" in NGINX


def test_every_line_of_it_ends_as_nginx_wants() -> None:
    lines = [line.partition("#")[0].strip() for line in NGINX.splitlines()]

    assert [line for line in lines if line and line[-1] not in ";{}"] == []
    assert NGINX.count("{") == NGINX.count("}")
