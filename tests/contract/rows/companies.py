"""Interface: Company; Company and pipeline; Endpoints, CRM companies; Limits."""

from typing import Any

from core import companies
from core.cards.models import Card
from core.companies import Company
from core.contacts import Contact
from core.foundation.security.caller import Caller
from tests.contract.table import Answer, Endpoint, Limit, Machine, Move, Page, Refusal
from tests.contract.world import World
from tests.factories import companies as factory
from tests.factories.cards import some_deals
from tests.factories.contacts import a_contact
from tests.support.told import audited

CNPJ, WITH_LETTERS, WRONG = "11.222.333/0001-81", "12.ABC.345/01DE-35", "11.222.333/0001-82"


async def a_company(caller: Caller) -> str:
    """The id of a company with nothing but a name."""
    return str((await factory.a_company(caller))["id"])


RECORDS = {"company": a_company}

LIST, CREATE, IMPORT = "GET /v2/companies", "POST /v2/companies", "POST /v2/companies/import"
READ, CHANGE, DELETE = (
    "GET /v2/companies/{id}",
    "PATCH /v2/companies/{id}",
    "DELETE /v2/companies/{id}",
)
DEFINITIONS = "GET /v2/organizations/me/company-attribute-defs"
DEFINE = "PUT /v2/organizations/me/company-attribute-defs"

# A request without a body can hardly be malformed, and nothing is looked up under `me`.
NOTHING_TO_READ, NOTHING_TO_FIND = "400", "404"

OPTIONAL = "cnpj segmento site endereco responsavelId contatoPrincipalId atributos"
COMPANY = {"id": "<company>"}

ENDPOINTS = [
    Endpoint(
        address=LIST,
        scope="crm:read",
        errors="400 401 403 422",
        never=NOTHING_TO_READ,
        parameters="q responsavelId limit* skip* cursor",
    ),
    Endpoint(
        address=CREATE,
        scope="crm:write",
        status=201,
        errors="400 401 403 409 422",
        fields=f"nome! {OPTIONAL}",
        body={"nome": "Padaria", "cnpj": CNPJ, "contatoPrincipalId": "<contact>"},
    ),
    Endpoint(
        address=IMPORT,
        scope="crm:write",
        errors="400 401 403 422",
        fields="empresas[]!",
        body={"empresas": [{"nome": "Padaria", "cnpj": CNPJ}]},
        body_limit=10_000_000,
    ),
    Endpoint(
        address=READ, scope="crm:read", errors="400 401 403 404", never=NOTHING_TO_READ, ids=COMPANY
    ),
    Endpoint(
        address=CHANGE,
        scope="crm:write",
        errors="400 401 403 404 409 422",
        ids=COMPANY,
        fields=f"nome {OPTIONAL}",
        body={"nome": "Padaria"},
    ),
    Endpoint(
        address=DELETE,
        scope="crm:delete",
        status=204,
        errors="400 401 403 404",
        never=NOTHING_TO_READ,
        ids=COMPANY,
    ),
    Endpoint(address=DEFINITIONS, scope="crm:read", errors="401 403 404", never=NOTHING_TO_FIND),
    Endpoint(
        address=DEFINE,
        scope="crm:write",
        errors="400 401 403 404 409 422 503",
        never=NOTHING_TO_FIND,
        fields="defs[]!",
        body={"defs": [{"key": "porte", "type": "string"}]},
    ),
]


async def the_cnpj_is_taken(world: World) -> None:
    await factory.a_company(world.caller, cnpj=CNPJ)


async def size_is_a_required_text(world: World) -> None:
    await factory.defined(world.caller, {"key": "porte", "type": "string", "required": True})


async def a_sensitive_property_has_values(world: World) -> None:
    await factory.defined(world.caller, {"key": "campo", "type": "string", "label": "CPF do sócio"})
    await factory.a_company(world.caller, atributos={"campo": "11122233344"})


def _wrong(address: str, field: str, code: str, **more: Any) -> Refusal:
    """A field that is wrong by a rule."""
    return Refusal(
        status=422,
        address=address,
        wrong={field: code},
        meta={"code": code} if code.isupper() else {},
        **more,
    )


def _in_use(**change: Any) -> Refusal:
    """A list of definitions without what has to stay."""
    return Refusal(
        status=409,
        address=DEFINE,
        before=a_sensitive_property_has_values,
        change=change,
        meta={"code": "PROPRIEDADE_SENSIVEL_EM_USO", "chaves": ["campo"]},
    )


