"""Interface: Endpoints, Webhooks."""

import pytest

from core import webhooks
from core.foundation import settings
from core.foundation.database.pages import cursor_of
from core.foundation.security.caller import Caller
from core.webhooks import WebhookSubscription, outbound_policy
from tests.contract.table import Answer, Before, Endpoint, Refusal
from tests.contract.world import World
from tests.factories.webhooks import a_subscription, an_event
from tests.support.receiver import a_receiver
from tests.support.subscriptions import confirmed, make


async def a_webhook(caller: Caller) -> str:
    """The id of a subscription whose address has answered."""
    id = str((await a_subscription(caller))["webhook"]["id"])
    await confirmed(id)
    return id


URL = "http://127.0.0.1:9009/hooks"


async def a_delivery(caller: Caller) -> str:
    """The id of a delivery."""
    id = await a_webhook(caller)
    await an_event(caller)
    page = await webhooks.list_deliveries(caller, id, webhooks.DeliveryFilter())
    return str(page["items"][0]["id"])


RECORDS = {"webhook": a_webhook, "delivery": a_delivery}

ENDPOINTS = [
    # Neither 400 nor 422 is listed: what cannot be read is left out, and matches nothing.
    Endpoint(
        address="GET /webhooks",
        scope="webhooks:read",
        errors="401 403",
        parameters="status event limit* skip* cursor",
    ),
    Endpoint(
        address="POST /webhooks",
        scope="webhooks:write",
        status=201,
        errors="401 403 422",
        fields="url! events[]! description headers[] retry",
        body={"url": URL, "events": ["sms.delivered"]},
    ),
    Endpoint(
        address="POST /webhooks/validate",
        scope="webhooks:write",
        errors="401 403 422 429",
        fields="url! headers[]",
        body={"url": "http://127.0.0.1:1/hooks"},
    ),
    Endpoint(
        address="GET /webhooks/{id}",
        scope="webhooks:read",
        errors="401 403 404",
        ids={"id": "<webhook>"},
    ),
    Endpoint(
        address="PATCH /webhooks/{id}",
        scope="webhooks:write",
        errors="401 403 404 422",
        ids={"id": "<webhook>"},
        fields="events[] status description headers[] retry",
        body={"status": "paused"},
    ),
    Endpoint(
        address="DELETE /webhooks/{id}",
        scope="webhooks:write",
        status=204,
        errors="401 403 404",
        ids={"id": "<webhook>"},
    ),
    # 422 is of the optional body, which the interface does not have.
    Endpoint(
        address="POST /webhooks/{id}/rotate-secret",
        scope="webhooks:write",
        errors="401 403 404 422",
        ids={"id": "<webhook>"},
        optional_body=True,
        fields="overlapSeconds",
        body={"overlapSeconds": 60},
    ),
    # What follows the interface does not have; the decisions do.
    Endpoint(address="GET /webhooks/event-types", scope="webhooks:read", errors="401 403"),
    Endpoint(
        address="POST /webhooks/verify-signature",
        scope="webhooks:read",
        errors="400 401 403 422",
        fields="headers! body!",
        body={"headers": {"X-SVC-Signature": "t=1,v1=0"}, "body": "{}"},
    ),
    Endpoint(
        address="GET /webhooks/deliveries/{id}",
        scope="webhooks:read",
        errors="401 403 404",
        ids={"id": "<delivery>"},
    ),
    Endpoint(
        address="GET /webhooks/{id}/deliveries",
        scope="webhooks:read",
        errors="401 403 404 422",
        ids={"id": "<webhook>"},
        parameters="status* event* from* to* limit* cursor",
    ),
    Endpoint(
        address="POST /webhooks/{id}/replay",
        scope="webhooks:write",
        status=202,
        errors="401 403 404 409 422",
        ids={"id": "<webhook>"},
        fields="deliveryIds[] from to events[] status",
        body={"from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"},
    ),
    Endpoint(
        address="POST /webhooks/{id}/test",
        scope="webhooks:write",
        errors="401 403 404 422 429",
        ids={"id": "<webhook>"},
        fields="event!",
        body={"event": "sms.delivered"},
    ),
    Endpoint(
        address="GET /v2/event-feed",
        scope="webhooks:read",
        errors="401 403 404 410 422",
        query={"subscription": "<webhook>"},
        parameters="cursor subscription limit*",
        unknown_is=404,
    ),
]

