"""Design, Decision trace, dry run, quotes: prices that are promised and kept."""

from dataclasses import replace
from datetime import timedelta

from core import quotes, quoting, wallet
from core.foundation.clock import clock_set_to, now
from core.foundation.database import db
from core.foundation.security.caller import KEY_SCOPES, Caller
from tests.contract.table import Answer, Endpoint, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.sms import leave_coins

ASK, SEND = "POST /v2/quotes", "POST /v2/sms/messages"
CANCEL = "POST /v2/quotes/{id}/cancel"
ITEM = {"canal": "sms", "rota": "premium", "quantidade": 2}


async def a_quote(caller: Caller) -> str:
    """The id of a quote for two segments."""
    new = quoting.NewQuote.model_validate({"itens": [ITEM]})
    return (await quoting.create_quote(replace(caller, scopes=KEY_SCOPES), new))["id"]


async def a_spent_quote(caller: Caller) -> str:
    """One of which a segment is left."""
    id = await a_quote(caller)
    await db.execute("UPDATE quote_items SET remaining = 1 WHERE quote_id = $1", id)
    return id


async def a_canceled_quote(caller: Caller) -> str:
    id = await a_quote(caller)
    await quotes.cancel_quote(replace(caller, scopes=KEY_SCOPES), id)
    return id


async def a_quote_of_codes(caller: Caller) -> str:
    """On the route otp, which no journey takes."""
    id = await a_quote(caller)
    await db.execute("UPDATE quote_items SET route = 'otp' WHERE quote_id = $1", id)
    return id


ACTIVATE = "POST /v2/journeys/{id}/ativar"
TAKING_QUOTES = (
    ACTIVATE,
    SEND,
    "POST /v2/rcs/messages",
    "POST /v2/email/messages",
    "POST /messages",
    "POST /messages/force",
    "POST /messages/bulk",
    "POST /v2/push/messages",
)

RECORDS = {
    "quote": a_quote,
    "spent quote": a_spent_quote,
    "canceled quote": a_canceled_quote,
    "quote of codes": a_quote_of_codes,
}

ENDPOINTS = [
    Endpoint(
        address=ASK,
        scope=None,
        status=201,
        errors="400 401 402 403 412 422",
        fields="itens[]! validadeMinutos reservar",
        body={"itens": [ITEM], "validadeMinutos": 60},
    ),
    Endpoint(
        address="GET /v2/quotes",
        scope=None,
        errors="401 403 422",
        parameters="valida* limit* cursor",
    ),
    Endpoint(
        address="GET /v2/quotes/{id}",
        scope=None,
        errors="401 403 404",
        ids={"id": "<quote>"},
    ),
    Endpoint(
        address=CANCEL,
        scope=None,
        errors="401 403 404",
        ids={"id": "<quote>"},
    ),
]


async def rcs_has_no_price(world: World) -> None:
    await wallet.set_prices(world.caller.organization_id, {"rcs": {}})


async def no_money(world: World) -> None:
    await leave_coins(world.caller, 1_599)


