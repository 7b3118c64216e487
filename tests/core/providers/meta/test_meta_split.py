"""Whatever is posted, splitting it raises nothing but its one refusal, and reading the parts
nothing at all.
"""

import json
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.foundation.clock import now
from core.foundation.validation.json_field import MAX_DEPTH
from core.providers.meta.webhook import FIELDS, PlatformChange, UnreadableNotice, notices_of, split
from core.providers.platform import InboundMessage, StatusReport
from tests.core.providers.meta.recorded_shapes import NOTICES, notice

RECORDED = [json.loads(notice(name)) for name in NOTICES]

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.sampled_from(
        ["image", "text", "reaction", "nfm_reply", "\x00", "9" * 300, "wamid.x", "1763726400"]
    ),
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=15,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where in a document something stands."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path] * bool(path) + [
        place for key, one in inner for place in places(one, (*path, key))
    ]


PLACES = [(index, place) for index, document in enumerate(RECORDED) for place in places(document)]


def check(body: bytes) -> None:
    try:
        changes = split(body)
    except UnreadableNotice:
        return
    for change in changes:
        stored = orjson.dumps({"account": change.account, "value": change.value})
        assert b"\\u0000" not in stored
        assert len(change.field) <= 60
        assert all(id is None or 0 < len(id) <= 40 for id in (change.platform_id, change.account))
        for one in notices_of(change):
            assert one.at <= now()
            if isinstance(one, InboundMessage | StatusReport):
                assert 0 < len(one.reference) <= 200
            if isinstance(one, InboundMessage):
                assert one.type in ("text", "media", "interactive")
                orjson.dumps(one.payload)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(place=st.sampled_from(PLACES), value=values)
def test_a_recorded_notice_with_anything_at_any_place(
    place: tuple[int, tuple[Any, ...]], value: Any
) -> None:
    index, path = place
    document = json.loads(json.dumps(RECORDED[index]))
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    check(orjson.dumps(document))


@settings(max_examples=200, deadline=None)
@given(body=st.binary(max_size=200) | values.map(orjson.dumps))
def test_any_body(body: bytes) -> None:
    check(body)


@settings(max_examples=300, deadline=None)
@given(
    field=st.sampled_from(sorted(FIELDS)),
    value=st.dictionaries(st.text(max_size=12), values, max_size=5),
)
def test_any_value_of_a_known_field(field: str, value: dict[str, Any]) -> None:
    notices_of(PlatformChange(field, "106540352242922", "102290129340398", value))


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"{}", b"null", b'{"entry": {}}', b'"entry"', b"\xff", b"[" * 2000]
)
def test_what_is_no_notice_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableNotice):
        split(body)


@pytest.mark.parametrize(
    "entry", [None, 7, "x", [], {}, {"changes": None}, {"changes": [7, {}, {"field": "messages"}]}]
)
def test_parts_of_another_form_are_passed_over(entry: Any) -> None:
    body = json.loads(notice("text"))
    body["entry"].insert(0, entry)
    assert split(json.dumps(body).encode()) == split(notice("text"))


def test_what_no_column_takes_is_replaced() -> None:
    body = json.loads(notice("text"))
    body["entry"][0]["changes"][0]["value"]["messages"][0]["text"]["body"] = "a\x00b"
    (change,) = split(json.dumps(body).encode())
    (inbound,) = notices_of(change)
    assert isinstance(inbound, InboundMessage)
    assert inbound.payload == {"text": "a\ufffdb"}


@pytest.mark.parametrize(
    ("depth", "fits"), [(MAX_DEPTH - 1, True), (MAX_DEPTH, False), (900, False)]
)
def test_a_notice_nested_deeper_than_can_be_stored_is_refused(depth: int, fits: bool) -> None:
    inner = b"[" * depth + b"]" * depth
    body = (
        b'{"object": "x", "entry": [{"changes": [{"field": "messages", "value": {"a": %b}}]}]}'
        % inner
    )
    if fits:
        (change,) = split(body)
        assert orjson.dumps(change.value)
    else:
        with pytest.raises(UnreadableNotice):
            split(body)


def test_an_answer_to_a_flow_that_is_no_object_is_left_out() -> None:
    for text in ("", "{", "[]", "7", "[" * 500 + "]" * 500, '{"a":' * 250 + "1" + "}" * 250):
        (change,) = split(notice("flow_reply"))
        change.value["messages"][0]["interactive"]["nfm_reply"]["response_json"] = text
        (inbound,) = notices_of(change)
        assert isinstance(inbound, InboundMessage)
        assert inbound.payload == {"kind": "flow_reply", "name": "flow", "body": "Sent"}


def test_what_no_column_takes_is_replaced_in_the_answer_to_a_flow_too() -> None:
    (change,) = split(notice("flow_reply"))
    change.value["messages"][0]["interactive"]["nfm_reply"]["response_json"] = (
        '{"nome": "a\\u0000b"}'
    )
    (inbound,) = notices_of(change)
    assert isinstance(inbound, InboundMessage)
    assert inbound.payload["response"] == {"nome": "a\ufffdb"}
