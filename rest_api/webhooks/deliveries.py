"""The operations on what is delivered: its log, its replay, and the feed of all events."""

from typing import Any

from core import webhooks
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import DELIVERY, WEBHOOK
from rest_api.webhooks import examples
from rest_api.webhooks.event_types import event_types
from rest_api.webhooks.shapes import EventTypes


async def list_event_types(call: Call) -> dict[str, Any]:
    return event_types()


async def verify_signature(call: Call[webhooks.ReceivedRequest]) -> webhooks.SignatureVerdict:
    return await webhooks.verify_signature(call.caller, call.body)


async def get_delivery(call: Call) -> webhooks.WholeDeliveryRecord:
    return await webhooks.get_delivery(call.caller, call.path["id"])


async def list_deliveries(
    call: Call[None, webhooks.DeliveryFilter],
) -> WrittenPage[webhooks.DeliveryPage]:
    return await webhooks.list_deliveries(call.caller, call.path["id"], call.query)


async def replay(call: Call[webhooks.Replay]) -> webhooks.Replayed:
    return await webhooks.replay_deliveries(call.caller, call.path["id"], call.body)


async def send_sample(call: Call[webhooks.Sample]) -> webhooks.SampleVerdict:
    return await webhooks.send_sample(call.caller, call.path["id"], call.body)


async def read_feed(
    call: Call[None, webhooks.FeedPage],
) -> WrittenPage[webhooks.FeedRecord]:
    return await webhooks.read_feed(call.caller, call.query)


operations = [
    Operation(
        "GET",
        "/webhooks/event-types",
        list_event_types,
        Scope.WEBHOOKS_READ,
        "List the events that a subscription may name",
        "Webhooks",
        description="Each with a JSON Schema (2020-12) of its whole body, complete in itself, "
        "and an example.",
        errors=(401, 403),
        answer=EventTypes,
        answers={"the first": examples.EVENT_TYPES},
    ),
    Operation(
        "POST",
        "/webhooks/verify-signature",
        verify_signature,
        Scope.WEBHOOKS_READ,
        "Find out why a signature does not fit",
        "Webhooks",
        description=(
            "Checks a request as your endpoint received it, with the secret of the subscription "
            "that its "
            "`X-SVC-Webhook-Id` names, and tells the first step that fails: `headers`, `format`, "
            "`subscription`, "
            "`secret`, `body` (changed on its way) or `timestamp` (older than 5 minutes)."
        ),
        errors=(400, 401, 403, 422),
        body=webhooks.ReceivedRequest,
        answer=webhooks.SignatureVerdict,
        answers=examples.SIGNATURE_VERDICTS,
        examples={"as received": examples.RECEIVED},
    ),
    Operation(
        "GET",
        "/webhooks/deliveries/{id}",
        get_delivery,
        Scope.WEBHOOKS_READ,
        "Read one delivery with its request and its attempts",
        "Webhooks",
        description=(
            "`request.body` is the text that was signed, byte for byte; a credential without "
            "`pii:full` reads it "
            "masked, whatever the subscription is told, and `***` for what an endpoint answered "
            "that is told more. "
            "`attemptLog` has at most 100 entries: each attempt, and the newest probes."
        ),
        errors=(401, 403, 404),
        answer=webhooks.WholeDeliveryRecord,
        answers={"dead": examples.WHOLE_DELIVERY},
        ids={"id": DELIVERY},
    ),
    Operation(
        "GET",
        "/webhooks/{id}/deliveries",
        list_deliveries,
        Scope.WEBHOOKS_READ,
        "List the deliveries of a subscription, newest first",
        "Webhooks",
        description="Of the last 30 days. A status or an event that does not exist matches "
        "nothing.",
        errors=(401, 403, 404, 422),
        query=webhooks.DeliveryFilter,
        answer=webhooks.DeliveryPage,
        answers={"one page": examples.DELIVERIES},
        ids={"id": WEBHOOK},
    ),
    Operation(
        "POST",
        "/webhooks/{id}/replay",
        replay,
        Scope.WEBHOOKS_WRITE,
        "Send deliveries again",
        "Webhooks",
        description=(
            "Those of `deliveryIds`, or those whose events were queued between `from` and `to`, "
            "each event once; at "
            "most 100,000. They go out under new delivery ids, with the same data and the header "
            "`X-SVC-Replay: "
            "true`; to a paused or revoked subscription when it is resumed. Events are kept for "
            "30 days. An address "
            "that has never answered with 2xx (no `confirmedAt`) is refused: 409, "
            "`ENDERECO_NAO_CONFIRMADO`."
        ),
        heavy=True,
        errors=(401, 403, 404, 409, 422),
        status=202,
        body=webhooks.Replay,
        answer=webhooks.Replayed,
        answers={"queued": {"requested": 2}},
        ids={"id": WEBHOOK},
        examples={
            "two deliveries": {"deliveryIds": [DELIVERY, "dlv_8uJm3VcX1zQwErTyUiOpA"]},
            "what was lost in an outage": {
                "from": "2026-11-21T03:00:00Z",
                "to": "2026-11-21T05:30:00Z",
                "status": "morta",
            },
        },
    ),
    Operation(
        "POST",
        "/webhooks/{id}/test",
        send_sample,
        Scope.WEBHOOKS_WRITE,
        "Send a sample of an event",
        "Webhooks",
        description=(
            "Signed and shaped like a delivery, with the header `X-SVC-Test: true`; the answer "
            "tells how the endpoint "
            "took it. Nothing is stored, counted or tried again, but an answer with 2xx confirms "
            "the address. At most "
            "10 a minute for each organization, together with `POST /webhooks/validate`."
        ),
        errors=(401, 403, 404, 422, 429),
        body=webhooks.Sample,
        answer=webhooks.SampleVerdict,
        answers=examples.SAMPLE_VERDICTS,
        ids={"id": WEBHOOK},
        examples={"one event": {"event": "sms.delivered"}},
    ),
    Operation(
        "GET",
        "/v2/event-feed",
        read_feed,
        Scope.WEBHOOKS_READ,
        "Pull events in the order of the feed",
        "Webhooks",
        description=(
            "Every event of the last 30 days, whether or not anybody subscribes to it, as "
            "deliveries tell it. Ask "
            "again with `nextCursor`, which every page has, the empty one too: nothing ever "
            "appears behind a place "
            "that was passed. With `subscription`, its events only, and a page may be empty "
            "while `hasMore` is true. "
            "The warning `eventos_expirados` says that the cursor is older than what is kept; "
            "410 (`CURSOR_PERDIDO`), "
            "that the database lost events that it had told: go on with `meta.cursor`."
        ),
        errors=(401, 403, 404, 410, 422),
        query=webhooks.FeedPage,
        answer=webhooks.FeedRecord,
        answers={"one page": examples.FEED},
    ),
]
