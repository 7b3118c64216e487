"""SMS over REST: statuses, headers, shapes and masks."""

from datetime import timedelta

import httpx
import pytest

from core import sms
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import DEFAULT_KEY_SCOPES, KEY_SCOPES, Scope
from tests.factories.organizations import a_key

BODY = {"to": "+5511987650005", "body": "Olá! Seu pedido saiu.", "route": "premium"}


def headers(key: str, idempotency_key: str = "k-1") -> dict[str, str]:
    return {"Authorization": f"Bearer {key}", "Idempotency-Key": idempotency_key}


@pytest.mark.parametrize("ending", ["0005", "0006", "0008", "0013", "0018", "0099"])
async def test_every_outcome_is_read_in_the_documented_shape(
    rest: httpx.AsyncClient, ending: str
) -> None:
    key = await a_key()
    made = await rest.post(
        "/contacts", json={"phone": "+5511987650001"}, headers={"Authorization": f"Bearer {key}"}
    )
    contact = made.json()["id"]
    body = {
        **BODY, "to": f"+551198765{ending}", "senderId": "Loja", "contactId": contact, "campaignId": "c",
        "metadata": {"text": "a", "number": 1.5, "boolean": True},
    }  # fmt: skip
    sent = (await rest.post("/v2/sms/messages", json=body, headers=headers(key))).json()
    await sms.apply_due_reports(at=now() + timedelta(seconds=4))

    one = await rest.get(f"/v2/sms/messages/{sent['id']}", headers=headers(key))
    page = await rest.get("/v2/sms/messages", headers=headers(key))

    message = one.json()
    assert message["metadata"] == body["metadata"]
    assert ("providerReceipt" in message) is (ending != "0099")
    assert page.json() == {"items": [one.json()], "total": 1}


@pytest.mark.parametrize(
    ("scopes", "to"), [(KEY_SCOPES, "+5511987650005"), (DEFAULT_KEY_SCOPES, "+5511*****0005")]
)
async def test_phones_are_whole_only_for_keys_that_may_see_them(
    rest: httpx.AsyncClient, scopes: frozenset[Scope], to: str
) -> None:
    key = await a_key(scopes=scopes)
    sent = (await rest.post("/v2/sms/messages", json=BODY, headers=headers(key))).json()
    await sms.apply_due_reports(at=now() + timedelta(seconds=4))

    one = (await rest.get(f"/v2/sms/messages/{sent['id']}", headers=headers(key))).json()
    (item,) = (await rest.get("/v2/sms/messages", headers=headers(key))).json()["items"]
    again = (await rest.post("/v2/sms/messages", json=BODY, headers=headers(key))).json()

    assert {shown["to"] for shown in (sent, one, item, again, one["providerReceipt"])} == {to}


async def test_the_id_of_the_request_is_stored_with_what_it_caused(rest: httpx.AsyncClient) -> None:
    key = await a_key()

    sent = await rest.post(
        "/v2/sms/messages", json=BODY, headers={**headers(key), "X-Request-Id": "my-own-request"}
    )

    id = sent.json()["id"]
    assert (
        await db.fetchval("SELECT request_id FROM messages WHERE id = $1", id) == "my-own-request"
    )
    rows = await db.fetch("SELECT request_id FROM wallet_transfers WHERE origin = $1", id)
    assert [row["request_id"] for row in rows] == ["my-own-request"] * 2
