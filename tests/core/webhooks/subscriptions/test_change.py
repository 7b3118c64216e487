"""Changing a subscription: what was sent changes and nothing else; who may, and what is refused."""

from typing import Any

import pytest

from core import webhooks
from core.foundation.clock import now
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.security.caller import KEY_SCOPES, Scope
from core.foundation.validation.inputs import read_body
from core.webhooks import WebhookSubscription
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.claims import claim_due
from tests.support.receiver import a_receiver
from tests.support.subscriptions import (
    changed,
    deliver_all,
    everything_of,
    refused_fields,
    the_changes,
)


async def test_what_is_sent_changes_and_the_rest_stays(clean_slate: None) -> None:
    caller = await a_caller()
    before = (
        await a_subscription(
            caller, description="Shop", headers=[{"key": "X-Tenant", "value": "a"}]
        )
    )["webhook"]

    after = await changed(
        caller, before["id"], events=["sms.failed", "sms.delivered", "sms.failed"]
    )

    assert after == {
        **before,
        "events": ["sms.failed", "sms.delivered"],
        "updatedAt": after["updatedAt"],
    }
    assert after["updatedAt"] >= before["updatedAt"]
    assert await webhooks.get_subscription(caller, before["id"]) == after


async def test_several_fields_change_at_once(clean_slate: None) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller, description="Shop"))["webhook"]["id"]

    after = await changed(
        caller,
        id,
        events=["sms.received"],
        status="paused",
        description="Store",
        headers=[{"key": "X-New", "value": "1"}],
        retry={"maxAttempts": 12, "backoffSeconds": 5},
    )

    assert (after["events"], after["status"], after["description"]) == (
        ["sms.received"],
        "paused",
        "Store",
    )
    assert after["headers"] == [{"key": "X-New", "value": "***"}]
    assert after["retry"] == {"maxAttempts": 12, "backoffSeconds": 5}


async def test_nothing_sent_changes_nothing_not_even_the_time(clean_slate: None) -> None:
    caller = await a_caller()
    before = (await a_subscription(caller, description="Shop"))["webhook"]
    row = await everything_of(before["id"])

    assert await changed(caller, before["id"]) == before
    assert await everything_of(before["id"]) == row


async def test_null_clears_the_description(clean_slate: None) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller, description="Shop"))["webhook"]["id"]

    assert "description" not in await changed(caller, id, description=None)
    assert (await WebhookSubscription.get(id=id)).description is None


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"url": "https://example.com/other"}, ("/url", "immutable")),
        ({"url": None}, ("/url", "immutable")),
        ({"events": []}, ("/events", "too_few")),
        ({"events": None}, ("/events", "wrong_type")),
        ({"events": ["webhook.ping"]}, ("/events/0", "not_allowed")),
        ({"events": ["sms.sent"]}, ("/events/0", "not_allowed")),
        ({"status": "failing"}, ("/status", "not_allowed")),
        ({"status": "revoked"}, ("/status", "not_allowed")),
        ({"status": None}, ("/status", "not_allowed")),
        ({"description": "x" * 501}, ("/description", "too_long")),
        ({"headers": None}, ("/headers", "wrong_type")),
        (
            {"headers": [{"key": "X-SVC-Event", "value": "a"}]},
            ("/headers/0/key", "reserved_header"),
        ),
        ({"headers": [{"key": "host", "value": "a"}]}, ("/headers/0/key", "reserved_header")),
        ({"headers": [{"key": "X-A", "value": "a\r\nb"}]}, ("/headers/0/value", "wrong_format")),
        ({"headers": [{"key": "X-A"}]}, ("/headers/0/value", "required")),
        (
            {"headers": [{"key": "X-A", "value": "1"}, {"key": "x-a", "value": "2"}]},
            ("/headers", "repeated"),
        ),
        (
            {"headers": [{"key": f"X-{n}", "value": ""} for n in range(21)]},
            ("/headers", "too_many"),
        ),
        ({"retry": None}, ("/retry", "wrong_type")),
        ({"retry": {"maxAttempts": 8}}, ("/retry/backoffSeconds", "required")),
        ({"retry": {"maxAttempts": 13, "backoffSeconds": 30}}, ("/retry/maxAttempts", "too_large")),
        ({"secretVersion": 2}, ("/secretVersion", "unknown_field")),
    ],
)
def test_what_cannot_be_changed_is_named(fields: dict[str, Any], refused: tuple[str, str]) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        the_changes(**fields)

    assert refused_fields(refusal.value) == [refused]


def test_every_wrong_field_is_named_at_once() -> None:
    with pytest.raises(ValidationFailed) as refusal:
        the_changes(url="https://example.com", status="revoked", events=[])

    assert sorted(where for where, _ in refused_fields(refusal.value)) == [
        "/events",
        "/status",
        "/url",
    ]


async def test_a_changed_retry_holds_for_what_is_queued(clean_slate: None) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    await an_event(caller)

    await changed(caller, id, retry={"maxAttempts": 3, "backoffSeconds": 7})

    (due,) = await claim_due(at=now(), limit=10)
    assert (due.max_attempts, due.backoff_seconds) == (3, 7)


