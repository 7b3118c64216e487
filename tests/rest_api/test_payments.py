"""The callback of a payment system."""

import json
from collections.abc import Iterator

import httpx
import pytest

from core.foundation import settings
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.providers.gateway import sign
from tests.factories.organizations import a_caller
from tests.fakes.gateway import FakeGateway
from tests.rest_api.problem_answers import the_problem
from tests.support.money import balances_of


@pytest.fixture
def bank(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGateway]:
    """Who shares the secret."""
    fake = FakeGateway()
    with monkeypatch.context() as patched:
        patched.setenv("SVC_PAYMENTS_SECRET", fake.secret)
        settings.current.cache_clear()
        yield fake
    settings.current.cache_clear()


async def pay(
    rest: httpx.AsyncClient, bank: FakeGateway, caller: Caller, *, coins: int, version: str = "v2"
) -> httpx.Response:
    raw = json.dumps({"paymentId": "pix-1", "coins": coins, "payer": "somebody"}).encode()
    address = f"/providers/payments/{caller.organization_id}"
    signed = sign(bank.secret, raw, to=f"POST {address}", at=int(now().timestamp()))
    time, *signatures = signed.split(",")
    (one,) = [signature for signature in signatures if signature.startswith(version)]
    return await rest.post(address, content=raw, headers={"X-Payment-Signature": f"{time},{one}"})


async def test_a_payment_is_credited_once_however_often_it_is_told(
    rest: httpx.AsyncClient, bank: FakeGateway
) -> None:
    caller = await a_caller("live")

    answers = [await pay(rest, bank, caller, coins=500) for _ in range(3)]

    assert [(one.status_code, one.json()) for one in answers] == [(200, {"received": 1})] * 3
    assert (await balances_of(caller)).available == 500


async def test_another_amount_under_the_id_is_a_conflict(
    rest: httpx.AsyncClient, bank: FakeGateway
) -> None:
    caller = await a_caller("live")
    await pay(rest, bank, caller, coins=500)

    answer = await pay(rest, bank, caller, coins=5_000)

    assert the_problem(answer, 409)["meta"] == {"code": "PAGAMENTO_DIFERENTE"}
    assert (await balances_of(caller)).available == 500


async def test_a_signature_of_the_body_alone_credits_nothing(
    rest: httpx.AsyncClient, bank: FakeGateway
) -> None:
    """It could be posted to another organization."""
    caller = await a_caller("live")

    answer = await pay(rest, bank, caller, coins=500, version="v1")

    assert the_problem(answer, 401)["meta"] == {"motivo": "assinatura"}
    assert (await balances_of(caller)).available == 0
