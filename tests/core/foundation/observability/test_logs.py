"""Logs: one JSON line per event, with the request id, and never a person's data."""

import json
import os
import pty
import re
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from pydantic import BaseModel
from tortoise.exceptions import IntegrityError

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.database.unique_violations import constraint_of
from core.foundation.errors import NotFound
from core.foundation.observability.logs import without_values
from core.messaging.models import Message

ROOT = Path(__file__).resolve().parents[4]

PROGRAM = """
import logging, sys
import structlog
from core.foundation.observability import logs

logs.configure("info")
log = structlog.get_logger()
log.info("no request")
structlog.contextvars.bind_contextvars(request_id="req_1")
log.debug("too little")
log.warning("kept", number=1, text="é", odd={1}, other=object)
logging.getLogger("a.dependency").warning("said %s", "so")
logging.getLogger("a.dependency").info("too little")
logging.getLogger("asyncio").error("never retrieved: <Task exception=KeyError('+5511987654321')>")
logging.getLogger("uvicorn.error").warning("cannot bind ('127.0.0.1', 8000)")
try:
    raise ValueError("first")
except ValueError as error:
    log.exception("failed")
    logging.getLogger("a.dependency").exception("failed too")
print("the answer")
"""


@pytest.fixture(scope="module")
def run() -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )


@pytest.fixture(scope="module")
def lines(run: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.stderr.splitlines()]


def test_every_event_is_one_line_also_those_of_libraries(lines: list[dict[str, Any]]) -> None:
    assert [(line["level"], line["event"]) for line in lines] == [
        ("info", "no request"),
        ("warning", "kept"),
        ("warning", "said so"),
        ("error", "never retrieved: <Task exception=KeyError(…)>"),
        ("warning", "cannot bind ('127.0.0.1', 8000)"),
        ("error", "failed"),
        ("error", "failed too"),
    ]


def test_standard_output_is_left_to_answers(run: "subprocess.CompletedProcess[str]") -> None:
    assert run.stdout == "the answer\n"


def test_every_line_of_a_request_names_it(lines: list[dict[str, Any]]) -> None:
    assert [line.get("request_id") for line in lines] == [None, *["req_1"] * 6]


def test_every_line_has_its_moment_in_utc(lines: list[dict[str, Any]]) -> None:
    assert all(line["timestamp"].endswith("Z") for line in lines)


def test_facts_keep_their_types_and_odd_ones_become_text(lines: list[dict[str, Any]]) -> None:
    kept = lines[1]

    assert (kept["number"], kept["text"]) == (1, "é")
    assert all(isinstance(kept[name], str) for name in ("odd", "other"))


def test_an_exception_is_told_with_its_place(lines: list[dict[str, Any]]) -> None:
    for line in lines[5:]:
        assert line["exception"].startswith("Traceback")
        assert line["exception"].endswith("ValueError: first")
    assert lines[6]["logger"] == "a.dependency"


# What PostgreSQL quotes


PHONE = "+5511987654321"
NAME = "Quitéria"
EMAIL = "quiteria@particular.test"


async def a_message(**columns: Any) -> None:
    values = {
        "id": "msg_1",
        "organization_id": "org_1",
        "env": "test",
        "channel": "sms",
        "direction": "outbound",
        "status": "sent",
        "recipient": PHONE,
        "created_at": now(),
        "updated_at": now(),
    }
    await Message.create(**{**values, **columns})


async def fault(statement: str, *values: Any) -> Exception:
    """How a statement fails."""
    with pytest.raises(Exception) as failed:  # noqa: PT011 - every kind
        async with transaction():
            await db.execute(statement, *values)
    assert isinstance(failed.value, Exception)
    return failed.value


def told(error: BaseException) -> str:
    return without_values((type(error), error, error.__traceback__))


@pytest.fixture
async def a_stored_message(clean_slate: None) -> None:
    await a_message()
    await db.execute("ALTER TABLE messages ADD CONSTRAINT dear CHECK (coins < 10)")
    await db.execute("CREATE UNIQUE INDEX one_per_phone ON messages (recipient)")


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        ("UPDATE messages SET coins = 10", ()),
        (
            'INSERT INTO messages SELECT c.* FROM messages m, jsonb_populate_record(m, \'{"id": "msg_2"}\') c',
            (),
        ),
        ("UPDATE messages SET status = NULL", ()),
        ("SELECT $1::int", (PHONE,)),
        ("SELECT ('x' || recipient)::timestamptz FROM messages", ()),
    ],
)
async def test_a_failure_of_the_database_is_told_without_rows_and_values(
    statement: str, values: tuple[Any, ...], a_stored_message: None
) -> None:
    error = await fault(statement, *values)
    assert PHONE.removeprefix("+") in f"{error}{getattr(error, 'context', '')}", (
        "nothing is hidden here"
    )

    line = told(error)

    assert PHONE.removeprefix("+") not in line
    assert type(error).__name__ in line


