"""Decisions: wallet and prices."""

from core import wallet
from tests.contract.table import Answer, Callback, Endpoint, Event, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.sms import leave_coins

ENDPOINTS = [
    Endpoint(address="GET /v2/wallet", scope="wallet:read", errors="401 403 404"),
    Endpoint(
        address="PATCH /v2/wallet",
        scope="accounts:manage",
        by="session",
        errors="401 403 404 422",
        body={"limiteAvisoCoins": 50_000},
        fields="limiteAvisoCoins!",
    ),
    Endpoint(
        address="GET /v2/wallet/transactions",
        scope="wallet:read",
        errors="401 403 404 422",
        parameters="origin kind* from* to* limit* cursor",
    ),
    Endpoint(
        address="GET /v2/wallet/conferencia",
        scope="wallet:read",
        errors="401 403 404 422",
        parameters="dia*",
    ),
    Endpoint(
        address="GET /v2/statistics/provider-costs",
        scope="wallet:read",
        errors="401 403 422",
        parameters="from* to* groupBy*",
    ),
    Endpoint(address="GET /v2/prices", scope="wallet:read", errors="401 403"),
    Endpoint(address="POST /v2/sandbox/wallet/credit", scope="wallet:read", errors="401 403 404"),
]

CALLBACKS = [
    Callback(
        path="/providers/payments/{organization_id}",
        header="X-Payment-Signature",
        item={"paymentId": "pix-2026-11-26-0001", "coins": 500_000},
        bad_item={"paymentId": "+55 11 98765-0005", "coins": 0},
    )
]

LIMITS = [
    Limit(
        address="PATCH /v2/wallet",
        field="/limiteAvisoCoins",
        takes=[0, 10**15],
        refuses=[(-1, "too_small"), (10**15 + 1, "too_large")],
    ),
    Limit(
        address="GET /v2/wallet/transactions", field="?kind", refuses=[("presente", "not_allowed")]
    ),
    Limit(
        address="GET /v2/statistics/provider-costs",
        field="?groupBy",
        takes=["route", "country", "carrier"],
        refuses=[("month", "not_allowed")],
    ),
]

NO_BILLING = "tests/rest_api/test_wallet.py::test_without_billing_there_is_no_wallet_and_a_send_costs_nothing"

REFUSALS = [
    Refusal(
        status=409,
        meta={"code": "PAGAMENTO_DIFERENTE"},
        proven_by="tests/rest_api/test_payments.py::test_another_amount_under_the_id_is_a_conflict",
    ),
    Refusal(status=404, address="POST /v2/sandbox/wallet/credit", env="live"),
    *(
        Refusal(status=404, address=address, proven_by=NO_BILLING)
        for address in (
            "GET /v2/wallet",
            "PATCH /v2/wallet",
            "GET /v2/wallet/transactions",
            "GET /v2/wallet/conferencia",
        )
    ),
]


async def movements(world: World, count: int) -> None:
    """So many payments."""
    for _ in range(count):
        await wallet.credit(world.caller.organization_id, world.caller.env, 1)


PAGES = [Page(address="GET /v2/wallet/transactions", skips=False, fill=movements)]


async def below_the_line(world: World) -> None:
    await leave_coins(world.caller, 99_999)


async def nothing_is_left(world: World) -> None:
    await leave_coins(world.caller, 0)


EVENTS = [
    Event(name="wallet.low_balance", data="saldoCoins limiteCoins env", cause=below_the_line),
    Event(name="wallet.depleted", data="saldoCoins limiteCoins env", cause=nothing_is_left),
]

ANSWERS = [
    Answer(
        address="GET /v2/wallet", tells={"disponivelCoins": 10_000_000, "limiteAvisoCoins": 100_000}
    ),
    Answer(
        address="POST /v2/sandbox/wallet/credit",
        before=nothing_is_left,
        tells={"disponivelCoins": 10_000_000},
    ),
]
