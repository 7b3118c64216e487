"""Interface: Contact; Endpoints, Contacts. Decisions: the other five, and erasure and export."""

from base64 import b64encode
from typing import Any

from core import contacts
from core.foundation.caller import Caller
from tests.contract.table import Answer, Endpoint, Event, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.contacts import a_contact, a_denial, a_phone


async def a_contact_id(caller: Caller) -> str:
    """The id of a contact."""
    return str((await a_contact(caller))["id"])


async def a_free_phone(caller: Caller) -> str:
    """A phone of nobody."""
    return a_phone()


RECORDS = {"contact": a_contact_id, "phone": a_free_phone}

WRITABLE = (
    "name email avatarUrl externalId externalIds companyId papelNaEmpresa cpf cnpj birthDate tags[] "
    "attributes debtorGroups[] optIn source"
)

ENDPOINTS = [
    Endpoint(
        address="GET /contacts",
        scope="contacts:read",
        errors="401 403",
        parameters="tag optInStatus source externalId listId updatedSince q limit* skip* cursor",
    ),
    Endpoint(
        address="POST /contacts",
        scope="contacts:write",
        status=201,
        errors="401 403 409 422",
        fields=f"phone! {WRITABLE}",
        body={"phone": "<phone>", "name": "Ana Souza", "optIn": {"status": "granted"}, "source": "api"},
    ),
    Endpoint(address="GET /contacts/fields", scope="contacts:read", errors="401 403"),
    Endpoint(
        address="POST /contacts/opt-out",
        scope="contacts:write",
        errors="401 403 422",
        fields="phones[] contactIds[] externalIds[] emails[] canal motivo em fonte",
        body={"contactIds": ["<contact>"]},
    ),
    Endpoint(address="GET /contacts/{id}", scope="contacts:read", errors="401 403 404", ids={"id": "<contact>"}),
    Endpoint(
        address="PATCH /contacts/{id}",
        scope="contacts:write",
        errors="401 403 404 409 422",
        ids={"id": "<contact>"},
        fields=f"phone {WRITABLE} tagsAdicionar[] tagsRemover[] attributesMesclar",
        body={"name": "Ana Lima"},
    ),
    Endpoint(
        address="DELETE /contacts/{id}",
        scope="contacts:write",
        status=204,
        errors="401 403 404",
        ids={"id": "<contact>"},
    ),
    Endpoint(
        address="GET /contacts/{id}/dados",
        scope="contacts:pii",
        by="session",
        errors="401 403 404",
        ids={"id": "<contact>"},
    ),
    Endpoint(
        address="POST /v2/contacts/{id}/documentos/revelar",
        scope="contacts:pii",
        by="session",
        errors="401 403 404",
        ids={"id": "<contact>"},
    ),
]

CREATE, CHANGE, OPT_OUT = "POST /contacts", "PATCH /contacts/{id}", "POST /contacts/opt-out"
TOMORROW = "2999-01-01T00:00:00Z"


async def the_phone_is_taken(world: World) -> None:
    await a_contact(world.caller, phone=await world.record("phone"))


async def the_external_id_is_taken(world: World) -> None:
    await a_contact(world.caller, externalId="cliente-1042")


async def it_opted_out(world: World) -> None:
    stored = await contacts.get_contact(world.caller, await world.record("contact"))
    await a_denial(world.caller, stored["phone"])


def refused(address: str, field: str, code: str, **more: Any) -> Refusal:
    """A rule about one field, named in `meta.code` as well."""
    return Refusal(
        status=422,
        code="VALIDATION_ERROR",
        address=address,
        wrong={field: code},
        meta={"code": code} if code.isupper() else {},
        **more,
    )


