"""Balances, movements, their proof, and the price list."""

from typing import Any

from core import sms, wallet
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.wallet import examples
from rest_api.wallet.shapes import ProviderCosts


async def get_wallet(call: Call) -> wallet.BalanceRecord:
    return await wallet.get_wallet(call.caller)


async def change_wallet(call: Call[wallet.WalletChanges]) -> wallet.BalanceRecord:
    return await wallet.change_wallet(call.caller, call.body)


async def list_transfers(
    call: Call[None, wallet.TransferFilter],
) -> WrittenPage[wallet.TransferPage]:
    return await wallet.list_transfers(call.caller, call.query)


async def prove(call: Call[None, wallet.ProofDay]) -> wallet.Proof:
    return await wallet.prove(call.caller, call.query)


async def provider_costs(call: Call[None, sms.CostFilter]) -> dict[str, Any]:
    return await sms.provider_costs(call.caller, call.query)


async def get_prices(call: Call) -> wallet.PriceList:
    return await wallet.get_prices(call.caller)


async def credit_sandbox(call: Call) -> wallet.BalanceRecord:
    await wallet.credit_sandbox(call.caller)
    return await wallet.get_wallet(call.caller)


operations = [
    Operation(
        "POST",
        "/v2/sandbox/wallet/credit",
        credit_sandbox,
        Scope.WALLET_READ,
        "Fill the sandbox wallet up again",
        "Sandbox",
        description="Test keys only: up to 10,000,000 coins. Takes no body.",
        errors=(401, 403, 404),
        answer=wallet.BalanceRecord,
        answers={"full": examples.FULL},
    ),
    Operation(
        "GET",
        "/v2/wallet",
        get_wallet,
        Scope.WALLET_READ,
        "Read the balances",
        "Wallet",
        errors=(401, 403, 404),
        answer=wallet.BalanceRecord,
        answers={"balances": examples.BALANCE},
    ),
    Operation(
        "PATCH",
        "/v2/wallet",
        change_wallet,
        Scope.ACCOUNTS_MANAGE,
        "Set the balance under which you are warned",
        "Wallet",
        description=(
            "In a session only, of the environment that it works in. Below it "
            "`wallet.low_balance` is sent."
        ),
        errors=(401, 403, 404, 422),
        body=wallet.WalletChanges,
        answer=wallet.BalanceRecord,
        examples={"a limit": {"limiteAvisoCoins": 100000}},
        answers={"balances": examples.BALANCE},
    ),
    Operation(
        "GET",
        "/v2/wallet/transactions",
        list_transfers,
        Scope.WALLET_READ,
        "List the movements, newest first",
        "Wallet",
        errors=(401, 403, 404, 422),
        query=wallet.TransferFilter,
        answer=wallet.TransferPage,
        answers={"one send": examples.TRANSFERS},
    ),
    Operation(
        "GET",
        "/v2/wallet/conferencia",
        prove,
        Scope.WALLET_READ,
        "Prove that the balances equal the sum of the movements",
        "Wallet",
        heavy=True,
        errors=(401, 403, 404, 422),
        query=wallet.ProofDay,
        answer=wallet.Proof,
        answers={"they agree": examples.PROOF},
    ),
    Operation(
        "GET",
        "/v2/statistics/provider-costs",
        provider_costs,
        Scope.WALLET_READ,
        "Add up what providers asked for messages",
        "Wallet",
        heavy=True,
        description="Of live messages whose provider tells its price (cloud-eum, cloud-sns), "
        "beside what was charged "
        "for them. `groupBy` route, country or carrier; a message counts when it was created.",
        errors=(401, 403, 422),
        query=sms.CostFilter,
        answer=ProviderCosts,
        answers={"by route": examples.PROVIDER_COSTS},
    ),
    Operation(
        "GET",
        "/v2/prices",
        get_prices,
        Scope.WALLET_READ,
        "Read the price list",
        "Wallet",
        errors=(401, 403),
        answer=wallet.PriceList,
        answers={"the published list": examples.PRICES},
    ),
]
