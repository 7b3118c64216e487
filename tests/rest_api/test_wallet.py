"""Wallet and prices over REST: shapes, statuses, and the silence of an installation without
billing.
"""

from collections.abc import Iterator

import httpx
import pytest

from core.foundation import settings
from tests.factories.organizations import a_key

SMS = {"to": "+5511987650005", "body": "Oi", "route": "premium"}


def auth(key: str, **more: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}", **more}


@pytest.fixture
def without_billing(servers: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installation where nothing is charged."""
    monkeypatch.setenv("SVC_BILLING", "off")
    settings.current.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()


async def test_balances_movements_and_proof_tell_of_a_send(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    await rest.post("/v2/sms/messages", json=SMS, headers=auth(key, **{"Idempotency-Key": "k"}))

    balance = (await rest.get("/v2/wallet", headers=auth(key))).json()
    page = (await rest.get("/v2/wallet/transactions", headers=auth(key))).json()
    proof = (await rest.get("/v2/wallet/conferencia", headers=auth(key))).json()

    assert (balance["disponivelCoins"], balance["reservadoCoins"]) == (9_999_200, 0)
    assert [(one["id"].isdigit(), one["tipo"], one["coins"]) for one in page["items"]] == [
        (True, "captura", 800),
        (True, "reserva", 800),
        (True, "credito", 10_000_000),
    ]
    assert page.keys() == {"items"}
    assert proof["confere"] is True


async def test_the_price_list_has_its_shape(rest: httpx.AsyncClient) -> None:
    prices = (await rest.get("/v2/prices", headers=auth(await a_key()))).json()

    assert prices["own"] is False
    assert [(band["fromSegment"], band["coins"]) for band in prices["sms"]["premium"]] == [
        (1, 800),
        (10_000, 720),
        (100_000, 650),
    ]


@pytest.mark.usefixtures("without_billing")
async def test_without_billing_there_is_no_wallet_and_a_send_costs_nothing(
    rest: httpx.AsyncClient,
) -> None:
    key = await a_key()

    sent = await rest.post(
        "/v2/sms/messages", json=SMS, headers=auth(key, **{"Idempotency-Key": "k"})
    )
    preview = await rest.post(
        "/v2/sms/preview", json={"body": "Oi", "route": "otp"}, headers=auth(key)
    )

    assert (sent.status_code, sent.json()["billing"]) == (201, {"coins": 0})
    assert preview.json()["billing"] == {"coins": 0}
    for path in ("/v2/wallet", "/v2/wallet/transactions", "/v2/wallet/conferencia"):
        assert (await rest.get(path, headers=auth(key))).status_code == 404
