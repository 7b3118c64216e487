"""Reading receipts and replies: what they mean, and every wrong field by its name."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.foundation.clock import wire_time
from core.foundation.errors import BadRequest, ServiceError, ValidationFailed
from core.providers.contracts import FALLBACK, DeliveryReport, InboundReply
from core.providers.gateway import read_receipts, read_replies

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
OURS = "msg_000000000000000000001"
RECEIPT = {
    "id": "gw_1",
    "type": "api_message",
    "to": "+5511987654321",
    "reference": OURS,
    "status": "DELIVRD",
    "statusDescription": "Delivered",
}
REPLY = {"id": "mo_1", "inReplyTo": OURS, "from": "+5511987654321", "body": "SIM"}


def a_delivery_report(**more: Any) -> DeliveryReport:
    callback = read_receipts(_json(RECEIPT | more), at=AT)
    assert not callback.errors
    return callback.items[0]


def a_reply(**more: Any) -> InboundReply:
    callback = read_replies(_json(REPLY | more), at=AT)
    assert not callback.errors
    return callback.items[0]


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


@pytest.mark.parametrize("depth", [240, 260, 900])
def test_an_item_that_is_nested_too_deep_keeps_no_other_from_its_message(depth: int) -> None:
    deep = _json(RECEIPT | {"more": 0})[:-2] + b"[" * depth + b"]" * depth + b"}"

    callback = read_receipts(b'{"items": [' + deep + b"," + _json(RECEIPT) + b"]}", at=AT)

    assert [receipt.message_id for receipt in callback.items] == [OURS]
    assert [(error.where, error.code) for error in callback.errors] == [("/items/0", "not_allowed")]


# Receipts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ids", [{"reference": OURS + FALLBACK}, {"id": OURS + FALLBACK, "reference": "gw_1"}]
)
def test_a_report_on_the_sms_that_stood_in_names_the_message_it_stood_in_for(
    ids: dict[str, str],
) -> None:
    receipt = a_delivery_report(**ids)
    assert (receipt.message_id, receipt.reference, receipt.of_fallback) == (OURS, "gw_1", True)
    assert not a_delivery_report().of_fallback


def test_a_receipt_names_its_message_and_carries_what_the_interface_shows() -> None:
    assert a_delivery_report() == DeliveryReport(
        OURS, "gw_1", "delivered", None, AT, RECEIPT | {"received": "2026-03-01T12:00:00.000Z"}
    )


@pytest.mark.parametrize(
    ("state", "reason", "meaning"),
    [
        ("DELIVRD", None, ("delivered", None)),
        ("DELIVRD", "blacklisted", ("delivered", None)),
        ("UNDELIV", None, ("undelivered", "carrier_rejected")),
        ("UNDELIV", "expired", ("undelivered", "carrier_rejected")),
        ("REJECTD", None, ("failed", "invalid_number")),
        ("REJECTD", "blacklisted", ("failed", "blacklisted")),
        ("REJECTD", "carrier_rejected", ("failed", "carrier_rejected")),
        ("REJECTD", "expired", ("failed", "expired")),
        ("REJECTD", "indeterminate", ("failed", "invalid_number")),
        ("REJECTD", "abandoned", ("failed", "invalid_number")),
        ("REJECTD", "whatever", ("failed", "invalid_number")),
        ("EXPIRED", None, ("failed", "expired")),
        ("BLACKLISTED", None, ("failed", "blacklisted")),
        ("delivrd", None, ("delivered", None)),
        (" DELIVRD ", None, ("delivered", None)),
        ("ACCEPTD", None, (None, None)),
        ("ENROUTE", None, (None, None)),
        ("UNKNOWN", None, (None, None)),
        ("READ", "blacklisted", ("read", None)),
    ],
)
def test_what_a_state_means(
    state: str, reason: str | None, meaning: tuple[str | None, str | None]
) -> None:
    receipt = a_delivery_report(status=state, **({} if reason is None else {"reason": reason}))
    assert (receipt.status, receipt.reason) == meaning
    assert receipt.provider_receipt["status"] == state
    assert "reason" not in receipt.provider_receipt


@pytest.mark.parametrize(
    ("ids", "named"),
    [
        ({"id": "gw_1", "reference": OURS}, (OURS, "gw_1")),
        ({"id": OURS, "reference": "gw_1"}, (OURS, "gw_1")),
        ({"id": "gw_1", "reference": None}, (None, "gw_1")),
        ({"id": "receipt_7", "reference": "gw_1"}, (None, "gw_1")),
        ({"id": OURS, "reference": None}, (OURS, None)),
        ({"id": "gw_1", "reference": "msg_short"}, (None, "msg_short")),
    ],
)
def test_our_id_and_the_gateways_are_told_apart_by_their_form(
    ids: dict[str, Any], named: tuple[str | None, str | None]
) -> None:
    receipt = a_delivery_report(**ids)
    assert (receipt.message_id, receipt.reference) == named


def test_the_stored_receipt_holds_the_interfaces_fields_and_no_others() -> None:
    more = {
        "message": "Oi",
        "received": "2026-03-01T11:59:00Z",
        "bill_factor": 1.5,
        "account_id": 2**53 - 1,
        "account_reference": "loja",
        "channel": None,
    }
    stored = a_delivery_report(**more, reason=None, price=7, nested={"cpf": "1"}).provider_receipt
    assert stored == RECEIPT | more
    assert isinstance(stored["account_id"], int)
    assert a_delivery_report(message=None, bill_factor=None).provider_receipt.keys() == {
        *RECEIPT,
        "received",
    }


@pytest.mark.parametrize(
    ("received", "at"),
    [
        ("2026-03-01T11:00:00Z", AT - timedelta(hours=1)),
        ("2026-03-01T08:00:00-03:00", AT - timedelta(hours=1)),
        ("2026-03-01T11:00:00.250", AT - timedelta(hours=1) + timedelta(milliseconds=250)),
        ("2026-03-01 11:00:00", AT - timedelta(hours=1)),
        ("2026-03-01T12:00:01Z", AT),
        ("yesterday", AT),
        ("1772366400", AT),
        ("0001-01-01T00:00:00+14:00", AT),
        (None, AT),
    ],
)
def test_when_it_happened_is_never_in_the_future(received: str | None, at: datetime) -> None:
    receipt = a_delivery_report(received=received)
    assert receipt.at == at
    assert receipt.at.utcoffset() == timedelta(0)
    assert receipt.provider_receipt["received"] == (received or wire_time(AT))
    assert a_reply(receivedAt=received).received_at == at


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({"id": ""}, [("/id", "wrong_format")]),
        ({"id": "x" * 81}, [("/id", "wrong_format")]),
        ({"id": 7}, [("/id", "wrong_type")]),
        ({"id": None}, [("/id", "wrong_type")]),
        ({"type": "sms"}, [("/type", "not_allowed")]),
        ({"to": ""}, [("/to", "too_short")]),
        ({"status": "x" * 41}, [("/status", "too_long")]),
        ({"status": 1}, [("/status", "wrong_type")]),
        ({"statusDescription": None}, [("/statusDescription", "wrong_type")]),
        ({"statusDescription": "nul\x00"}, [("/statusDescription", "nul")]),
        ({"bill_factor": "1"}, [("/bill_factor", "wrong_type")]),
        ({"bill_factor": True}, [("/bill_factor", "wrong_type")]),
        ({"account_id": 2**60}, [("/account_id", "too_large")]),
        ({"channel": "FAX"}, [("/channel", "not_allowed")]),
        (
            {"id": "", "to": 1, "channel": 2},
            [("/id", "wrong_format"), ("/to", "wrong_type"), ("/channel", "not_allowed")],
        ),
    ],
)
def test_every_wrong_field_of_a_receipt_is_named(
    more: dict[str, Any], wrong: list[tuple[str, str]]
) -> None:
    callback = read_receipts(_json(RECEIPT | more), at=AT)
    assert [(error.where, error.code) for error in callback.errors] == wrong
    assert callback.items == ()


def test_every_missing_field_of_a_receipt_is_named() -> None:
    errors = read_receipts(b"{}", at=AT).errors
    assert {error.where for error in errors} == {
        "/id",
        "/type",
        "/to",
        "/status",
        "/statusDescription",
    }
    assert {error.code for error in errors} == {"required"}


# Replies ------------------------------------------------------------------------------------------


def test_a_reply_names_the_message_it_answers() -> None:
    assert a_reply() == InboundReply("mo_1", OURS, None, "+5511987654321", "SIM", AT)


@pytest.mark.parametrize(
    ("ids", "named"),
    [
        ({"inReplyTo": OURS, "reference": "gw_1"}, (OURS, "gw_1")),
        ({"inReplyTo": None, "reference": "gw_1"}, (None, "gw_1")),
        ({"inReplyTo": None, "reference": OURS}, (OURS, None)),
        ({"inReplyTo": "gw_1"}, (None, "gw_1")),
    ],
)
def test_a_reply_may_name_it_by_either_id(
    ids: dict[str, Any], named: tuple[str | None, str | None]
) -> None:
    reply = a_reply(**ids)
    assert (reply.message_id, reply.reference) == named


def test_a_reply_may_be_empty_long_and_from_anywhere() -> None:
    assert a_reply(body="").body == ""
    assert a_reply(body="é" * 4000).body == "é" * 4000
    assert a_reply(**{"from": "5511987654321"}).sender == "+5511987654321"
    assert a_reply(**{"from": "+14155552671"}).sender == "+14155552671"


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({"id": None}, [("/id", "wrong_type")]),
        ({"inReplyTo": None}, [("/reference", "required")]),
        ({"inReplyTo": ""}, [("/inReplyTo", "wrong_format")]),
        ({"from": "27800"}, [("/from", "invalid_phone")]),
        ({"from": "+5511*****4321"}, [("/from", "VALOR_MASCARADO")]),
        ({"body": None}, [("/body", "wrong_type")]),
        ({"body": "a\x00"}, [("/body", "nul")]),
        ({"body": "x" * 4001}, [("/body", "too_long")]),
        ({"receivedAt": 1772366400}, [("/receivedAt", "wrong_type")]),
    ],
)
def test_every_wrong_field_of_a_reply_is_named(
    more: dict[str, Any], wrong: list[tuple[str, str]]
) -> None:
    callback = read_replies(_json(REPLY | more), at=AT)
    assert [(error.where, error.code) for error in callback.errors] == wrong
    assert callback.items == ()


def test_every_missing_field_of_a_reply_is_named() -> None:
    errors = read_replies(b"{}", at=AT).errors
    assert {(error.where, error.code) for error in errors} == {
        (where, "required") for where in ("/id", "/reference", "/from", "/body")
    }


# Batches ------------------------------------------------------------------------------------------


def test_a_batch_keeps_its_order_and_its_repetitions() -> None:
    states = ["ENROUTE", "DELIVRD", "DELIVRD", "UNDELIV"]
    callback = read_receipts(
        _json({"items": [RECEIPT | {"status": state} for state in states]}), at=AT
    )
    assert [item.status for item in callback.items] == [
        None,
        "delivered",
        "delivered",
        "undelivered",
    ]


def test_a_bad_item_does_not_keep_the_others_back() -> None:
    items = [REPLY, REPLY | {"from": "?", "body": 1}, "text", None, REPLY | {"id": "mo_2"}]
    callback = read_replies(_json({"items": items}), at=AT)
    assert [item.provider_id for item in callback.items] == ["mo_1", "mo_2"]
    assert [error.where for error in callback.errors] == [
        "/items/1/from",
        "/items/1/body",
        "/items/2",
        "/items/3",
    ]


def test_no_message_repeats_a_value() -> None:
    callback = read_replies(_json({"items": [REPLY | {"from": "12 40404", "body": 40404}]}), at=AT)
    assert len(callback.errors) == 2
    assert not any("40404" in error.message for error in callback.errors)


def test_five_hundred_items_are_taken_at_once_and_not_one_more() -> None:
    assert len(read_receipts(_json({"items": [RECEIPT] * 500}), at=AT).items) == 500
    with pytest.raises(ValidationFailed) as refused:
        read_receipts(_json({"items": [RECEIPT] * 501}), at=AT)
    assert [(error.where, error.code) for error in refused.value.errors] == [("/items", "too_many")]


def test_an_empty_batch_is_nothing() -> None:
    callback = read_receipts(b'{"items": []}', at=AT)
    assert (callback.items, callback.errors) == ((), ())


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"\xff", b'{"id": NaN}', b'{"id": "\\ud800"}', b"[" * 100_000]
)
@pytest.mark.parametrize("read", [read_receipts, read_replies])
def test_what_is_not_json_is_unreadable(read: Any, raw: bytes) -> None:
    with pytest.raises(BadRequest):
        read(raw, at=AT)


@pytest.mark.parametrize("read", [read_receipts, read_replies])
def test_items_are_a_list(read: Any) -> None:
    with pytest.raises(ServiceError) as refused:
        read(_json({"items": {"0": RECEIPT}}), at=AT)
    assert [(error.where, error.code) for error in refused.value.errors] == [
        ("/items", "wrong_type")
    ]


@pytest.mark.parametrize("raw", [b"[]", b"7", b"null", b'"text"'])
def test_a_body_is_an_object(raw: bytes) -> None:
    assert [(error.where, error.code) for error in read_receipts(raw, at=AT).errors] == [
        ("", "wrong_type")
    ]
