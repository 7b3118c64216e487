"""A line for each request: what it must tell, and what it must never."""

import asyncio
import io
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from core.foundation.security.caller import Caller
from rest_api.support import access_log, endpoint
from rest_api.support.access_log import AccessLog, head_of
from tests.factories.organizations import a_key

Lines = Callable[[], list[dict[str, Any]]]

CALLER = Caller("org_1", "test", frozenset(), credential_id="key_1")
HEAD = head_of("POST", "/v2/sms/messages")


def a_log(level: str = "info") -> tuple[AccessLog, io.BytesIO]:
    out = io.BytesIO()
    return AccessLog(out, level=level, slow_seconds=1), out


def written(log: AccessLog, out: io.BytesIO) -> list[dict[str, Any]]:
    log.flush()
    return [json.loads(line) for line in out.getvalue().splitlines()]


async def test_a_line_tells_who_asked_what_and_how_it_ended() -> None:
    log, out = a_log()

    log.note(HEAD, 201, seconds=0.01234, request_id="req_1", caller=CALLER, quiet=False)

    (line,) = written(log, out)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "request",
        "level": "info",
        "method": "POST",
        "route": "/v2/sms/messages",
        "status": 201,
        "ms": 12.3,
        "request_id": "req_1",
        "organization_id": "org_1",
        "env": "test",
        "credential_id": "key_1",
    }


async def test_whoever_was_not_recognised_is_not_named() -> None:
    log, out = a_log()

    log.note(HEAD, 401, seconds=0, request_id="req_1", caller=None, quiet=False)

    (line,) = written(log, out)
    assert not {"organization_id", "env", "credential_id"} & line.keys()


@pytest.mark.parametrize(
    ("level", "kept"),
    [
        ("debug", ["ordinary", "refused", "slow", "failed", "quiet"]),
        ("info", ["ordinary", "refused", "slow", "failed"]),
        ("warning", ["slow", "failed"]),
        ("error", []),
    ],
)
async def test_the_level_decides_which_requests_have_a_line(level: str, kept: list[str]) -> None:
    log, out = a_log(level)
    for name, status, seconds, quiet in (
        ("ordinary", 200, 0.5, False),
        ("refused", 404, 0.5, False),
        ("slow", 200, 1.5, False),
        ("failed", 503, 0.5, True),
        ("quiet", 200, 0.5, True),
    ):
        log.note(HEAD, status, seconds=seconds, request_id=name, caller=None, quiet=quiet)

    lines = written(log, out)

    assert [line["request_id"] for line in lines] == kept
    for line in lines:
        assert line["level"] == ("warning" if line["request_id"] in ("slow", "failed") else "info")
        assert ("slow" in line) == (line["request_id"] == "slow")


async def test_lines_are_written_a_moment_later_or_when_there_are_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(access_log, "GATHER_SECONDS", 0)
    monkeypatch.setattr(access_log, "MAX_LINES", 3)
    log, out = a_log()

    for _ in range(3):
        log.note(HEAD, 200, seconds=0, request_id=None, caller=None, quiet=False)
    assert out.getvalue().count(b"\n") == 3

    log.note(HEAD, 200, seconds=0, request_id=None, caller=None, quiet=False)
    assert out.getvalue().count(b"\n") == 3
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert out.getvalue().count(b"\n") == 4


# Over REST


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    """Reads the lines of what the test has asked so far."""
    log, out = a_log("debug")
    monkeypatch.setattr(access_log, "_log", log)
    return lambda: written(log, out)


async def test_a_request_is_told_by_its_route_and_its_caller(
    rest: httpx.AsyncClient, lines: Lines
) -> None:
    key = await a_key("test")

    answer = await rest.get(
        "/v2/sms/messages/msg_of_somebody?phone=%2B5511987654321",
        headers={"Authorization": f"Bearer {key}"},
    )

    (line,) = lines()
    assert (line["method"], line["route"], line["status"]) == ("GET", "/v2/sms/messages/{id}", 404)
    assert line["request_id"] == answer.headers["x-request-id"]
    assert line["organization_id"].startswith("org_")
    assert line["credential_id"].startswith("key_")
    assert line["env"] == "test"


@pytest.mark.parametrize(
    ("asked", "route", "status"),
    [
        ("GET /v2/sms/messages", "/v2/sms/messages", 401),
        ("OPTIONS /v2/sms/messages", "/v2/sms/messages", 204),
        ("PATCH /v2/sms/messages", "/v2/sms/messages", 405),
        ("GET /l/secretCode", "/l/{code:path}", 404),
        ("GET /openapi.json", "/openapi.json", 200),
        ("GET /nowhere/5511987654321", "unmatched", 404),
    ],
)
async def test_every_answer_has_a_line(
    rest: httpx.AsyncClient, lines: Lines, asked: str, route: str, status: int
) -> None:
    method, path = asked.split()
    answer = await rest.request(method, path)

    (line,) = lines()
    assert answer.status_code == status
    assert (line["method"], line["route"], line["status"]) == (method, route, status)
    assert line["request_id"] == answer.headers["x-request-id"]


async def test_a_fault_of_ours_has_a_line(
    rest: httpx.AsyncClient, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(endpoint, "authenticate", broken)

    assert (await rest.get("/v2/sms/messages")).status_code == 500

    (line,) = lines()
    assert (line["status"], line["level"]) == (500, "warning")
