"""Interface: Webhook subscription. The borders of its fields; decisions: the bounds of retry."""

from core import webhooks
from core.foundation.clock import now
from tests.contract.event_names import EVENT_NAMES
from tests.contract.rows.webhooks import CHANGE, CREATE, URL
from tests.contract.table import Limit, Page
from tests.contract.world import World

HEADER = {"key": "X-A", "value": "a"}

LIMITS = [
    *(
        limit
        for address in (CREATE, CHANGE)
        for limit in (
            Limit(
                address=address,
                field="/events",
                takes=[["sms.delivered"], ["sms.delivered"] * 100, list(EVENT_NAMES)],
                refuses=[
                    ([], "too_few"),
                    (["sms.delivered"] * 101, "too_many"),
                    (["sms.sent"], "not_allowed", "/0"),
                    (["*"], "not_allowed", "/0"),
                    (["sms.failed", None], "not_allowed", "/1"),
                ],
            ),
            Limit(
                address=address,
                field="/description",
                takes=["", "x" * 500],
                refuses=[("x" * 501, "too_long"), ("a\x00", "nul")],
            ),
            Limit(
                address=address,
                field="/headers",
                takes=[[], [{"key": f"X-{n}", "value": "a"} for n in range(20)]],
                refuses=[([{"key": f"X-{n}", "value": "a"} for n in range(21)], "too_many")],
            ),
            Limit(
                address=address,
                field="/headers/0",
                change={"headers": [HEADER]},
                takes=[{"key": "k" * 64, "value": "v" * 1024}, {"key": "K", "value": ""}],
                refuses=[
                    ({**HEADER, "key": "k" * 65}, "wrong_format", "/key"),
                    ({**HEADER, "key": ""}, "wrong_format", "/key"),
                    ({**HEADER, "key": "a b"}, "wrong_format", "/key"),
                    ({**HEADER, "value": "v" * 1025}, "too_long", "/value"),
                    ({**HEADER, "value": "a\r\nb"}, "wrong_format", "/value"),
                    ({"key": "X-A"}, "required", "/value"),
                ],
            ),
            Limit(
                address=address,
                field="/retry/maxAttempts",
                change={"retry": {"maxAttempts": 8, "backoffSeconds": 30}},
                takes=[1, 12],
                refuses=[(0, "too_small"), (13, "too_large"), (1.5, "wrong_type")],
            ),
            Limit(
                address=address,
                field="/retry/backoffSeconds",
                change={"retry": {"maxAttempts": 8, "backoffSeconds": 30}},
                takes=[5, 3600],
                refuses=[(4, "too_small"), (3601, "too_large")],
            ),
            Limit(
                address=address,
                field="/retry",
                refuses=[
                    ({"maxAttempts": 1}, "required", "/backoffSeconds"),
                    ({"backoffSeconds": 5}, "required", "/maxAttempts"),
                ],
            ),
        )
    ),
    Limit(
        address=CREATE,
        field="/url",
        takes=[URL + "?" + "x" * (2047 - len(URL))],
        refuses=[(URL + "?" + "x" * (2048 - len(URL)), "too_long")],
    ),
    Limit(
        address="POST /webhooks/{id}/rotate-secret",
        field="/overlapSeconds",
        takes=[0, 604_800],
        refuses=[(-1, "too_small"), (604_801, "too_large")],
    ),
    Limit(
        address="POST /webhooks/{id}/replay",
        field="/deliveryIds",
        refuses=[([], "too_few"), (["dlv_1"] * 1_001, "too_many")],
    ),
    Limit(
        address="POST /webhooks/{id}/replay",
        field="/events",
        takes=[["sms.failed"], list(EVENT_NAMES)],
        refuses=[([], "too_few"), (["sms.sent"], "not_allowed", "/0")],
    ),
    Limit(
        address="POST /webhooks/{id}/replay",
        field="/status",
        takes=["entregue", "pendente", "falhando", "morta", "retida"],
        refuses=[("failing", "not_allowed")],
    ),
    Limit(
        address="POST /webhooks/{id}/test",
        field="/event",
        takes=["sms.failed"],
        refuses=[("webhook.ping", "not_allowed")],
    ),
    Limit(
        address=CHANGE,
        field="/status",
        takes=["active", "paused"],
        refuses=[("failing", "not_allowed")],
    ),
    Limit(
        address="POST /webhooks/validate",
        field="/headers",
        takes=[[], [{"key": f"X-{n}", "value": "a"} for n in range(20)]],
        refuses=[([{"key": f"X-{n}", "value": "a"} for n in range(21)], "too_many")],
    ),
    Limit(
        address="GET /webhooks/{id}/deliveries",
        field="?status",
        refuses=[("entreguee", "not_allowed")],
    ),
    Limit(
        address="GET /webhooks/{id}/deliveries",
        field="?event",
        takes=["sms.delivered", "wallet.depleted"],
        refuses=[("sms.deliverd", "not_allowed")],
    ),
]


async def deliveries(world: World, count: int) -> None:
    """So many deliveries of the subscription."""
    await world.record("webhook")
    at = now()
    caller = world.caller
    events = [
        webhooks.NewEvent(caller.organization_id, caller.env, "sms.delivered", {"n": n}, at)
        for n in range(count)
    ]
    await webhooks.publish_many(events, at=at)


async def fed(world: World, count: int) -> None:
    """So many events that have their positions in the feed."""
    await deliveries(world, count)
    await webhooks.assign_positions(at=now())


PAGES = [
    Page(address="GET /webhooks/{id}/deliveries", skips=False, fill=deliveries),
    Page(address="GET /v2/event-feed", skips=False, fill=fed),
    Page(
        address="GET /webhooks",
        fill=lambda world, count: world.rows("webhook", count, table="webhook_subscriptions"),
    ),
]
