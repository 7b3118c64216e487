"""Limits with a ceiling, and cursors that are ours or nothing."""

import base64
from datetime import UTC, datetime

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.database.pages import UnreadableCursor, cursor_after, cut, read_cursor

AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def written(value: object) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(value)).decode()


@pytest.mark.parametrize(
    ("asked", "given_"), [(None, 50), (1, 1), (50, 50), (200, 200), (201, 200), (10**30, 200)]
)
def test_a_page_has_50_rows_unless_asked_and_200_at_most(asked: int | None, given_: int) -> None:
    assert cut(asked) == given_


def test_a_list_may_have_limits_of_its_own() -> None:
    assert (cut(None, default=25, ceiling=100), cut(101, default=25, ceiling=100)) == (25, 100)


@given(
    at=st.datetimes(timezones=st.just(UTC)),
    id=st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=30),
)
def test_a_cursor_comes_back_to_the_microsecond(at: datetime, id: str) -> None:
    assert read_cursor(cursor_after(at, id)) == (at, id)


def test_a_cursor_is_safe_in_an_address() -> None:
    cursor = cursor_after(AT, "msg_1?&=/+ é")

    assert set(cursor) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_cursors_of_other_instants_or_rows_differ() -> None:
    assert (
        len(
            {
                cursor_after(AT, "a"),
                cursor_after(AT, "b"),
                cursor_after(AT.replace(microsecond=0), "a"),
            }
        )
        == 3
    )


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "a",
        "====",
        "not a cursor",
        "é",
        "\x00",
        "\udcff",
        "A" * 100_000,
        base64.urlsafe_b64encode(b"\xff\xfe\x00binary").decode(),
        base64.urlsafe_b64encode(b"[" * 10_000).decode(),
        base64.urlsafe_b64encode(b'[1, "a"').decode(),
        base64.urlsafe_b64encode(b'[NaN, "a"]').decode(),
        base64.urlsafe_b64encode(b'[1, "\\ud800"]').decode(),
        base64.urlsafe_b64encode(b'[1e400, "a"]').decode(),
        base64.urlsafe_b64encode(b"[" + b"9" * 5000 + b', "a"]').decode(),
        written(None),
        written(1),
        written("ab"),
        written([]),
        written([1]),
        written([1, "a", "b"]),
        written({"a": 1, "b": 2}),
        written(["1", "a"]),
        written([1.5, "a"]),
        written([1e30, "a"]),
        written([True, "a"]),
        written([None, "a"]),
        written([1, None]),
        written([1, 2]),
        written([1, ["a"]]),
        written([1, "a\x00b"]),
        written([2**63, "a"]),
        written([-(2**63), "a"]),
        written([10**18, "a"]),
    ],
)
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(UnreadableCursor, match="not one that this list gave"):
        read_cursor(cursor)


@given(st.text(max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        at, id = read_cursor(text)
    except UnreadableCursor:
        return
    assert read_cursor(cursor_after(at, id)) == (at, id)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats() | st.text(), st.lists
    )
)
def test_no_json_breaks_the_reader(value: object) -> None:
    try:
        at, id = read_cursor(written(value))
    except UnreadableCursor:
        return
    except TypeError:  # orjson cannot write a lone surrogate
        return
    assert isinstance(id, str)
    assert at.tzinfo is UTC