CREATE, CHANGE, VALIDATE = "POST /webhooks", "PATCH /webhooks/{id}", "POST /webhooks/validate"


async def it_never_answered(world: World) -> None:
    await WebhookSubscription.filter(id=await world.record("webhook")).update(confirmed_at=None)


async def it_is_revoked(world: World) -> None:
    await make(await world.record("webhook"), "revoked")


async def ten_were_tried(world: World) -> None:
    for _ in range(10):
        await webhooks.validate_endpoint(world.caller, webhooks.EndpointCheck(url="ftp://nowhere"))


async def its_endpoint_answers_500(world: World) -> None:
    await it_is_revoked(world)
    receiver = await world.stays.enter_async_context(a_receiver())
    receiver.answer = lambda _: 500
    await WebhookSubscription.filter(id=await world.record("webhook")).update(url=receiver.url)


async def as_in_production(world: World) -> None:
    """Only https and the public internet, until the row is replayed."""
    world.stays.callback(_read_settings_again)
    patched = world.stays.enter_context(pytest.MonkeyPatch.context())
    patched.delenv("SVC_WEBHOOK_ALLOW_NETWORKS")
    patched.delenv("SVC_WEBHOOK_ALLOW_HTTP")
    _read_settings_again()


def _read_settings_again() -> None:
    settings.current.cache_clear()
    outbound_policy.policy.cache_clear()


def its_address_is(url: str) -> Before:
    """The stored address of a revoked subscription."""

    async def moved(world: World) -> None:
        await it_is_revoked(world)
        await as_in_production(world)
        await WebhookSubscription.filter(id=await world.record("webhook")).update(url=url)

    return moved


