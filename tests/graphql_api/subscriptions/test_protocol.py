"""What may be said when."""

from typing import Any

import orjson
import pytest

from graphql_api.subscriptions.connection import token_of
from graphql_api.subscriptions.protocol import (
    MAX_INTRODUCTION_BYTES,
    MAX_MESSAGE_BYTES,
    MAX_REASON_BYTES,
    Closing,
    Complete,
    Init,
    Ping,
    Protocol,
    Subscribe,
)

INIT = {"type": "connection_init"}
ONE: dict[str, Any] = {"type": "subscribe", "id": "1", "payload": {"query": "subscription { x }"}}


def protocol(*before: dict[str, Any] | str) -> Protocol:
    """A conversation in which this was said; `ack` is ours."""
    talk = Protocol()
    for message in before:
        if message == "ack":
            talk.acknowledge()
        else:
            talk.read(orjson.dumps(message).decode())
    return talk


def read(talk: Protocol, message: Any) -> Any:
    return talk.read(
        message if isinstance(message, str | bytes) else orjson.dumps(message).decode()
    )


@pytest.mark.parametrize(
    ("before", "message", "code"),
    [
        ([], "{", 4400),
        ([], "[]", 4400),
        ([], "1", 4400),
        ([], {}, 4400),
        ([], {"type": "nothing"}, 4400),
        ([], {"type": 1}, 4400),
        ([], {"type": "start", "id": "1"}, 4400),  # the older protocol
        ([], {"type": "connection_ack"}, 4400),  # ours to say
        ([], b'{"type": "ping"}', 4400),
        ([], {"type": "ping", "payload": 1}, 4400),
        ([], {"type": "connection_init", "payload": "key"}, 4400),
        ([], " " * (MAX_INTRODUCTION_BYTES + 1), 1009),
        ([INIT, "ack"], " " * (MAX_MESSAGE_BYTES + 1), 1009),
        ([], ONE, 4401),
        ([INIT], ONE, 4401),
        ([INIT], INIT, 4429),
        ([INIT, "ack"], INIT, 4429),
        ([INIT, "ack"], {**ONE, "id": 1}, 4400),
        ([INIT, "ack"], {**ONE, "id": ""}, 4400),
        ([INIT, "ack"], {**ONE, "id": "x" * 129}, 4400),
        ([INIT, "ack"], {"type": "subscribe", "id": "1"}, 4400),
        ([INIT, "ack"], {**ONE, "payload": []}, 4400),
        ([INIT, "ack", ONE], ONE, 4409),
        ([INIT, "ack"], {"type": "complete"}, 4400),
        ([], '{"type": "ping", "payload": {"a": ' + "[" * 500 + "]" * 500 + "}}", 4400),
    ],
)
def test_what_may_not_be_said_closes_with_the_code_of_the_protocol(
    before: list[Any], message: Any, code: int
) -> None:
    with pytest.raises(Closing) as closing:
        read(protocol(*before), message)
    assert closing.value.code == code
    assert 0 < len(closing.value.reason) <= MAX_REASON_BYTES


@pytest.mark.parametrize(
    ("before", "message", "said"),
    [
        ([], INIT, Init({})),
        ([], {**INIT, "payload": None}, Init({})),
        ([], {**INIT, "payload": {"key": "k"}}, Init({"key": "k"})),
        ([], {"type": "ping"}, Ping()),
        ([], {"type": "pong", "payload": {"any": 1}}, None),
        ([INIT, "ack"], ONE, Subscribe("1", ONE["payload"])),
        ([INIT, "ack"], {"type": "complete", "id": "unknown"}, Complete("unknown")),
        ([INIT, "ack", ONE, {"type": "complete", "id": "1"}], ONE, Subscribe("1", ONE["payload"])),
    ],
)
def test_what_may_be_said_is_understood(before: list[Any], message: Any, said: Any) -> None:
    assert read(protocol(*before), message) == said


def test_a_reason_fits_into_a_close_frame() -> None:
    assert len(Closing(4403, "ã" * 200).reason.encode()) <= MAX_REASON_BYTES


@pytest.mark.parametrize(
    ("payload", "token"),
    [
        ({"Authorization": "Bearer t"}, "t"),
        ({"authorization": "bearer  t "}, "t"),
        ({"key": "t"}, "t"),
        ({"authorization": "Basic t"}, "Basic t"),  # nobody's
        ({"authorization": 1}, None),
        ({"key": 1}, None),
        ({}, None),
    ],
)
def test_the_key_is_in_the_payload_of_the_introduction(
    payload: dict[str, Any], token: str | None
) -> None:
    assert token_of(payload) == token