async def test_so_is_one_that_tortoise_wrapped(a_stored_message: None) -> None:
    with pytest.raises(IntegrityError) as failed:
        async with transaction():
            await a_message(id="msg_2")
    assert PHONE in str(failed.value)

    line = told(failed.value)

    assert PHONE not in line
    assert 'violates unique constraint "one_per_phone' in line


async def test_and_one_among_several(a_stored_message: None) -> None:
    error = await fault("UPDATE messages SET coins = 10")

    line = told(ExceptionGroup("several", [ValueError("other"), error]))

    assert PHONE not in line
    assert "ValueError: other" in line
    assert 'violates check constraint "dear' in line


async def test_the_exception_itself_stays_whole(a_stored_message: None) -> None:
    error = await fault("UPDATE messages SET coins = 10")
    assert isinstance(error, asyncpg.CheckViolationError)
    before = str(error)

    told(error)

    assert str(error) == before
    assert PHONE in str(error.detail)
    assert constraint_of(error) == "dear"


# What other exceptions quote


class Form(BaseModel):
    phone: bool
    name: str


def of_a_form() -> None:
    Form.model_validate({"phone": PHONE, "name": {"first": NAME}})


def of_a_number() -> None:
    int(f"{PHONE} {NAME}")


def of_a_table() -> None:
    dict[str, str]()[PHONE]


def of_our_own() -> None:
    raise ValueError(f"no such person: {PHONE} {EMAIL}")


def of_a_cause() -> None:
    try:
        of_a_number()
    except ValueError as error:
        raise RuntimeError(f"after {PHONE}") from error


def of_a_group() -> None:
    raise ExceptionGroup(
        f"for {PHONE}", [KeyError(PHONE), ExceptionGroup("inner", [LookupError(f"'{PHONE}'")])]
    )


@pytest.mark.parametrize(
    "fault", [of_a_form, of_a_number, of_a_table, of_our_own, of_a_cause, of_a_group]
)
def test_values_in_the_text_of_an_exception_are_left_out(fault: Callable[[], None]) -> None:
    with pytest.raises(Exception) as failed:  # noqa: PT011 - every kind
        fault()
    whole = "".join(traceback.format_exception(failed.value))
    assert PHONE in whole, "nothing is hidden here"

    line = told(failed.value)

    assert not any(part in line for part in (PHONE.removeprefix("+"), NAME, EMAIL))
    assert type(failed.value).__name__ in line
    assert f"in {fault.__name__}" in line, "where it happened is told"


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 5432)"),
        AttributeError("'NoneType' object has no attribute 'id'"),
        NotFound("No operation has this address; see '/openapi.json'."),
        ValueError("An encryption key has 32 bytes"),
    ],
)
def test_what_speaks_of_code_and_machines_stays_readable(error: Exception) -> None:
    assert told(error).endswith(str(error))


def test_a_circle_of_causes_ends() -> None:
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first

    assert "first" in told(first)


def test_a_terminal_is_written_short_lines_without_personal_data_or_its_own_orders() -> None:
    program = PROGRAM.replace('configure("info")', 'configure("info", "console")').replace(
        'log.info("no request")',
        'log.info("request", route="/v2", organization_id="org_1", agent="\\x1b[2J\\u202e\\nGET")',
    )

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    first, *others = done.stderr.splitlines()

    assert re.fullmatch(r"\d\d:\d\d:\d\d \[info *\] request +route=/v2 agent=\S+", first), first
    assert "\x1b" not in done.stderr, "no colours where there is no terminal, and none of others"
    assert "\u202e" not in done.stderr
    assert "KeyError(…)" in done.stderr
    assert "987654321" not in done.stderr
    assert any("kept" in line and "request_id=req_1" in line for line in others)
    assert done.stderr.count("ValueError: ") == 2


def test_auto_is_colour_on_a_terminal_and_json_elsewhere() -> None:
    """Its standard error is one end of a terminal that we hold the other end of."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    program = 'from core.foundation.observability import logs; import structlog; logs.configure(); structlog.get_logger().info("well")'
    subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, stderr=theirs, check=True, env=environment
    )
    os.close(theirs)
    written = os.read(ours, 4096).decode()
    os.close(ours)

    assert "\x1b[" in written
    assert "well" in written
    assert not written.startswith("{")
