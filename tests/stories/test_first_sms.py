"""A customer's first day: a key from the shell, a subscription, messages, and signed reports of
their fate.
"""

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from tests.support.customer import ENDINGS
from tests.support.receiver import Receiver, signed_by
from tests.support.service import Service
from tests.support.waiting import eventually

METADATA = {"order": "A-1042", "items": 3, "express": True, "total.brl": 19.9}


async def test_a_sent_message_is_reported_by_a_webhook_whose_signatures_hold(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up()
    customer = await service.new_customer(*running.apis)
    subscription = await customer.subscribe(receiver)

    sent = await customer.send("0005", idempotency_key="first", metadata=METADATA)
    await eventually(lambda: receiver.arrivals, "the report arrives")

    assert sent.status == 201
    (arrival,) = receiver.arrivals
    assert signed_by(subscription.secret, arrival)
    verified = Webhook(subscription.secret).verify(arrival.body, dict(arrival.headers))
    assert verified == arrival.event
    assert arrival.headers["x-svc-webhook-id"] == subscription.id
    assert arrival.headers["x-svc-event"] == arrival.event["type"] == "sms.delivered"
    assert arrival.headers["webhook-id"] == arrival.event["id"]
    assert arrival.headers["x-svc-delivery-id"].startswith("dlv_")
    assert (arrival.event["env"], arrival.event["organizationId"]) == (
        "test",
        customer.credential.organization_id,
    )
    data = arrival.event["data"]
    assert (data["id"], data["status"], data["env"]) == (sent.body["id"], "delivered", "test")
    assert data["metadata"] == METADATA

    record = await customer.message(sent.body["id"])
    assert record["status"] == "delivered"
    assert record["deliveredAt"] == data["deliveredAt"]


async def test_a_signature_fits_no_other_secret_and_no_changed_body(
    service: Service, receiver: Receiver
) -> None:
    customer = (await service.up()).customer
    subscription = await customer.subscribe(receiver)
    other = await customer.subscribe(receiver, ["campaign.completed"])

    await customer.send("0005", idempotency_key="first")
    await eventually(lambda: receiver.arrivals, "the report arrives")

    (arrival,) = receiver.arrivals
    changed = arrival.body.replace(b"delivered", b"Delivered")
    assert not signed_by(other.secret, arrival)
    with pytest.raises(WebhookVerificationError):
        Webhook(other.secret).verify(arrival.body, dict(arrival.headers))
    with pytest.raises(WebhookVerificationError):
        Webhook(subscription.secret).verify(changed, dict(arrival.headers))


async def test_each_sandbox_ending_gives_its_event_with_the_metadata_intact(
    service: Service, receiver: Receiver
) -> None:
    customer = (await service.up()).customer
    await customer.subscribe(receiver)

    silent = await customer.send("0099", idempotency_key="silent", metadata=METADATA)
    refused = await customer.send("0114", idempotency_key="refused", metadata=METADATA)
    ids = {}
    for ending in (*ENDINGS, "1234"):
        sent = await customer.send(
            ending, idempotency_key=ending, metadata={**METADATA, "ending": ending}
        )
        assert sent.status == 201, sent
        ids[ending] = sent.body["id"]
    await eventually(
        lambda: len(receiver.arrivals) >= len(ids), "a report for each of them arrives"
    )

    told = {event["data"]["metadata"]["ending"]: event for event in receiver.events()}
    assert set(told) == set(ids)
    for ending, event in told.items():
        status, reason = ENDINGS.get(ending, ("delivered", None))
        assert event["type"] == f"sms.{status}"
        assert event["env"] == event["data"]["env"] == "test"
        assert (event["data"]["id"], event["data"]["status"]) == (ids[ending], status)
        assert event["data"].get("reason") == reason
        assert event["data"]["metadata"] == {**METADATA, "ending": ending}

    assert (silent.status, (await customer.message(silent.body["id"]))["status"]) == (201, "sent")
    assert (refused.status, refused.body["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert (await customer.message(refused.body["meta"]["messageId"]))["status"] == "failed"
    assert len(receiver.arrivals) == len(ids)


async def test_a_key_revoked_in_the_shell_is_refused_by_a_running_api_within_seconds(
    service: Service,
) -> None:
    running = await service.up(workers=0)
    customer = await service.new_customer(*running.apis)
    assert (await customer.call("GET", "/v2/sms/messages")).status == 200

    revoked = await service.svc("key", "revoke", customer.credential.id)

    async def refused() -> bool:
        return (await customer.call("GET", "/v2/sms/messages")).status == 401

    assert revoked["revokedAt"]
    await eventually(refused, "the key is refused", within=30)
    answer = await customer.send("0005", idempotency_key="late")
    assert (answer.status, answer.body["meta"]["motivo"]) == (401, "revogada")