REFUSALS = [
    *(
        refusal
        for address in (CREATE, CHANGE)
        for refusal in (
            Refusal(
                status=409,
                address=address,
                before=the_cnpj_is_taken,
                change={"cnpj": "11222333000181"},
                meta={"code": "CNPJ_JA_CADASTRADO"},
                wrong={"/cnpj": "CNPJ_JA_CADASTRADO"},
            ),
            _wrong(address, "/cnpj", "invalid_cnpj", change={"cnpj": WRONG}),
            _wrong(address, "/cnpj", "VALOR_MASCARADO", change={"cnpj": "**.222.***/****-**"}),
            _wrong(
                address,
                "/responsavelId",
                "VINCULO_INVALIDO",
                change={"responsavelId": "acc_000000000000000000000"},
            ),
            _wrong(
                address,
                "/contatoPrincipalId",
                "VINCULO_INVALIDO",
                change={"contatoPrincipalId": "cnt_000000000000000000000"},
            ),
            _wrong(
                address,
                "/atributos/porte",
                "wrong_type",
                before=size_is_a_required_text,
                change={"atributos": {"porte": 1}},
            ),
            _wrong(
                address,
                "/atributos/porte",
                "required",
                before=size_is_a_required_text,
                change={"atributos": {}},
            ),
        )
    ),
    _wrong(CREATE, "/atributos/porte", "required", before=size_is_a_required_text),
    Refusal(
        status=409,
        address=DEFINE,
        change={"defs": [{"key": "porte", "type": "string"}, {"key": "porte", "type": "number"}]},
        meta={"code": "CHAVE_REPETIDA"},
        wrong={"/defs/1/key": "CHAVE_REPETIDA"},
    ),
    _in_use(),
    _in_use(defs=[]),
    _in_use(defs=[{"key": "campo", "type": "string", "label": "Campo"}]),
    Refusal(
        status=503,
        address=DEFINE,
        proven_by="tests/core/companies/test_definitions.py::test_a_check_that_takes_too_long_changes_nothing",
    ),
]

LIMITS = [
    *(
        limit
        for address in (CREATE, CHANGE)
        for limit in (
            Limit(
                address=address,
                field="/nome",
                takes=["x", "x" * 200],
                refuses=[
                    ("", "too_short"),
                    (" ", "too_short"),
                    ("a\x9bb", "line_break"),
                    ("x" * 201, "too_long"),
                ],
            ),
            Limit(
                address=address,
                field="/cnpj",
                takes=[None, "11222333000181", CNPJ, WITH_LETTERS, "12abc34501de35"],
                refuses=[
                    ("11222333000182", "invalid_cnpj"),
                    ("1" * 15, "invalid_cnpj"),
                    ("1" * 41, "too_long"),
                ],
            ),
            Limit(
                address=address,
                field="/segmento",
                takes=[None, "x" * 120],
                refuses=[("", "too_short"), ("x" * 121, "too_long")],
            ),
            Limit(
                address=address,
                field="/site",
                takes=[None, "http://a.example", "https://a.example/" + "x" * 2030],
                refuses=[
                    ("", "wrong_format"),
                    ("a.example", "wrong_format"),
                    ("ftp://a.example", "wrong_format"),
                    ("https://a.example/" + "x" * 2031, "too_long"),
                ],
            ),
            Limit(
                address=address,
                field="/endereco",
                takes=[None, "x" * 500],
                refuses=[("", "too_short"), ("x" * 501, "too_long")],
            ),
            *(
                Limit(
                    address=address,
                    field=f"/{field}",
                    takes=[None],
                    refuses=[("", "too_short"), ("x" * 31, "too_long")],
                )
                for field in ("responsavelId", "contatoPrincipalId")
            ),
            Limit(
                address=address,
                field="/atributos",
                takes=[
                    {},
                    {"a": None, "b": True, "c": -1.5, "d": ["x"], "e": "x"},
                    {f"k{n}": n for n in range(100)},
                ],
                refuses=[
                    (None, "wrong_type"),
                    ({f"k{n}": n for n in range(101)}, "too_many"),
                    ({"k": {"nested": 1}}, "wrong_type", "/k"),
                    ({"k": "v" * 1001}, "too_long", "/k"),
                ],
            ),
        )
    ),
    # Lines are judged one by one, so the largest import may be all faults.
    Limit(
        address=IMPORT,
        field="/empresas",
        takes=[[], [{}], [{}] * 500],
        refuses=[([{}] * 501, "too_many")],
    ),
    Limit(
        address=DEFINE,
        field="/defs",
        takes=[
            [],
            [{"key": f"k{n}", "type": "string"} for n in range(50)],
            [{"key": "k" * 64, "type": "date"}],
        ],
        refuses=[
            ([{"key": f"k{n}", "type": "string"} for n in range(51)], "too_many"),
            ([{"key": "", "type": "string"}], "too_short", "/0/key"),
            ([{"key": "k" * 65, "type": "string"}], "too_long", "/0/key"),
            ([{"key": "k", "type": "text"}], "not_allowed", "/0/type"),
            ([{"key": "k"}], "required", "/0/type"),
            ([{"key": "k", "type": "string", "label": "x" * 121}], "too_long", "/0/label"),
            ([{"key": "k", "type": "string", "required": "yes"}], "wrong_type", "/0/required"),
        ],
    ),
    Limit(
        address=LIST,
        field="?limit",
        takes=["1", "100"],
        refuses=[("0", "too_small"), ("101", "too_large"), ("x", "wrong_type")],
    ),
]