REFUSALS = [
    *(
        Refusal(
            status=403,
            address=endpoint.address,
            proven_by="tests/core/quotes/test_quotes.py::test_each_needs_its_scope",
        )
        for endpoint in ENDPOINTS
    ),
    Refusal(
        status=402,
        address=ASK,
        before=no_money,
        change={"reservar": True},
        meta={"saldoCoins": 1_599, "necessarioCoins": 1_600},
        writes=True,
    ),
    Refusal(
        status=412,
        address=ASK,
        change={"itens": [{**ITEM, "rota": "la_dedicada"}]},
        meta={"code": "ROTA_SOB_CONSULTA"},
    ),
    Refusal(
        status=412,
        address=ASK,
        before=rcs_has_no_price,
        change={"itens": [{"canal": "rcs", "rota": "easy_rcs", "quantidade": 1}]},
        meta={"code": "ROTA_SEM_PRECO"},
    ),
    *(
        Refusal(
            status=422,
            address=ASK,
            change={"itens": [{"canal": "sms", "rota": "otp", name: id}]},
            wrong={f"/itens/0/{name}": "VINCULO_INVALIDO"},
        )
        for name, id in (
            ("segmentId", "seg_000000000000000000000"),
            ("listId", "lst_000000000000000000000"),
        )
    ),
    *(
        Refusal(
            status=status,
            address=address,
            change={"quoteId": id},
            meta={"code": code},
            wrong={"/quoteId": code} if status == 422 else {},
        )
        for address, other in (
            ("POST /v2/rcs/messages", "<quote>"),
            ("POST /v2/email/messages", "<quote>"),
            (ACTIVATE, "<quote of codes>"),
        )
        for status, id, code in (
            (422, "qte_000000000000000000000", "COTACAO_INEXISTENTE"),
            (422, "<canceled quote>", "COTACAO_EXPIRADA"),
            (422, other, "COTACAO_DE_OUTRA_ROTA"),
        )
    ),
    Refusal(
        status=409,
        address=SEND,
        change={"quoteId": "<spent quote>", "body": "x" * 161},
        meta={"code": "COTACAO_ESGOTADA", "restante": 1},
    ),
    Refusal(
        status=422,
        address=SEND,
        change={"quoteId": "qte_000000000000000000000"},
        meta={"code": "COTACAO_INEXISTENTE"},
        wrong={"/quoteId": "COTACAO_INEXISTENTE"},
    ),
    Refusal(
        status=422,
        address=SEND,
        change={"quoteId": "<canceled quote>"},
        meta={"code": "COTACAO_EXPIRADA"},
        wrong={"/quoteId": "COTACAO_EXPIRADA"},
    ),
    Refusal(
        status=422,
        address=SEND,
        change={"quoteId": "<quote>", "route": "otp"},
        meta={"code": "COTACAO_DE_OUTRA_ROTA"},
        wrong={"/quoteId": "COTACAO_DE_OUTRA_ROTA"},
    ),
]

LIMITS = [
    Limit(
        address=ASK,
        field="/itens",
        refuses=[
            ([], "too_few"),
            ([ITEM, ITEM], "repeated"),
            ([ITEM] * 11, "too_many"),
            (None, "wrong_type"),
        ],
    ),
    *(
        Limit(
            address=ASK,
            field="/itens",
            takes=[[{**ITEM, name: value}] for value in takes],
            refuses=[([{**ITEM, name: value}], code, f"/0/{name}") for value, code in refuses],
        )
        for name, takes, refuses in (
            ("canal", ["sms"], [("fax", "not_allowed")]),
            (
                "segmentId",
                [],
                [("", "too_short"), ("s" * 31, "too_long")],
            ),
            ("listId", [], [("", "too_short"), ("l" * 31, "too_long")]),
            (
                "rota",
                ["premium", "otp"],
                [("", "too_short"), ("r" * 17, "too_long"), ("expresso", "not_allowed")],
            ),
            (
                "quantidade",
                [1, 10_000_000],
                [(0, "too_small"), (10_000_001, "too_large"), ("2x", "wrong_type")],
            ),
            (
                "body",
                ["x", "x" * 1600],
                [("", "too_short"), ("x" * 1601, "too_long"), ("a\x00", "nul")],
            ),
        )
    ),
    Limit(
        address=ASK,
        field="/validadeMinutos",
        takes=[1, 1_440],
        refuses=[(0, "too_small"), (1_441, "too_large"), ("x", "wrong_type")],
    ),
    Limit(address=ASK, field="/reservar", takes=[True, False], refuses=[("talvez", "wrong_type")]),
    *(
        Limit(
            address=address, field="/quoteId", refuses=[("", "too_short"), ("q" * 31, "too_long")]
        )
        for address in TAKING_QUOTES
    ),
    Limit(address="GET /v2/quotes", field="?valida", refuses=[("talvez", "wrong_type")]),
]


async def many(world: World, count: int) -> None:
    """So many quotes, each made at a moment of its own."""
    begin = now() - timedelta(seconds=count)
    for place in range(count):
        with clock_set_to(begin + timedelta(seconds=place)):
            await a_quote(world.caller)


PAGES = [Page(address="GET /v2/quotes", skips=False, fill=many)]

ANSWERS = [
    Answer(
        address=ASK,
        change={"itens": [{**ITEM, "body": "x" * 161}], "reservar": True},
        tells={
            "coins": 3_200,
            "restante": 4,
            "reservado": True,
            "reservadoCoins": 3_200,
            "itens/0/segmentos": 4,
            "itens/0/faixas/0/unitCoins": 800,
        },
    )
]
