"""What recorded notices mean, one by one."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.foundation.clock import now
from core.providers.meta.webhook import FIELDS, PlatformChange, notices_of, split
from core.providers.platform import (
    FlowNotice,
    InboundMessage,
    Notice,
    NumberNotice,
    StatusReport,
    TemplateNotice,
)
from tests.core.providers.meta.recorded_shapes import NOTICES, notice

WABA = "102290129340398"
LINE = "106540352242922"
PERSON = "+5511987650005"
AT = datetime(2025, 11, 21, 12, tzinfo=UTC)
WAMID = "wamid.HBgNNTUxMTk4NzY1MDAwNRUCABIYFDNBRjU5QUE4QkQ2RjAwOTk3AA=="
OURS = "wamid.HBgNNTUxMTk4NzY1MDAwNRUCABEYEkE0QjU5OUFFRTAzODEwMTQ0RgA="
ACCOUNT = "17841400000000001"
FOLLOWER = "1254477777772919"
MID = "aWdfZAG1faXRlbToxOklHTWVzc2FnZAUlEOjE3ODQxNDAwMDAwMDAwMDAx"
TAPPED_AT = datetime(2025, 11, 21, 12, 0, 0, 123000, tzinfo=UTC)


def told(name: str) -> list[Notice]:
    return [one for change in split(notice(name)) for one in notices_of(change)]


def written(type: str, payload: dict[str, Any], **more: Any) -> list[Notice]:
    return [
        InboundMessage(LINE, WAMID, PERSON, type, payload, AT, profile_name="Ana Exemplo", **more)
    ]


def on_instagram(type: str, payload: dict[str, Any], **more: Any) -> InboundMessage:
    return replace(InboundMessage(ACCOUNT, MID, FOLLOWER, type, payload, TAPPED_AT), **more)


def reported(status: str, **more: Any) -> list[Notice]:
    id = "msg_v0486I4sb9qvmbeLF0zLs"
    return [StatusReport(LINE, id, OURS, status, AT, "551187650005", **more)]  # type: ignore[arg-type]


def of_account(kind: str, value: str | None, **more: Any) -> list[Notice]:
    return [NumberNotice(kind, None, WABA, value, AT, **more)]


def of_template(status: str, reason: str | None = None) -> list[Notice]:
    return [TemplateNotice(WABA, "1689556908129832", status, reason, AT)]


AD = json.loads(notice("text_from_ad"))["entry"][0]["changes"][0]["value"]["messages"][0][
    "referral"
]
PHONE = "+5511911110000"

MEANINGS: dict[str, list[Notice]] = {
    "text": written("text", {"text": "Tem em outra cor?"}),
    "text_reply": written("text", {"text": "Sim, esse"}, reply_to="wamid.ours"),
    "text_from_ad": written("text", {"text": "Quero saber mais"}, referral=AD),
    "image": written(
        "media",
        {
            "kind": "image",
            "media": {
                "id": "1003383421387256",
                "mime_type": "image/jpeg",
                "sha256": "SfInY0gGKTsJlUWbwxC1k+FAD0FZHvzwfpvO0zX0GUI=",
                "caption": "Chegou assim",
            },
        },
    ),
    "audio": written(
        "media",
        {
            "kind": "audio",
            "media": {
                "id": "1908647269898587",
                "mime_type": "audio/ogg; codecs=opus",
                "sha256": "5J8qT1eNXl8nYEkdbZ0oC8mYQ0uZr0r2xqgbWm4bP7k=",
                "voice": True,
            },
        },
    ),
    "video": written(
        "media",
        {
            "kind": "video",
            "media": {
                "id": "1166846181421424",
                "mime_type": "video/mp4",
                "sha256": "sQKCnsJRJLTnKnHN6nDyC1bqQmYVcW2qtkD1kXK7XQk=",
            },
        },
    ),
    "document": written(
        "media",
        {
            "kind": "document",
            "media": {
                "id": "1376223850470843",
                "mime_type": "application/pdf",
                "sha256": "m8nWkPRzYVwHqHkKnJ6bGqC6pVQh2tVdJ8yqWnW0kJQ=",
                "caption": "Comprovante",
                "filename": "comprovante.pdf",
            },
        },
    ),
    "sticker": written(
        "media",
        {
            "kind": "sticker",
            "media": {
                "id": "798882015472548",
                "mime_type": "image/webp",
                "sha256": "jEsaPpk4Vd3L5m8uEIkKqKQ5oN6t9B5e1dQmJ0kTQWw=",
                "animated": True,
            },
        },
    ),
    "button_reply": written(
        "interactive", {"kind": "button_reply", "id": "sim", "title": "Sim"}, reply_to="wamid.ours"
    ),
    "list_reply": written(
        "interactive",
        {"kind": "list_reply", "id": "expressa", "title": "Expressa", "description": "Em um dia"},
        reply_to="wamid.ours",
    ),
    "flow_reply": written(
        "interactive",
        {
            "kind": "flow_reply",
            "name": "flow",
            "body": "Sent",
            "response": {"flow_token": "pedido-1042", "horario": "manha"},
        },
        reply_to="wamid.ours",
    ),
    "template_button": written(
        "interactive",
        {"kind": "button", "text": "Parar de receber", "payload": "PARAR"},
        reply_to="wamid.ours",
    ),
    "reaction": written(
        "interactive",
        {"kind": "reaction", "messageId": "wamid.ours", "emoji": "👍"},
        reply_to="wamid.ours",
    ),
    "reaction_taken_back": written(
        "interactive", {"kind": "reaction", "messageId": "wamid.ours"}, reply_to="wamid.ours"
    ),
    "location": written(
        "interactive",
        {
            "kind": "location",
            "latitude": -23.5505,
            "longitude": -46.6333,
            "name": "Loja Centro",
            "address": "Rua de Exemplo, 1",
        },
    ),
    "contacts": [
        InboundMessage(
            LINE,
            "wamid.cards",
            PERSON,
            "interactive",
            {
                "kind": "contacts",
                "contacts": [
                    {
                        "name": {"formatted_name": "Beto Exemplo", "first_name": "Beto"},
                        "phones": [
                            {"phone": "+55 11 98765-0006", "wa_id": "5511987650006", "type": "CELL"}
                        ],
                    }
                ],
            },
            AT,
            profile_name="Ana Exemplo",
        )
    ],
    "order": written(
        "interactive",
        {
            "kind": "order",
            "catalogId": "194836987003835",
            "text": "Para sexta",
            "items": [
                {
                    "product_retailer_id": "di9ozbzfi4",
                    "quantity": 2,
                    "item_price": 30,
                    "currency": "BRL",
                }
            ],
        },
    ),
    "unsupported": written("interactive", {"kind": "unsupported", "type": "unsupported"}),
    "number_changed": [],
    "sent": reported("sent"),
    "delivered": reported("delivered"),
    "read": reported("read"),
    "played": reported("read"),
    "failed": reported(
        "failed",
        code="131049",
        error="The platform chose not to deliver, to keep the recipient's number of marketing messages low.",
    ),
    "deleted": [],
    "partner_removed": of_account("partner_removed", "PARTNER_REMOVED"),
    "partner_app_uninstalled": of_account("app_uninstalled", "PARTNER_APP_UNINSTALLED"),
    "partner_added": of_account("partner_restored", None),
    "account_violation": [],
    "quality_flagged": [
        *of_account("quality", "red", phone=PHONE),
        *of_account("tier", "tier_10k", phone=PHONE),
    ],
    "quality_unflagged": of_account("quality", "unknown", phone=PHONE),
    "limit_upgraded": of_account("tier", "tier_10k", phone=PHONE),
    "throughput_upgraded": [],
    "name_approved": of_account("name", "approved", phone=PHONE),
    "name_rejected": of_account("name", "rejected", phone=PHONE),
    "capability": of_account("tier", "tier_10k"),
    "capability_in_numbers": of_account("tier", "tier_2k"),
    "template_approved": of_template("approved"),
    "template_rejected": of_template("rejected", "INVALID_FORMAT"),
    "template_paused": of_template("paused"),
    "template_disabled": of_template("disabled"),
    "flow_published": [FlowNotice(WABA, "6627390910605886", "PUBLISHED", AT)],
    "flow_throttled": [FlowNotice(WABA, "6627390910605886", "THROTTLED", AT)],
    "flow_slow": [],
    "unknown_field": [],
    "instagram_text": [on_instagram("text", {"text": "Vocês entregam?"})],
    "instagram_story_reply": [
        on_instagram(
            "text",
            {
                "text": "Lindo!",
                "storyUrl": "https://lookaside.fbsbx.com/ig_messaging_cdn/?asset_id=1",
            },
        )
    ],
    "instagram_images": [
        on_instagram(
            "media",
            {
                "kind": "image",
                "media": {"id": "https://lookaside.fbsbx.com/ig_messaging_cdn/?asset_id=2"},
            },
        ),
        on_instagram(
            "media",
            {
                "kind": "image",
                "media": {"id": "https://lookaside.fbsbx.com/ig_messaging_cdn/?asset_id=3"},
            },
            reference=f"{MID}#1",
        ),
    ],
    "instagram_share": [
        on_instagram(
            "interactive",
            {"kind": "unsupported", "type": "share", "url": "https://www.instagram.com/p/exemplo/"},
        )
    ],
    "instagram_quick_reply": [
        on_instagram("interactive", {"kind": "button_reply", "id": "sim", "title": "Sim"}),
    ],
    "instagram_postback": [
        on_instagram(
            "interactive",
            {"kind": "button", "text": "Começar", "payload": "inicio"},
            referral={"ref": "campanha-1", "source": "IG_ME", "type": "OPEN_THREAD"},
        )
    ],
    "instagram_reaction": [
        on_instagram(
            "interactive",
            {"kind": "reaction", "messageId": MID, "emoji": "❤"},
            reply_to=MID,
        )
    ],
    "instagram_read": [StatusReport(ACCOUNT, None, MID, "read", TAPPED_AT, address=FOLLOWER)],
    "instagram_echo": [],
    "instagram_deleted": [],
    "instagram_test": [
        on_instagram("text", {"text": "random_text"}, reference="random_mid", at=AT)
    ],
}


@pytest.mark.parametrize("name", [name for name in NOTICES if name != "instagram_reaction"])
def test_a_notice_means(name: str) -> None:
    assert told(name) == MEANINGS[name]


def test_every_recorded_notice_has_its_meaning() -> None:
    assert set(MEANINGS) == set(NOTICES)


def test_a_reaction_on_instagram_has_a_reference_of_its_own_and_the_same_each_time() -> None:
    (first,), (again,) = told("instagram_reaction"), told("instagram_reaction")
    assert isinstance(first, InboundMessage)
    assert first == again
    assert (first.type, first.payload) == (
        "interactive",
        {"kind": "reaction", "messageId": MID, "emoji": "❤"},
    )
    assert first.reference != MID


def test_a_batch_keeps_its_order_and_says_what_each_part_is_about() -> None:
    """As the platform gathers notices when an address was away."""
    parts = [json.loads(notice(name)) for name in ("text", "delivered", "template_approved")]
    body = json.dumps(
        {**parts[0], "entry": [entry for part in parts for entry in part["entry"]]}
    ).encode()

    changes = split(body)

    assert [(change.field, change.platform_id, change.account) for change in changes] == [
        ("messages", LINE, WABA),
        ("messages", LINE, WABA),
        ("message_template_status_update", None, WABA),
    ]
    assert all(change.field in FIELDS for change in changes)


def test_an_account_is_named_by_what_stands_inside_when_another_party_stands_outside() -> None:
    (change,) = split(notice("partner_removed"))
    assert change.account == WABA


def test_no_notice_lies_in_the_future() -> None:
    arrived = AT - timedelta(days=1)
    (change,) = split(notice("text"))
    (inbound,) = notices_of(change, at=arrived)
    assert inbound.at == arrived


@pytest.mark.parametrize(
    "timestamp", [None, "", "soon", "-1", "9" * 40, 10**30, True, "\uff10\uff11"]
)
def test_an_unreadable_time_is_that_of_the_arrival(timestamp: object) -> None:
    (change,) = split(notice("text"))
    change.value["messages"][0]["timestamp"] = timestamp
    arrived = now()
    (inbound,) = notices_of(change, at=arrived)
    assert inbound.at == arrived


def test_who_has_no_phone_cannot_be_answered_and_is_passed_over() -> None:
    """People with a user name may hide their phone; the interface knows people of this channel by
    it.
    """
    (change,) = split(notice("text"))
    del change.value["messages"][0]["from"]
    assert notices_of(change) == []


def test_a_report_without_our_id_is_known_by_the_platforms() -> None:
    for value in (None, "order-7", "msg_short", 7):
        (change,) = split(notice("delivered"))
        change.value["statuses"][0]["biz_opaque_callback_data"] = value
        (report,) = notices_of(change)
        assert isinstance(report, StatusReport)
        assert (report.message_id, report.reference) == (None, OURS)


def test_a_failure_is_told_in_our_words_only() -> None:
    """The platform's text repeats the recipient's phone."""
    (report,) = told("failed")
    assert "55119" not in str(report).replace("551187650005", "")


def test_an_unknown_field_means_nothing() -> None:
    (change,) = split(notice("unknown_field"))
    assert change.field == "security"
    assert change.field not in FIELDS
    assert notices_of(change) == []


def test_a_change_says_the_same_after_it_was_stored() -> None:
    """Stored as JSON, read again by a worker."""
    for name in NOTICES:
        for change in split(notice(name)):
            again = PlatformChange(
                change.field,
                change.platform_id,
                change.account,
                json.loads(json.dumps(change.value)),
            )
            assert notices_of(again, at=AT) == notices_of(change, at=AT)
