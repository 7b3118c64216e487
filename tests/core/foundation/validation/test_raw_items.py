"""Bodies whose items stay as they were sent: the same answers as when all is read at once."""

import asyncio
import random
from typing import Annotated, Any

import pytest
from pydantic import Field
from pydantic_core import from_json, to_json

from core.foundation import turns
from core.foundation.errors import ServiceError, ValidationFailed
from core.foundation.validation import inputs
from core.foundation.validation.inputs import Input, read_body, read_body_in_turns
from core.foundation.validation.json_syntax import NotJson
from core.foundation.validation.raw_items import (
    PART,
    ReadByItself,
    ReadInParts,
    item_json,
    items_apart,
)

BODY = '{"folgas": [{"a": "é\\n", "n": -1.5e3}, "s", 3, {"k": [true, null]}], "mode": "x"}'.encode()
BYTES = b'{}[]",:\\u0n1-+.eE \t\n\x00\x01tfa\xc3\xa9\xff/x'


class Day(Input):
    """What an item is read as."""

    a: str


class Days(Input):
    """Items that are read by themselves, and something else."""

    days_off: Annotated[list[Annotated[Any, ReadByItself(Day)]], Field(max_length=5)] = Field(
        alias="folgas"
    )
    mode: Annotated[str, Field(max_length=3)] = "y"


def outcome(raw: bytes) -> str:
    try:
        read = read_body(Days, raw)
    except ServiceError as refusal:
        return f"{refusal.code} {refusal.detail} {refusal.errors}"
    return f"{[from_json(item_json(item)) for item in read.days_off]} {read.mode}"


def test_an_item_stays_as_it_was_sent() -> None:
    read = read_body(Days, BODY)

    assert [item_json(item) for item in read.days_off] == [
        '{"a": "é\\n", "n": -1.5e3}'.encode(),
        b'"s"',
        b"3",
        b'{"k": [true, null]}',
    ]
    assert (read.mode, read.model_fields_set) == ("x", {"days_off", "mode"})


def test_an_item_that_was_read_is_json_again() -> None:
    assert item_json({"a": [1, None]}) == b'{"a":[1,null]}'


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[1]",
        b'{"mode": "x"}',
        b'{"folgas": {"a": 1}}',
        b'{"folgas": [1, 2, 3, 4, 5, 6]}',
        b'{"folgas": [1], "other": 2, "mode": "four"}',
        b'{"folgas": ["\\u0000"]}',
        b'{"folgas": [NaN]}',
        b'{"folgas": ["\xff"]}',
        b'{"folgas": [1, 2], "folgas": [3]}',
    ],
)
def test_what_is_wrong_is_told_as_of_a_body_that_is_read_whole(
    raw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = outcome(raw)

    monkeypatch.setattr(inputs, "items_apart", lambda *_: None)
    assert apart == outcome(raw)


def test_an_item_that_is_nested_too_deep_is_its_own_fault() -> None:
    deep, sound = read_body(Days, b'{"folgas": [' + b"[" * 500 + b"]" * 500 + b', "s"]}').days_off

    assert item_json(sound) == b'"s"'
    with pytest.raises(NotJson):
        read_body(Day, item_json(deep))


def test_any_bytes_are_answered_as_when_they_are_read_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(7)
    bodies = [_changed(chance) for _ in range(3_000)]
    apart = [outcome(raw) for raw in bodies]
    assert 300 < sum(items_apart(Days, raw) is not None for raw in bodies) < 2_700

    monkeypatch.setattr(inputs, "items_apart", lambda *_: None)
    assert [raw for raw, told in zip(bodies, apart, strict=True) if outcome(raw) != told] == []


def _changed(chance: random.Random) -> bytes:
    raw = bytearray(BODY)
    for _ in range(chance.choice((1, 1, 2, 3))):
        place, byte = chance.randrange(len(raw)), chance.choice(BYTES)
        match chance.randrange(3):
            case 0:
                raw[place] = byte
            case 1:
                raw.insert(place, byte)
            case _:
                del raw[place]
    return bytes(raw)


class Week(Input):
    """A long list, and something else."""

    all_days: Annotated[list[Day], Field(min_length=1, max_length=4 * PART), ReadInParts()]
    mode: Annotated[str, Field(max_length=3)] = "y"


def a_week(number: int, **fields: object) -> bytes:
    return to_json({"allDays": [{"a": f"é{place}"} for place in range(number)], **fields})


async def test_a_long_list_is_read_in_parts_between_which_others_go_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "TURN_SECONDS", 0.0)
    raw = a_week(4 * PART, mode="z")
    reading = asyncio.create_task(read_body_in_turns(Week, raw))
    rounds = 0
    while not reading.done():
        await asyncio.sleep(0)
        rounds += 1

    assert await reading == read_body(Week, raw)
    assert rounds > 3


@pytest.mark.parametrize(
    "raw",
    [
        a_week(0),
        a_week(4 * PART + 1),
        a_week(3 * PART, mode="long", allDaysOff=True),
        a_week(3 * PART)
        .replace("é149".encode() + b'"', b'", "b": 1')
        .replace(b'"\xc3\xa92"', b"2"),
        a_week(3 * PART).replace("é149".encode(), b"\\u0000"),
        a_week(3 * PART)[:-2],
        b'{"allDays": [' + b"1," * 300 + b'"x"], "mode": null}',
    ],
)
async def test_what_is_wrong_with_a_long_list_is_told_as_ever(raw: bytes) -> None:
    with pytest.raises(ServiceError) as whole:
        read_body(Week, raw)
    with pytest.raises(type(whole.value)) as in_parts:
        await read_body_in_turns(Week, raw)

    assert in_parts.value.detail == whole.value.detail
    assert in_parts.value.errors == whole.value.errors
    assert in_parts.value.errors or not isinstance(whole.value, ValidationFailed)
