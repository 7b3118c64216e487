"""SMS over REST: statuses, headers, shapes and masks."""

import httpx

from rest_api.sms.shapes import SentSms, SmsMessage, SmsPage
from tests.factories.organizations import a_key

BODY = {"to": "+5511987650005", "body": "Olá! Seu pedido saiu.", "route": "premium"}


def headers(key: str, idempotency_key: str = "k-1") -> dict[str, str]:
    return {"Authorization": f"Bearer {key}", "Idempotency-Key": idempotency_key}


async def test_a_send_answers_201_with_the_masked_record(rest: httpx.AsyncClient) -> None:
    answer = await rest.post("/v2/sms/messages", json=BODY, headers=headers(await a_key()))

    assert answer.status_code == 201
    sent = SentSms.model_validate(answer.json())
    assert (sent.status, sent.env, sent.to) == ("sent", "test", "+5511*****0005")
    assert (sent.billing.coins, sent.replayed) == (800, False)


async def test_a_sent_message_is_read_and_listed(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    sent = (await rest.post("/v2/sms/messages", json=BODY, headers=headers(key))).json()

    one = await rest.get(f"/v2/sms/messages/{sent['id']}", headers=headers(key))
    page = await rest.get("/v2/sms/messages", headers=headers(key))

    assert SmsMessage.model_validate(one.json()).id == sent["id"]
    assert [item.id for item in SmsPage.model_validate(page.json()).items] == [sent["id"]]


async def test_another_organizations_message_answers_404(rest: httpx.AsyncClient) -> None:
    sent = (await rest.post("/v2/sms/messages", json=BODY, headers=headers(await a_key()))).json()

    answer = await rest.get(f"/v2/sms/messages/{sent['id']}", headers=headers(await a_key()))

    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
