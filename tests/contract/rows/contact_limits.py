"""Interface: Contact. The borders of its fields."""

from base64 import b64encode
from typing import Any

from tests.contract.rows.contacts import CHANGE, CREATE, OPT_IN, OPT_OUT
from tests.contract.table import Limit, Page

PICTURE = "data:image/gif;base64," + b64encode(b"GIF89a" + b"\0" * 49_122).decode()

TAGS: dict[str, Any] = {
    "takes": [[], ["x" * 64], [f"t{n}" for n in range(100)]],
    "refuses": [([f"t{n}" for n in range(101)], "too_many"), (["x" * 65], "too_long", "/0")],
}

LIMITS = [
    *(
        limit
        for address in (CREATE, CHANGE)
        for limit in (
            Limit(
                address=address,
                field="/name",
                takes=["x", "x" * 200],
                refuses=[
                    ("", "too_short"),
                    (" ", "too_short"),
                    ("\u200b\u2060", "too_short"),
                    ("a\tb", "line_break"),
                    ("a\x00", "nul"),
                    ("x" * 201, "too_long"),
                ],
            ),
            Limit(
                address=address,
                field="/email",
                takes=[f"{'a' * 64}@{'b' * 185}.com"],
                refuses=[
                    ("ana", "wrong_format"),
                    ("ana@localhost", "wrong_format"),
                    (f"{'a' * 64}@{'b' * 186}.com", "too_long"),
                ],
            ),
            Limit(
                address=address,
                field="/avatarUrl",
                takes=["https://example.com/" + "a" * 2028, PICTURE],
                refuses=[
                    ("https://example.com/" + "a" * 2029, "wrong_format"),
                    ("ftp://example.com", "wrong_format"),
                    (PICTURE + "AAAA" * 16, "too_long"),
                    ("", "too_short"),
                ],
            ),
            Limit(
                address=address,
                field="/externalId",
                takes=[
                    "x",
                    "x" * 200,
                    1042,
                    "a:b:c",
                    "0b5d4d5c-9a43-4f0a-8d8b-1f11b6f1c7de",
                    "f" * 64,
                ],
                refuses=[("", "too_short"), ("x" * 201, "too_long")],
            ),
            Limit(
                address=address,
                field="/externalIds",
                takes=[{}, {f"integration_{n}": "x" * 200 for n in "abcd"}],
                refuses=[
                    ({"integration_e": "x"}, "unknown_field", "/integration_e"),
                    ({"integration_a": "x" * 201}, "too_long", "/integration_a"),
                ],
            ),
            Limit(
                address=address,
                field="/tags",
                takes=[[], ["x" * 64], [f"t{n}" for n in range(100)]],
                refuses=[
                    ([f"t{n}" for n in range(101)], "too_many"),
                    (["x" * 65], "too_long", "/0"),
                    ([""], "too_short", "/0"),
                ],
            ),
            Limit(
                address=address,
                field="/attributes",
                takes=[
                    {},
                    {f"k{n}": n for n in range(100)},
                    {"k" * 64: "v" * 1000},
                    {"a": None, "b": True, "c": -1.5, "d": ["x" * 200] * 50, "e": 2**53 - 1},
                ],
                refuses=[
                    ({f"k{n}": n for n in range(101)}, "too_many"),
                    ({"k" * 65: 1}, "too_long", "/" + "k" * 65),
                    ({"": 1}, "too_short", "/"),
                    ({"k": "v" * 1001}, "too_long", "/k"),
                    ({"k": {"nested": 1}}, "wrong_type", "/k"),
                    ({"k": [["x"]]}, "wrong_type", "/k"),
                    ({"k": ["x"] * 51}, "too_many", "/k"),
                    ({"k": ["x" * 201]}, "wrong_type", "/k"),
                    ({"k": 2**53}, "too_large", "/k"),
                    ({"k": "a\x00"}, "nul", "/k"),
                    ({"k": float("nan")}, "not_finite", "/k"),
                ],
            ),
            Limit(
                address=address,
                field="/source",
                takes=["manual", "import", "api", "webhook"],
                refuses=[("site", "not_allowed")],
            ),
            Limit(address=address, field="/papelNaEmpresa", refuses=[("chefe", "not_allowed")]),
            Limit(
                address=address,
                field="/cpf",
                takes=["123.456.789-09", "12345678909"],
                refuses=[("123.456.789-08", "invalid_cpf"), ("11111111111", "invalid_cpf")],
            ),
            Limit(
                address=address,
                field="/cnpj",
                takes=["12.ABC.345/01DE-35", "11222333000100"],
                refuses=[("1122233300010", "invalid_cnpj"), ("112223330001000", "invalid_cnpj")],
            ),
            Limit(
                address=address,
                field="/birthDate",
                takes=["1990-12-31", "1900-01-01"],
                refuses=[("31/12/1990", "wrong_format"), ("1990-02-30", "wrong_format")],
            ),
            Limit(
                address=address,
                field="/optIn",
                takes=[{"status": "granted"}, {"status": "denied"}],
                refuses=[
                    ({"status": "yes"}, "not_allowed", "/status"),
                    ({}, "required", "/status"),
                ],
            ),
            Limit(
                address=address,
                field="/debtorGroups",
                takes=[
                    [],
                    [
                        {
                            "id": "1",
                            "company": "A",
                            "phones": [],
                            "status": "vencida",
                            "amountCents": 0,
                        }
                    ],
                ],
                refuses=[
                    ([{"id": "1", "company": "A"}], "required", "/0/phones"),
                    (
                        [{"id": "1", "company": "A", "phones": [], "status": "paga"}],
                        "not_allowed",
                        "/0/status",
                    ),
                    (
                        [{"id": "1", "company": "A", "phones": [], "amountCents": -1}],
                        "too_small",
                        "/0/amountCents",
                    ),
                ],
            ),
        )
    ),
    Limit(
        address=OPT_OUT,
        field="/canal",
        takes=["todos", "sms", "rcs", "email", "whatsapp", "push"],
        refuses=[("fax", "not_allowed")],
    ),
    Limit(
        address=OPT_OUT,
        field="/externalIds",
        takes=[[f"{n}" for n in range(9_999)]],
        refuses=[
            ([f"{n}" for n in range(10_000)], "too_many", "^"),
            ([f"{n}" for n in range(10_001)], "too_many"),
        ],
    ),
    Limit(address=OPT_OUT, field="/motivo", takes=["x" * 200], refuses=[("x" * 201, "too_long")]),
    Limit(address=OPT_OUT, field="/fonte", takes=["x" * 120], refuses=[("x" * 121, "too_long")]),
    Limit(address=OPT_OUT, field="/", refuses=[({}, "required")]),
    *(
        limit
        for address in (CREATE, CHANGE)
        for limit in (
            Limit(
                address=address,
                field="/phone",
                refuses=[
                    ("9" * 41, "too_long"),
                    ("", "invalid_phone"),
                    *([(None, "wrong_type")] if address == CREATE else []),
                ],
            ),
            Limit(
                address=address,
                field="/companyId",
                refuses=[("", "too_short"), ("e" * 31, "too_long")],
            ),
        )
    ),
    Limit(address=CHANGE, field="/tagsAdicionar", **TAGS),
    Limit(address=CHANGE, field="/tagsRemover", **TAGS),
    Limit(
        address=CHANGE,
        field="/attributesMesclar",
        takes=[{}, {f"k{n}": n for n in range(100)}],
        refuses=[({f"k{n}": n for n in range(101)}, "too_many"), ({"k": {}}, "wrong_type", "/k")],
    ),
    Limit(
        address=OPT_IN,
        field="/canal",
        takes=["todos", "sms", "rcs", "email", "whatsapp", "push"],
        refuses=[("fax", "not_allowed")],
    ),
    Limit(
        address=OPT_IN,
        field="/fonte",
        takes=["x" * 120],
        refuses=[("", "too_short"), ("x" * 121, "too_long")],
    ),
    Limit(
        address=OPT_IN,
        field="/externalIds",
        takes=[[f"{n}" for n in range(9_999)]],
        refuses=[
            ([f"{n}" for n in range(10_000)], "too_many", "^"),
            ([f"{n}" for n in range(10_001)], "too_many"),
        ],
    ),
    *(
        Limit(
            address="PUT /contacts/opt-out/words",
            field=f"/{name}",
            takes=[[], ["x" * 40], [f"w{n}" for n in range(50)]],
            refuses=[
                (["x" * 41], "too_long", "/0"),
                ([""], "too_short", "/0"),
                (["…"], "wrong_format", "/0"),
                ([f"w{n}" for n in range(51)], "too_many"),
            ],
        )
        for name in ("saida", "volta")
    ),
    *(
        Limit(
            address=address, field=f"/{name}", takes=[[one]], refuses=[([one] * 10_001, "too_many")]
        )
        for address in (OPT_OUT, OPT_IN)
        for name, one in (
            ("phones", "+5511987650005"),
            ("emails", "ana@example.com"),
            ("contactIds", "cnt_0"),
        )
    ),
]

PAGES = [
    Page(
        address="GET /contacts",
        fill=lambda world, count: world.rows(
            "contact", count, table="contacts", unique=("identity", "phone")
        ),
    )
]
