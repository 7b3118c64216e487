"""Limits of push; interface: Limits."""

from tests.contract.rows.push import PREVIEW, QUIET, REGISTER, SEND
from tests.contract.table import Limit, Page

DEVICES = "GET /v2/push/tokens"
LISTED = "GET /v2/push/messages"
OPT_OUT = "POST /v2/push/tokens/opt-out"
TEXTS = [("", "too_short"), ("x" * 201, "too_long")]
TOKENS = [("", "too_short"), ("t" * 2049, "too_long")]

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
            field="/appId",
            takes=["a", "A.b-c_9" + "x" * 73],
            refuses=[("", "wrong_format"), ("a b", "wrong_format"), ("x" * 81, "too_long")],
        )
        for address in (REGISTER, "POST /v2/push/apps")
    ),
    Limit(address=OPT_OUT, field="/appId", refuses=[("", "wrong_format"), ("x" * 81, "too_long")]),
    Limit(address=REGISTER, field="/token", takes=["t", "t" * 2048], refuses=TOKENS),
    Limit(address=OPT_OUT, field="/token", refuses=TOKENS),
    Limit(
        address="POST /v2/push/dispatches/{id}/opened",
        field="/token",
        takes=["t", "t" * 2048],
        refuses=TOKENS,
    ),
    *(
        Limit(address=REGISTER, field=f"/{name}", takes=["x", "x" * 200], refuses=TEXTS)
        for name in ("externalId", "userName", "deviceName")
    ),
    Limit(
        address=REGISTER,
        field="/p256dh",
        takes=["k", "A-_+/" * 24],
        refuses=[("", "wrong_format"), ("k" * 121, "too_long"), ("a b", "wrong_format")],
    ),
    Limit(
        address=REGISTER,
        field="/auth",
        takes=["k", "k" * 40],
        refuses=[("", "wrong_format"), ("k" * 41, "too_long"), ("a b", "wrong_format")],
    ),
    *(
        Limit(
            address=address,
            field="/name",
            takes=["x", "x" * 120],
            refuses=[("", "too_short"), ("x" * 121, "too_long")],
        )
        for address in ("POST /v2/push/apps", "PATCH /v2/push/apps/{appId}")
    ),
    Limit(
        address=REGISTER,
        field="/platform",
        takes=["ios", "android"],
        refuses=[("IOS", "not_allowed"), ("windows", "not_allowed")],
    ),
    Limit(
        address=REGISTER,
        field="/topics",
        takes=[[], ["t" * 64] * 50],
        refuses=[
            (["t"] * 51, "too_many"),
            ([""], "too_short", "/0"),
            (["t" * 65], "too_long", "/0"),
        ],
    ),
    Limit(
        address=REGISTER,
        field="/userPhone",
        takes=["+5511987654321"],
        refuses=[("12", "invalid_phone"), ("+5511*****4321", "VALOR_MASCARADO")],
    ),
    Limit(
        address=REGISTER,
        field="/userEmail",
        takes=["ana@example.com"],
        refuses=[("a***@x.com", "VALOR_MASCARADO")],
    ),
    Limit(address=SEND, field="/title", takes=["t", "t" * 200], refuses=[("t" * 201, "too_long")]),
    Limit(address=SEND, field="/body", takes=["b", "b" * 1000], refuses=[("b" * 1001, "too_long")]),
    Limit(
        address=SEND,
        field="/deepLink",
        takes=["loja://x"],
        refuses=[("", "too_short"), ("x" * 2049, "too_long")],
    ),
    *(
        limit
        for address in (SEND, PREVIEW)
        for limit in (
            Limit(
                address=address,
                field="/platforms",
                takes=[["ios"], ["ios", "android", "web"]],
                refuses=[
                    ([], "too_few"),
                    (["ios"] * 4, "too_many"),
                    (["fax"], "not_allowed", "/0"),
                ],
            ),
            Limit(
                address=address,
                field="/tokenIds",
                change={"segment": None},
                takes=[["t"], [f"t{n}" for n in range(10_000)]],
                refuses=[([], "too_few"), (["t"] * 10_001, "too_many"), ([""], "too_short", "/0")],
            ),
            Limit(
                address=address,
                field="/imageUrl",
                takes=["https://x.test/a.png"],
                refuses=[("http://x.test/a.png", "wrong_format"), ("x", "wrong_format")],
            ),
            Limit(
                address=address,
                field="/actions",
                takes=[[], [{"label": "x" * 40}] * 4],
                refuses=[
                    ([{"label": "x"}] * 5, "too_many"),
                    ([{"label": ""}], "too_short", "/0/label"),
                    ([{"label": "x" * 41}], "too_long", "/0/label"),
                ],
            ),
        )
    ),
    Limit(
        address="PUT /v2/push/settings",
        field="/janelaSilencio",
        takes=[None, QUIET, {**QUIET, "dias": [0, 6]}, {**QUIET, "fim": "22:00"}],
        refuses=[
            ({**QUIET, "inicio": "24:00"}, "wrong_format", "/inicio"),
            ({**QUIET, "fim": "8:00"}, "wrong_format", "/fim"),
            ({**QUIET, "fuso": "America/Nowhere"}, "not_allowed", "/fuso"),
            ({**QUIET, "dias": [7]}, "too_large", "/dias/0"),
            ({**QUIET, "dias": []}, "too_few", "/dias"),
        ],
    ),
    Limit(
        address="PUT /v2/push/settings",
        field="/excecoes",
        takes=[[], ["silent"]],
        refuses=[(["rich"], "not_allowed", "/0")],
    ),
    Limit(
        address=LISTED,
        field="?status",
        takes=["scheduled", "deferred", "queued", "sending", "sent", "failed", "canceled"],
        refuses=[("delivered", "not_allowed")],
    ),
    Limit(
        address=DEVICES,
        field="?platform",
        takes=["ios", "android", "web"],
        refuses=[("IOS", "not_allowed"), ("desconhecida", "not_allowed")],
    ),
    Limit(
        address=DEVICES, field="?active", takes=["true", "false"], refuses=[("maybe", "wrong_type")]
    ),
    Limit(
        address=LISTED,
        field="?origin",
        takes=["composer", "api", "automation"],
        refuses=[("x", "not_allowed")],
    ),
    *(
        Limit(
            address=LISTED,
            field=f"?{name}",
            takes=["2026-11-21"],
            refuses=[("yesterday", "wrong_format")],
        )
        for name in ("from", "to")
    ),
]

PAGES = [
    Page(
        address=DEVICES,
        fill=lambda world, count: world.rows(
            "push device", count, table="push_devices", unique=("token_hash",)
        ),
        skips=False,
    ),
    Page(
        address=LISTED,
        fill=lambda world, count: world.rows("push", count, table="push_dispatches"),
        skips=False,
    ),
]