REFUSALS = [
    Refusal(status=422, address=CREATE, change={"url": "nonsense"}, wrong={"/url": "invalid_url"}),
    Refusal(
        status=422,
        address=CREATE,
        before=as_in_production,
        change={"url": "http://example.com/hooks"},
        wrong={"/url": "insecure_scheme"},
    ),
    Refusal(
        status=422,
        address=CREATE,
        change={"url": "https://10.0.0.1/hooks"},
        wrong={"/url": "ssrf_blocked"},
    ),
    Refusal(
        status=422,
        address=CREATE,
        change={"events": ["webhook.ping"]},
        wrong={"/events/0": "not_allowed"},
    ),
    *(
        Refusal(
            status=422,
            address=CREATE,
            change={"headers": [{"key": key, "value": "a"}]},
            wrong={"/headers/0/key": "reserved_header"},
        )
        for key in ("X-SVC-Event", "x-svc-anything", "Host")
    ),
    Refusal(
        status=422,
        address=CREATE,
        change={"headers": [{"key": "X-A", "value": "1"}, {"key": "x-a", "value": "2"}]},
        wrong={"/headers": "repeated"},
    ),
    *(
        Refusal(
            status=422,
            address=address,
            change={"headers": [{"key": "X-A", "value": "***"}]},
            meta={"code": "VALOR_MASCARADO"},
            wrong={"/headers/0/value": "VALOR_MASCARADO"},
        )
        for address in (CREATE, CHANGE)
    ),
    *(
        Refusal(status=422, address=CREATE, change={"url": url}, wrong={"/url": code})
        for url, code in (
            ("https://user:SEGREDO-4711@example.com/", "invalid_url"),
            ("https://example.com:22/", "ssrf_blocked"),
        )
    ),
    Refusal(
        status=422,
        address=CHANGE,
        change={"url": "https://example.com/other"},
        wrong={"/url": "immutable"},
    ),
    *(
        Refusal(
            status=422, address=CHANGE, change={"status": status}, wrong={"/status": "not_allowed"}
        )
        for status in ("failing", "revoked")
    ),
    Refusal(
        status=422,
        address=CHANGE,
        before=it_is_revoked,
        change={"status": "paused"},
        wrong={"/status": "not_allowed"},
    ),
    *(
        Refusal(
            status=422,
            address=CHANGE,
            before=before,
            change={"status": "active"},
            meta={"motivo": reason},
            wrong={"/status": reason},
        )
        for before, reason in (
            (its_endpoint_answers_500, "non_2xx"),
            (it_is_revoked, "unreachable"),
            (its_address_is("http://example.com/hooks"), "insecure_scheme"),
            (its_address_is("https://10.0.0.1/hooks"), "ssrf_blocked"),
            (its_address_is("nonsense"), "invalid_url"),
        )
    ),
    Refusal(
        status=422,
        meta={"motivo": "timeout"},
        wrong={"/status": "timeout"},
        proven_by="tests/core/webhooks/subscriptions/test_validate.py::test_an_endpoint_that_does_not_answer_in_time_is_told",
    ),
    Refusal(
        status=410,
        address="GET /v2/event-feed",
        query={
            "cursor": cursor_of((2, 7, 9, 10_000_000))
        },  # of an epoch that this database never had
        meta={"code": "CURSOR_PERDIDO", "cursor": ...},
    ),
    Refusal(
        status=409,
        address="POST /webhooks/{id}/replay",
        before=it_never_answered,
        meta={"code": "ENDERECO_NAO_CONFIRMADO"},
    ),
    Refusal(
        status=422,
        address="POST /webhooks/{id}/replay",
        change={"from": ..., "to": ..., "deliveryIds": ["dlv_1"]},
        wrong={"/deliveryIds/0": "not_found"},
    ),
    Refusal(
        status=422,
        address="POST /webhooks/{id}/replay",
        change={"to": "2025-12-31T23:59:59Z"},
        wrong={"/to": "too_small"},
    ),
    Refusal(
        status=422, address="POST /webhooks/{id}/replay", change={"to": ...}, wrong={"": "required"}
    ),
    Refusal(
        status=422,
        address="POST /webhooks/{id}/replay",
        change={"deliveryIds": ["dlv_1"]},
        wrong={"": "not_allowed"},
    ),
    Refusal(
        status=422,
        wrong={"/to": "too_many"},
        proven_by="tests/core/webhooks/delivery/test_replay.py::test_more_than_the_most_is_refused_whole",
    ),
    Refusal(
        status=429,
        address="POST /webhooks/{id}/test",
        before=ten_were_tried,
        meta={"code": "LIMITE_DE_VALIDACOES"},
        retry_after=True,
    ),
    Refusal(
        status=429,
        address=VALIDATE,
        before=ten_were_tried,
        meta={"code": "LIMITE_DE_VALIDACOES"},
        retry_after=True,
    ),
]

ANSWERS = [
    Answer(
        address=CREATE,
        tells={
            "webhook/status": "active",
            "webhook/secretVersion": 1,
            "reveal/secretVersion": 1,
            "webhook/retry": {"maxAttempts": 8, "backoffSeconds": 30},
        },
    ),
    Answer(address="POST /webhooks/{id}/rotate-secret", tells={"secretVersion": 2}),
    *(
        Answer(address=VALIDATE, change={"url": url}, tells={"ok": False, "reason": reason})
        for url, reason in (
            ("nonsense", "invalid_url"),
            ("https://10.0.0.1/hooks", "ssrf_blocked"),
            (URL, "unreachable"),
        )
    ),
]
