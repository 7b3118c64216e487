"""Decisions: POST /messages: what its fields take."""

from datetime import timedelta
from typing import Any

from core.foundation.clock import now
from tests.contract.rows.conversations import FORCE, SEND
from tests.contract.rows.sms_limits import METADATA, METADATA_TAKES
from tests.contract.table import Limit
from tests.factories.conversations import ANA

CHOICE = {"id": "a", "title": "Sim"}
ROW = {"id": "a", "title": "Hoje"}


def buttons(*choices: dict[str, str], **changes: Any) -> dict[str, Any]:
    return {"kind": "buttons", "body": "Hoje?", "buttons": list(choices or (CHOICE,)), **changes}


def rows(count: int, start: int = 0) -> list[dict[str, str]]:
    return [{"id": f"r{place}", "title": f"Linha {place}"} for place in range(start, start + count)]


def menu(*sections: Any, **changes: Any) -> dict[str, Any]:
    return {
        "kind": "list",
        "body": "Hoje?",
        "buttonText": "Ver",
        "sections": list(sections),
        **changes,
    }


def page(**changes: Any) -> dict[str, Any]:
    return {
        "kind": "cta_url",
        "body": "Veja",
        "buttonText": "Abrir",
        "url": "https://example.com/1",
        **changes,
    }


def form(**changes: Any) -> dict[str, Any]:
    return {"kind": "flow", "body": "Responda", "buttonText": "Abrir", "flowId": "flw_1", **changes}


def file(kind: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "media": {"id": "med_1", **fields}}


INTERACTIVE, MEDIA = {"type": "interactive"}, {"type": "media"}
ON_INSTAGRAM = {"numberId": None, "instagramAccountId": "iga_1", "to": "17841400000000001"}


