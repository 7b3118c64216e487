"""Interface: Limits, SMS."""

from typing import Any

from tests.contract.rows.sms import LATER, SEND
from tests.contract.table import Limit, Page
from tests.contract.world import World

METADATA: list[tuple[Any, ...]] = [
    ({f"k{n}": n for n in range(21)}, "too_many"),
    ({"k" * 65: 1}, "too_long", "/" + "k" * 65),
    *(({key: 1}, "wrong_format", f"/{key}") for key in ("1st", "_a", "with space", "açao", "")),
    ({"k": "v" * 257}, "too_long", "/k"),
    ({"k": None}, "wrong_type", "/k"),
    ({"k": [1]}, "wrong_type", "/k"),
    ({"k": {"l": 1}}, "wrong_type", "/k"),
    ({"k": 2**53}, "too_large", "/k"),
    ({"k": float("inf")}, "not_finite", "/k"),
    ({"k": "a\x00"}, "nul", "/k"),
]
"""What the shared type metadata refuses."""

METADATA_TAKES = [
    {},
    {f"k{n}": n for n in range(20)},
    {"k" * 64: "v" * 256, "A.b-c_9": 2**53 - 1, "f": -1.5, "t": True},
]

LONGEST = 1600

LIMITS = [
    Limit(
        address=SEND,
        field="#Idempotency-Key",
        takes=["k", "k" * 255],
        refuses=[("", "wrong_format"), ("k" * 256, "wrong_format")],
    ),
    *(
        Limit(
            address=address,
            field="/body",
            takes=["x", "x" * LONGEST],
            refuses=[("", "too_short"), ("x" * (LONGEST + 1), "too_long"), ("a\x00", "nul")],
        )
        for address in (SEND, "POST /v2/sms/preview", "POST /v2/sandbox/sms/replies")
    ),
    Limit(
        address=SEND,
        field="/to",
        takes=["+5511987650005", "(11) 98765-0005", "+14155552671"],
        refuses=[("", "invalid_phone"), ("12", "invalid_phone"), ("9" * 41, "too_long")],
    ),
    Limit(
        address=SEND,
        field="/route",
        takes=["premium", "otp"],
        refuses=[("PREMIUM", "not_allowed"), ("", "not_allowed")],
    ),
    Limit(
        address="POST /v2/sms/preview",
        field="/route",
        takes=["premium", "otp"],
        refuses=[("fast", "not_allowed")],
    ),
    Limit(
        address=SEND,
        field="/scheduledAt",
        takes=["2020-01-01T00:00:00Z", LATER],
        refuses=[("2999-01-01T12:00:00Z", "too_large"), ("tomorrow", "wrong_format")],
    ),
    Limit(address=SEND, field="/metadata", takes=METADATA_TAKES, refuses=METADATA),
    Limit(
        address=SEND,
        field="/senderId",
        takes=["L", "Loja 1.2_3-4 ab"],
        refuses=[("", "wrong_format"), ("x" * 16, "wrong_format")],
    ),
    Limit(
        address=SEND,
        field="/contactId",
        takes=["<contact>"],
        refuses=[("", "too_short"), ("c" * 31, "too_long")],
    ),
    Limit(
        address=SEND,
        field="/campaignId",
        takes=["c" * 80],
        refuses=[("", "too_short"), ("c" * 81, "too_long")],
    ),
    Limit(
        address="GET /v2/sms/messages",
        field="?status",
        takes=["queued", "sending", "sent", "delivered", "failed", "undelivered"],
        refuses=[("read", "not_allowed")],
    ),
    Limit(
        address="GET /v2/sms/messages",
        field="?region",
        takes=["BR", "INTL"],
        refuses=[("br", "not_allowed")],
    ),
    *(
        Limit(
            address=address,
            field=f"?{name}",
            takes=["2026-11-21", "2026-11-21T12:00:00-03:00"],
            refuses=[
                ("2026", "wrong_format"),
                ("2026-13-01", "wrong_format"),
                ("0001-01-01T00:00:00+14:00", "out_of_range"),
            ],
        )
        for address in ("GET /v2/sms/messages", "GET /v2/sms/replies")
        for name in ("from", "to")
    ),
    Limit(address="GET /v2/sms/messages", field="?contactId", refuses=[("a\x00", "nul")]),
    Limit(
        address="POST /v2/sandbox/sms/replies",
        field="/inReplyTo",
        refuses=[("", "too_short"), ("m" * 31, "too_long")],
    ),
    Limit(
        address="GET /v2/sms/messages",
        field="?phone",
        takes=["+5511987650005", "(11) 98765-0005"],
        refuses=[("12", "invalid_phone"), ("9" * 41, "too_long")],
    ),
]


async def replies(world: World, count: int) -> None:
    """So many replies to one message."""
    await world.copies(
        await world.record("sms reply"), count - 1, table="messages", unique=("provider_reference",)
    )


PAGES = [
    Page(
        address="GET /v2/sms/messages",
        fill=lambda world, count: world.rows("sms", count, table="messages"),
    ),
    Page(address="GET /v2/sms/replies", fill=replies),
]