PAGES = [
    Page(
        address=LIST,
        fill=lambda world, count: world.rows("company", count, table="companies"),
        default=25,
        ceiling=100,
        above="refused",
    )
]

NOTHING = {"contatos": 0, "negociosAbertos": 0, "valorAberto": 0.0, "ultimaInteracao": None}
EXTENDED = {**NOTHING, "valorGanho": 0.0, "negociosGanhos": 0}


async def deals_are_open_and_won(world: World) -> None:
    deals, id = await some_deals(world.caller), await world.record("company")
    await deals.card(companyId=id, valor=10.25)
    await deals.card(companyId=id, valor=5, moeda="USD")
    await deals.card(stage="Ganho", companyId=id, valor=7.5)


async def one_is_called_by_a_wrong_number(world: World) -> None:
    await factory.a_company(world.caller, nome=f"Filial {WRONG}")
    await factory.a_company(world.caller, nome="Outra", cnpj=CNPJ)


ANSWERS = [
    Answer(address=CREATE, tells={"cnpj": "11222333000181", "contagens": NOTHING}),
    Answer(address=CREATE, change={"cnpj": "12.abc.345/01de-35"}, tells={"cnpj": "12ABC34501DE35"}),
    *(Answer(address=address, tells={"contagens": EXTENDED}) for address in (READ, CHANGE)),
    Answer(
        address=READ,
        before=deals_are_open_and_won,
        tells={
            "contagens/negociosAbertos": 2,
            "contagens/valorAberto": 15.25,
            "contagens/negociosGanhos": 1,
            "contagens/valorGanho": 7.5,
        },
    ),
    *(
        Answer(
            address=LIST,
            before=one_is_called_by_a_wrong_number,
            query={"q": q},
            tells={"total": 1, "items/0/nome": name},
        )
        for q, name in (
            ("11222333000181", "Outra"),
            (CNPJ, "Outra"),
            ("11.222.333/0001-82", "Filial 11.222.333/0001-82"),
        )
    ),
    Answer(
        address=IMPORT,
        change={
            "empresas": [{"nome": "A"}, {"nome": "B", "cnpj": "1"}, {"nome": "A", "segmento": "x"}]
        },
        tells={"criadas": 1, "atualizadas": 1, "erros/0/linha": 2},
    ),
    Answer(address=DEFINITIONS, tells={"defs": []}),
    Answer(address=DEFINE, tells={"defs": [{"key": "porte", "type": "string", "required": False}]}),
]


async def with_people_and_deals(world: World) -> str:
    """The id of a company that a contact works for and a deal is made with."""
    id = await a_company(world.caller)
    await a_contact(world.caller, companyId=id, papelNaEmpresa="decisor")
    await (await some_deals(world.caller)).card(companyId=id)
    return id


async def deleted(world: World, id: str) -> None:
    await companies.delete_company(world.caller, id)


async def state_of(world: World, id: str) -> str:
    return "exists" if await Company.filter(id=id).exists() else "removed"


async def effects_of(world: World, id: str) -> list[str]:
    entries = await audited(world.caller.organization_id, "company.deleted")
    return [
        *["contact without company"] * await Contact.filter(company_id__isnull=True).count(),
        *["contact without role"] * await Contact.filter(company_role__isnull=True).count(),
        *["deal without company"] * await Card.filter(company_id__isnull=True).count(),
        *(
            f"{name} {number} unlinked"
            for entry in entries
            for name, number in entry["facts"].items()
        ),
    ]


MACHINES = [
    Machine(
        name="company",
        states={"exists": with_people_and_deals},
        causes={"DELETE": deleted},
        moves=[
            Move(
                start="exists",
                cause="DELETE",
                end="removed",
                effects="contact without company, contact without role, deal without company, contacts 1 unlinked, "
                "cards 1 unlinked",
            )
        ],
        state_of=state_of,
        effects_of=effects_of,
    )
]