REFUSALS = [
    Refusal(
        status=409,
        code="CONFLICT",
        address=CREATE,
        before=the_phone_is_taken,
        meta={"code": "TELEFONE_JA_CADASTRADO"},
        wrong={"/phone": "TELEFONE_JA_CADASTRADO"},
    ),
    *(
        Refusal(
            status=409,
            code="CONFLICT",
            address=address,
            before=the_external_id_is_taken,
            change={"externalId": "cliente-1042"},
            meta={"code": "EXTERNAL_ID_JA_CADASTRADO"},
            wrong={"/externalId": "EXTERNAL_ID_JA_CADASTRADO"},
        )
        for address in (CREATE, CHANGE)
    ),
    refused(CHANGE, "/phone", "TELEFONE_IMUTAVEL", change={"phone": "+5511912345678"}),
    *(
        refusal
        for address in (CREATE, CHANGE)
        for refusal in (
            refused(address, "/companyId", "VINCULO_INVALIDO", change={"companyId": "emp_000000000000000000000"}),
            refused(address, "/papelNaEmpresa", "VINCULO_INVALIDO", change={"papelNaEmpresa": "decisor"}),
            refused(address, "/phone", "VALOR_MASCARADO", change={"phone": "+5511*****5678"}),
            refused(address, "/email", "VALOR_MASCARADO", change={"email": "a***@dominio.com"}),
            refused(address, "/cpf", "VALOR_MASCARADO", change={"cpf": "***.456.***-**"}),
            refused(address, "/cnpj", "VALOR_MASCARADO", change={"cnpj": "**.456.***/****-**"}),
            refused(address, "/cpf", "invalid_cpf", change={"cpf": "12345678900"}),
            refused(address, "/cnpj", "invalid_cnpj", change={"cnpj": "123"}),
            refused(address, "/phone", "invalid_phone", change={"phone": "12"}),
            refused(address, "/avatarUrl", "not_a_picture", change={"avatarUrl": "data:image/png;base64,AAAA"}),
            refused(address, "/birthDate", "in_the_future", change={"birthDate": "2999-01-01"}),
            refused(
                address,
                "/optIn/at",
                "DATA_DO_CONSENTIMENTO_NO_FUTURO",
                change={"optIn": {"status": "granted", "at": TOMORROW}},
            ),
            refused(
                address,
                "/optIn/revokedAt",
                "DATA_DO_CONSENTIMENTO_NO_FUTURO",
                change={"optIn": {"status": "denied", "revokedAt": TOMORROW}},
            ),
        )
    ),
    refused(OPT_OUT, "/em", "DATA_DO_CONSENTIMENTO_NO_FUTURO", change={"em": TOMORROW}),
    refused(
        CHANGE,
        "/optIn/at",
        "CONSENTIMENTO_ANTERIOR_A_REVOGACAO",
        before=it_opted_out,
        change={"optIn": {"status": "granted", "source": "site", "at": "2020-01-01T00:00:00Z"}},
    ),
    refused(
        CHANGE,
        "/optIn/status",
        "MOVIMENTO_DE_CONSENTIMENTO_INVALIDO",
        before=it_opted_out,
        change={"optIn": {"status": "unknown"}},
    ),
]

PICTURE = "data:image/gif;base64," + b64encode(b"GIF89a" + b"\0" * 49_122).decode()

LIMITS = [
    *(
        limit
        for address in (CREATE, CHANGE)
        for limit in (
            Limit(
                address=address,
                field="/name",
                takes=["x", "x" * 200],
                refuses=[("", "too_short"), (" ", "too_short"), ("x" * 201, "too_long")],
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
                takes=["x", "x" * 200, 1042, "a:b:c", "0b5d4d5c-9a43-4f0a-8d8b-1f11b6f1c7de", "f" * 64],
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
                refuses=[({"status": "yes"}, "not_allowed", "/status"), ({}, "required", "/status")],
            ),
            Limit(
                address=address,
                field="/debtorGroups",
                takes=[[], [{"id": "1", "company": "A", "phones": [], "status": "vencida", "amountCents": 0}]],
                refuses=[
                    ([{"id": "1", "company": "A"}], "required", "/0/phones"),
                    ([{"id": "1", "company": "A", "phones": [], "status": "paga"}], "not_allowed", "/0/status"),
                    ([{"id": "1", "company": "A", "phones": [], "amountCents": -1}], "too_small", "/0/amountCents"),
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
        refuses=[([f"{n}" for n in range(10_000)], "too_many", "^"), ([f"{n}" for n in range(10_001)], "too_many")],
    ),
    Limit(address=OPT_OUT, field="/motivo", takes=["x" * 200], refuses=[("x" * 201, "too_long")]),
    Limit(address=OPT_OUT, field="/fonte", takes=["x" * 120], refuses=[("x" * 121, "too_long")]),
    Limit(address=OPT_OUT, field="/", refuses=[({}, "required")]),
]

PAGES = [
    Page(
        address="GET /contacts",
        fill=lambda world, count: world.rows("contact", count, table="contacts", unique=("identity", "phone")),
    ),
]


async def a_contact_is_created(world: World) -> None:
    await a_contact(world.caller, externalId="cliente-1042", tags=["vip"], optIn={"status": "granted"})


EVENTS = [
    Event(name="contact.created", data="id source externalId? tags optIn env", cause=a_contact_is_created),
    Event(name="contact.opted_out", data="id phone channel reason? source? at env", cause=it_opted_out),
]

ANSWERS = [
    Answer(address=CREATE, change={"source": ..., "optIn": ...}, tells={"source": "manual", "optIn/status": "unknown"}),
    Answer(address=CREATE, change={"cnpj": "12.abc.345/01de-00"}, tells={"optIn/status": "granted"}),
]


def consent_recorded(informed: bool, **opt_in: str) -> Answer:
    """What the audit trail holds of the consent that a contact was created with."""

    async def created(world: World) -> None:
        await a_contact(world.caller, optIn={"status": "granted", **opt_in})

    return Answer(
        address="GET /v2/audit",
        before=created,
        query={"action": "contact.consent_changed"},
        tells={"items/0/action": "contact.consent_changed", "items/0/facts/dataInformada": informed},
    )


ANSWERS += [consent_recorded(False), consent_recorded(True, at="2020-01-01T00:00:00Z")]