def of(address: str) -> list[Limit]:
    """What a send takes, at either address."""
    return [
        Limit(
            address=address,
            field="/to",
            takes=[ANA, "(11) 98765-0301"],
            refuses=[("12", "invalid_phone"), ("", "too_short"), ("9" * 41, "too_long")],
        ),
        Limit(
            address=address,
            field="/to",
            change={"numberId": None, "instagramAccountId": "iga_1"},
            refuses=[("+5511987650301", "wrong_format"), ("1784x", "wrong_format")],
        ),
        Limit(
            address=address,
            field="/payload",
            change=ON_INSTAGRAM,
            refuses=[
                ({"text": "x" * 1001}, "too_long", "/text"),
                ({"text": "é" * 501}, "too_long", "/text"),
            ],
        ),
        Limit(
            address=address,
            field="/payload",
            change={**ON_INSTAGRAM, **MEDIA},
            refuses=[
                (file("sticker"), "not_allowed", "/kind"),
                (file("image", caption="x"), "not_allowed", "/media/caption"),
            ],
        ),
        Limit(
            address=address,
            field="/payload",
            change={**ON_INSTAGRAM, **INTERACTIVE},
            refuses=[
                (buttons(CHOICE, body="é" * 501), "too_long", "/body"),
                (buttons(CHOICE, header={"text": "x"}), "not_allowed", "/header"),
                (buttons(CHOICE, footer="x"), "not_allowed", "/footer"),
            ],
        ),
        Limit(address=address, field="/type", takes=["text"], refuses=[("sticker", "not_allowed")]),
        Limit(
            address=address,
            field="/payload",
            takes=[{"text": "x"}, {"text": "x" * 4096, "previewUrl": True}],
            refuses=[
                ({}, "required", "/text"),
                ({"text": ""}, "too_short", "/text"),
                ({"text": "x" * 4097}, "too_long", "/text"),
                ({"text": "x", "previewUrl": "yes"}, "wrong_type", "/previewUrl"),
                ({"text": "x", "caption": "x"}, "unknown_field", "/caption"),
            ],
        ),
        Limit(
            address=address,
            field="/payload",
            change=MEDIA,
            refuses=[
                (file("gif"), "not_allowed", "/kind"),
                (file("image", caption="x" * 1025), "too_long", "/media/caption"),
                (file("audio", caption="x"), "not_allowed", "/media/caption"),
                (file("image", filename="a.png"), "not_allowed", "/media/filename"),
                (file("video", voice=True), "not_allowed", "/media/voice"),
                (file("document", filename="x" * 256), "too_long", "/media/filename"),
            ],
        ),
        Limit(
            address=address,
            field="/payload",
            change=INTERACTIVE,
            takes=[
                buttons(CHOICE, {"id": "b", "title": "Não"}, {"id": "c", "title": "x" * 20}),
                buttons(body="x" * 1024, footer="x" * 60, header={"text": "x" * 60}),
                menu({"rows": rows(10)}),
                menu(
                    {"title": "x" * 24, "rows": rows(5)},
                    {"title": "b", "rows": rows(5, 5)},
                    header="x" * 60,
                ),
                page(),
            ],
            refuses=[
                ({"kind": "product"}, "not_allowed", "/kind"),
                ({"kind": None}, "not_allowed", "/kind"),
                ({"body": "x"}, "required", "/kind"),
                (buttons(body=""), "too_short", "/body"),
                (buttons(body="x" * 1025), "too_long", "/body"),
                (buttons(footer="x" * 61), "too_long", "/footer"),
                (
                    buttons(*[{"id": f"{n}", "title": f"{n}"} for n in range(4)]),
                    "too_many",
                    "/buttons",
                ),
                (buttons({"id": "a", "title": "x" * 21}), "too_long", "/buttons/0/title"),
                (buttons({"id": "x" * 257, "title": "x"}), "too_long", "/buttons/0/id"),
                (buttons(CHOICE, CHOICE), "not_allowed", "/buttons"),
                (buttons(header={}), "required", "/header/text"),
                (buttons(header={"kind": "image"}), "required", "/header/media"),
                (
                    buttons(header={"text": "x", "media": {"id": "m"}}),
                    "not_allowed",
                    "/header/media",
                ),
                (menu(), "too_few", "/sections"),
                (menu({"rows": []}), "too_few", "/sections/0/rows"),
                (menu({"rows": rows(11)}), "too_many", "/sections/0/rows"),
                (
                    menu({"title": "a", "rows": rows(6)}, {"title": "b", "rows": rows(5, 6)}),
                    "too_many",
                    "/sections",
                ),
                (
                    menu({"rows": rows(1)}, {"title": "b", "rows": rows(1, 1)}),
                    "required",
                    "/sections/0/title",
                ),
                (menu({"rows": [ROW, ROW]}), "not_allowed", "/sections"),
                (
                    menu({"rows": [{**ROW, "description": "x" * 73}]}),
                    "too_long",
                    "/sections/0/rows/0/description",
                ),
                (
                    menu({"rows": [{**ROW, "title": "x" * 25}]}),
                    "too_long",
                    "/sections/0/rows/0/title",
                ),
                (menu({"rows": rows(1)}, buttonText="x" * 21), "too_long", "/buttonText"),
                (page(url="javascript:alert(1)"), "wrong_format", "/url"),
                (page(url="https://example.com/" + "x" * 1990), "too_long", "/url"),
                (page(buttonText=""), "too_short", "/buttonText"),
                (form(data={"a": 1}), "required", "/screen"),
                (form(buttonText="x" * 31), "too_long", "/buttonText"),
                (form(token="x" * 257), "too_long", "/token"),
            ],
        ),
        Limit(
            address=address,
            field="/templateVars",
            change={"type": "template", "payload": None, "templateId": "tpl_1"},
            refuses=[(["x"] * 101, "too_many"), (["x" * 1025], "too_long", "/0")],
        ),
        Limit(
            address=address,
            field="/priority",
            takes=["normal", "bulk", "critical"],
            refuses=[("urgent", "not_allowed")],
        ),
        Limit(
            address=address,
            field="/scheduledAt",
            takes=["2020-01-01T00:00:00Z", (now() + timedelta(days=364)).isoformat()],
            refuses=[("2999-01-01T12:00:00Z", "too_large"), ("tomorrow", "wrong_format")],
        ),
        Limit(address=address, field="/metadata", takes=METADATA_TAKES, refuses=METADATA),
        Limit(
            address=address,
            field="/campaignId",
            takes=["c" * 80],
            refuses=[("", "too_short"), ("c" * 81, "too_long")],
        ),
        *(
            Limit(address=address, field=field, refuses=[("", "too_short"), ("x" * 31, "too_long")])
            for field in (
                "/numberId",
                "/instagramAccountId",
                "/contactId",
                "/templateId",
                "/replyTo",
            )
        ),
        Limit(
            address=address,
            field="#Idempotency-Key",
            takes=["k", "k" * 255],
            refuses=[("", "wrong_format"), ("k" * 256, "wrong_format")],
        ),
    ]


LIMITS = [
    *of(SEND),
    *of(FORCE),
    Limit(
        address=FORCE,
        field="/motivo",
        takes=["m", "m" * 200],
        refuses=[("  ", "too_short"), ("m" * 201, "too_long")],
    ),
]