async def test_changed_events_hold_for_later_events_only(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id = (await a_subscription(caller, receiver.url, events=["sms.delivered"]))["webhook"]["id"]
        await an_event(caller, "sms.delivered")
        await an_event(caller, "sms.failed")

        await changed(caller, id, events=["sms.failed"])
        await an_event(caller, "sms.delivered")
        await an_event(caller, "sms.failed", id="msg_2")
        await deliver_all()

        arrived = [(event["type"], event["data"]["id"]) for event in receiver.events()]
        assert sorted(arrived) == [("sms.delivered", "msg_1"), ("sms.failed", "msg_2")]


# Headers ------------------------------------------------------------------------------------------


async def test_headers_replace_the_whole_set(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        old = [{"key": "X-Old", "value": "1"}, {"key": "X-Both", "value": "2"}]
        id = (await a_subscription(caller, receiver.url, headers=old))["webhook"]["id"]

        record = await changed(
            caller,
            id,
            headers=[
                {"key": "X-Both", "value": "3"},
                {"key": "Authorization", "value": "Bearer abc"},
            ],
        )
        await an_event(caller)
        await deliver_all()

        assert record["headers"] == [
            {"key": "X-Both", "value": "***"},
            {"key": "Authorization", "value": "***"},
        ]
        (arrival,) = receiver.arrivals
        assert "x-old" not in arrival.headers
        assert (arrival.headers["x-both"], arrival.headers["authorization"]) == ("3", "Bearer abc")


async def test_an_empty_set_clears_all_headers(clean_slate: None) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller, headers=[{"key": "X-Old", "value": "1"}]))["webhook"]["id"]

    assert (await changed(caller, id, headers=[]))["headers"] == []
    assert (await WebhookSubscription.get(id=id)).headers == []


async def test_a_masked_value_keeps_the_stored_one(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        stored = [{"key": "Authorization", "value": "Bearer kept"}, {"key": "X-Gone", "value": "2"}]
        id = (await a_subscription(caller, receiver.url, headers=stored))["webhook"]["id"]

        await changed(
            caller,
            id,
            headers=[{"key": "authorization", "value": "***"}, {"key": "X-New", "value": "****"}],
        )
        await an_event(caller)
        await deliver_all()

        (arrival,) = receiver.arrivals
        assert (arrival.headers["authorization"], arrival.headers["x-new"]) == (
            "Bearer kept",
            "****",
        )
        assert "x-gone" not in arrival.headers


async def test_a_masked_value_without_a_stored_one_is_refused_and_nothing_changes(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller, headers=[{"key": "X-A", "value": "1"}]))["webhook"]["id"]
    before = await everything_of(id)

    with pytest.raises(ValidationFailed) as refusal:
        await changed(
            caller,
            id,
            description="new",
            status="paused",
            headers=[
                {"key": "X-B", "value": "***"},
                {"key": "X-A", "value": "***"},
                {"key": "X-C", "value": "***"},
            ],
        )

    assert refused_fields(refusal.value) == [
        ("/headers/0/value", "VALOR_MASCARADO"),
        ("/headers/2/value", "VALOR_MASCARADO"),
    ]
    assert await everything_of(id) == before


async def test_header_values_are_encrypted_at_rest(clean_slate: None) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]

    await changed(caller, id, headers=[{"key": "Authorization", "value": "Bearer plain"}])

    assert "Bearer plain" not in repr(await everything_of(id))


@pytest.mark.parametrize("body", [webhooks.NewSubscription, webhooks.EndpointCheck])
def test_only_a_change_may_send_a_masked_value(body: Any) -> None:
    fields = b'{"url":"http://127.0.0.1:9009/","events":["sms.failed"],"headers":[{"key":"X-A","value":"***"}]}'
    if body is webhooks.EndpointCheck:
        fields = fields.replace(b'"events":["sms.failed"],', b"")

    with pytest.raises(ValidationFailed) as refusal:
        read_body(body, fields)

    assert refused_fields(refusal.value) == [("/headers/0/value", "VALOR_MASCARADO")]


# Who may ------------------------------------------------------------------------------------------


async def test_a_key_that_only_reads_changes_nothing(clean_slate: None) -> None:
    owner = await a_caller()
    id = (await a_subscription(owner))["webhook"]["id"]
    before = await everything_of(id)
    reader = await a_caller(
        scopes=KEY_SCOPES - {Scope.WEBHOOKS_WRITE}, organization_id=owner.organization_id
    )

    with pytest.raises(Forbidden):
        await changed(reader, id, status="paused")

    assert await everything_of(id) == before


@pytest.mark.parametrize("stranger", ["organization", "environment"])
async def test_a_strangers_subscription_is_not_found(clean_slate: None, stranger: str) -> None:
    owner = await a_caller()
    id = (await a_subscription(owner))["webhook"]["id"]
    before = await everything_of(id)
    other = await a_caller(
        env="live" if stranger == "environment" else "test",
        organization_id=owner.organization_id if stranger == "environment" else None,
    )

    with pytest.raises(NotFound):
        await changed(other, id, status="paused")

    assert await everything_of(id) == before


@pytest.mark.parametrize(
    "id", ["wbh_000000000000000000000", "wbh_x", "msg_000000000000000000000", "", "x" * 4000]
)
async def test_an_id_that_names_nothing_is_not_found(clean_slate: None, id: str) -> None:
    with pytest.raises(NotFound):
        await changed(await a_caller(), id)
