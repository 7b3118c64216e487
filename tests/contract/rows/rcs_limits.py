"""Interface: Limits, RCS; decisions: RCS card button."""

from typing import Any

from tests.contract.rows.rcs import LATER, LISTED, SEND
from tests.contract.rows.sms_limits import METADATA, METADATA_TAKES
from tests.contract.table import Limit, Page
from tests.factories.rcs import CARD


def card(**changes: Any) -> dict[str, Any]:
    return {"card": {**CARD, **changes}}


def buttons(count: int = 1, **changes: Any) -> dict[str, Any]:
    return card(suggestions=[{"type": "reply", "text": "Sim", **changes}] * count)


LIMITS = [
    Limit(
        address=SEND,
        field="#Idempotency-Key",
        takes=["k", "k" * 255],
        refuses=[("", "wrong_format"), ("k" * 256, "wrong_format")],
    ),
    Limit(
        address=SEND,
        field="/to",
        takes=["+5511987650001", "(11) 98765-0001"],
        refuses=[("", "invalid_phone"), ("12", "invalid_phone"), ("9" * 41, "too_long")],
    ),
    Limit(
        address=SEND,
        field="/route",
        takes=["easy_rcs", "easy_otp_rcs"],
        refuses=[("premium", "not_allowed")],
    ),
    Limit(
        address=SEND,
        field="/content",
        takes=[
            {"text": "x"},
            {"text": "x" * 160},
            card(),
            buttons(4),
            card(description="x" * 2_000),
        ],
        refuses=[
            ({}, "required"),
            ({"text": "x", **card()}, "required"),
            ({"text": ""}, "too_short", "/text"),
            ({"text": "x" * 161}, "too_long", "/text"),
            (card(title="x" * 201), "too_long", "/card/title"),
            (card(description="x" * 2_001), "too_long", "/card/description"),
            (card(fileUrl="http://example.com/a.png"), "wrong_format", "/card/fileUrl"),
            (card(fileUrl="https://10.0.0.1/a.png"), "wrong_format", "/card/fileUrl"),
            (buttons(5), "too_many", "/card/suggestions"),
            (buttons(text="x" * 26), "too_long", "/card/suggestions/0/text"),
            (buttons(postback="x" * 121), "too_long", "/card/suggestions/0/postback"),
            (buttons(type="share"), "not_allowed", "/card/suggestions/0/type"),
        ],
    ),
    Limit(
        address=SEND,
        field="/fallback",
        takes=[{"text": "x" * 160}],
        refuses=[({"text": "x" * 161}, "too_long", "/text"), ({"text": ""}, "too_short", "/text")],
    ),
    Limit(address=SEND, field="/metadata", takes=METADATA_TAKES, refuses=METADATA),
    Limit(
        address=SEND,
        field="/contactId",
        takes=["<contact>"],
        refuses=[("", "too_short"), ("c" * 31, "too_long")],
    ),
    Limit(
        address=SEND,
        field="/scheduledAt",
        takes=["2020-01-01T00:00:00Z", LATER],
        refuses=[("2999-01-01T12:00:00Z", "too_large"), ("tomorrow", "wrong_format")],
    ),
    Limit(
        address=SEND,
        field="/campaignId",
        takes=["c" * 80],
        refuses=[("", "too_short"), ("c" * 81, "too_long")],
    ),
]

PAGES = [
    Page(
        address=LISTED,
        fill=lambda world, count: world.rows("rcs", count, table="messages"),
        skips=False,
    ),
]
