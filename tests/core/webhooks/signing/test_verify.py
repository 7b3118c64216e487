"""The signature doctor: it names the first step that fails, and gives nothing away."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from core import webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.secrets import new_webhook_secret
from core.webhooks import WebhookSubscription
from core.webhooks.signing.signature import sign
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.receiver import Arrival, Receiver
from tests.support.subscriptions import deliver_all

pytestmark = pytest.mark.usefixtures("clean_slate")

OURS, STANDARD = "x-svc-signature", ("webhook-id", "webhook-timestamp", "webhook-signature")


async def checked(caller: Caller, headers: dict[str, str], body: str) -> Mapping[str, Any]:
    return await webhooks.verify_signature(
        caller, webhooks.ReceivedRequest(headers=headers, body=body)
    )


class Received:
    """A delivery as it came in, and whose it is."""

    def __init__(self, caller: Caller, made: webhooks.NewWebhook, arrival: Arrival) -> None:
        self.caller = caller
        self.id = made["webhook"]["id"]
        self.secret = made["reveal"]["secret"]
        self.headers = dict(arrival.headers)
        self.body = arrival.body.decode()

    def without(self, *names: str) -> dict[str, str]:
        return {name: value for name, value in self.headers.items() if name not in names}

    def signed_at(
        self, at: int, body: str | None = None, secret: str | None = None
    ) -> dict[str, str]:
        text = (self.body if body is None else body).encode()
        made = sign(secret or self.secret, webhook_id=self.headers["webhook-id"], body=text, at=at)
        return {**self.headers, **{name.lower(): value for name, value in made.items()}}

    async def check(
        self, headers: dict[str, str] | None = None, body: str | None = None
    ) -> Mapping[str, Any]:
        return await checked(
            self.caller,
            self.headers if headers is None else headers,
            self.body if body is None else body,
        )


@pytest.fixture
async def received(clean_slate: None, receiver: Receiver) -> Received:
    caller = await a_caller()
    made = await a_subscription(caller, receiver.url)
    await an_event(caller, text="Olá, ação")
    await deliver_all()
    return Received(caller, made, receiver.arrivals[0])


async def test_a_delivery_as_it_came_in_is_right(received: Received) -> None:
    verdict = await received.check()

    assert (verdict["ok"], verdict["subscriptionId"], verdict["secretVersion"]) == (
        True,
        received.id,
        1,
    )
    assert verdict["bodyBytes"] == len(received.body.encode())
    assert "failingStep" not in verdict


async def test_names_of_headers_are_read_in_any_case(received: Received) -> None:
    assert (
        await received.check({name.upper(): value for name, value in received.headers.items()})
    )["ok"]


async def test_the_standard_headers_are_enough(received: Received) -> None:
    assert (await received.check(received.without(OURS)))["ok"]


@pytest.mark.parametrize(
    "missing", [(OURS, *STANDARD), (OURS, "webhook-id"), ("x-svc-webhook-id",)]
)
async def test_what_is_missing_is_named(received: Received, missing: tuple[str, ...]) -> None:
    verdict = await received.check(received.without(*missing))

    assert (verdict["ok"], verdict["failingStep"]) == (False, "headers")
    assert missing[-1] in verdict["message"].lower()


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "v1=",
        "t=1,v1=zz",
        "t=x,v1=" + "a" * 64,
        "t=1,v1=" + "A" * 64,
        "t=1",
        "sha256=" + "a" * 64,
        "t=\u0661,v1=" + "a" * 64,
    ],
)
async def test_a_signature_of_another_form_is_told(received: Received, signature: str) -> None:
    assert (await received.check({**received.headers, OURS: signature}))["failingStep"] == "format"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("webhook-signature", "v1,abc"),
        ("webhook-timestamp", "today"),
        ("webhook-timestamp", "\u0661"),
    ],
)
async def test_a_standard_header_of_another_form_is_told(
    received: Received, name: str, value: str
) -> None:
    assert (await received.check({**received.without(OURS), name: value}))[
        "failingStep"
    ] == "format"


@pytest.mark.parametrize(
    ("change", "step"),
    [
        ({"webhook-id": "evt_2"}, "secret"),
        ({"webhook-timestamp": "1700000000"}, "secret"),
        ({"webhook-signature": "v1," + "A" * 43 + "="}, "secret"),
        ({"webhook-signature": "v1"}, "format"),
        ({"webhook-id": None}, "headers"),
    ],
)
async def test_what_a_standard_library_looks_at_is_checked_beside_ours(
    received: Received, change: dict[str, str | None], step: str
) -> None:
    changed = {
        name: value for name, value in {**received.headers, **change}.items() if value is not None
    }

    verdict = await received.check(changed)

    assert (verdict["ok"], verdict["failingStep"]) == (False, step)


async def test_a_standard_signature_beside_ours_has_to_be_new_too(received: Received) -> None:
    old = received.signed_at(int(now().timestamp()) - 400)

    verdict = await received.check({**received.headers, **{name: old[name] for name in STANDARD}})

    assert (verdict["ok"], verdict["failingStep"]) == (False, "timestamp")


async def test_without_the_standard_headers_ours_is_enough(received: Received) -> None:
    assert (await received.check(received.without(*STANDARD)))["ok"]


async def test_the_ping_of_a_validation_is_told_from_a_subscription_that_is_gone(
    received: Received, receiver: Receiver
) -> None:
    await webhooks.validate_endpoint(received.caller, webhooks.EndpointCheck(url=receiver.url))
    ping = receiver.arrivals[-1]

    verdict = await checked(received.caller, dict(ping.headers), ping.body.decode())

    assert (verdict["failingStep"], "validate" in verdict["message"]) == ("subscription", True)


async def test_a_subscription_that_is_not_the_callers_is_told_like_one_that_is_not_there(
    received: Received,
) -> None:
    stranger = await a_caller()

    of_another = await checked(stranger, received.headers, received.body)
    of_nobody = await received.check({**received.headers, "x-svc-webhook-id": "wbh_" + "0" * 21})
    nonsense = await received.check({**received.headers, "x-svc-webhook-id": "nonsense"})

    assert {verdict["failingStep"] for verdict in (of_another, of_nobody, nonsense)} == {
        "subscription"
    }
    assert of_another["message"] == of_nobody["message"]
    assert "subscriptionId" not in of_another


async def test_another_secret_is_told(received: Received) -> None:
    verdict = await received.check(
        received.signed_at(int(now().timestamp()), secret=new_webhook_secret())
    )

    assert (verdict["failingStep"], "secretVersion" in verdict) == ("secret", False)


async def test_the_previous_secret_counts_while_a_rotation_overlaps_and_is_named_afterwards(
    received: Received,
) -> None:
    await webhooks.rotate_secret(
        received.caller, received.id, webhooks.SecretRotation(overlap_seconds=60)
    )
    during = await received.check()
    await WebhookSubscription.filter(id=received.id).update(
        previous_secret_until=now() - timedelta(seconds=1)
    )
    after = await received.check()

    assert (during["ok"], during["secretVersion"]) == (True, 1)
    assert (after["failingStep"], "previous" in after["message"]) == ("secret", True)


async def test_a_secret_that_was_replaced_at_once_is_another(received: Received) -> None:
    await webhooks.rotate_secret(received.caller, received.id, webhooks.SecretRotation())

    assert (await received.check())["failingStep"] == "secret"


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body + "\n",
        lambda body: "\ufeff" + body,
        lambda body: json.dumps(json.loads(body)),
        lambda body: json.dumps(json.loads(body), indent=2, ensure_ascii=False),
        lambda body: body.replace("msg_1", "msg_2"),
        lambda body: body[:-10],
        lambda _: "",
    ],
    ids=[
        "line break",
        "byte order mark",
        "escaped",
        "indented",
        "another value",
        "cut off",
        "empty",
    ],
)
async def test_a_changed_body_is_told(received: Received, change: Any) -> None:
    verdict = await received.check(body=change(received.body))

    assert (verdict["ok"], verdict["failingStep"]) == (False, "body")


async def test_where_the_body_differs_is_told(received: Received) -> None:
    verdict = await received.check(body=received.body.replace("msg_1", "msg_2"))

    place = received.body.encode().index(b"msg_1") + len("msg_")
    assert f"from byte {place} on" in verdict["message"]


@pytest.mark.parametrize(
    ("seconds", "right"), [(-290, True), (290, True), (-310, False), (310, False), (-(9**5), False)]
)
async def test_a_signature_holds_for_five_minutes(
    received: Received, seconds: int, right: bool
) -> None:
    at = int(now().timestamp()) + seconds

    verdict = await received.check(received.signed_at(at))

    assert verdict["ok"] is right
    assert verdict.get("failingStep") == (None if right else "timestamp")


async def test_the_answer_gives_no_signature_away(received: Received) -> None:
    right = await received.check()
    wrong = await received.check({**received.headers, OURS: "t=1795230240,v1=" + "0" * 64})

    for verdict in (right, wrong):
        assert received.secret not in str(verdict)
        assert received.headers[OURS].partition("v1=")[2] not in str(verdict)


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a": 1e999}', "\\ud800", "x" * 100_000])
async def test_no_body_breaks_it(received: Received, body: str) -> None:
    assert (await received.check(body=body))["failingStep"] == "body"


async def test_it_takes_its_scope_and_writes_nothing(received: Received) -> None:
    weak = await a_caller(
        scopes=frozenset({Scope.SMS_READ}), organization_id=received.caller.organization_id
    )
    before = await db.fetchval("SELECT count(*) FROM audit_entries")

    with pytest.raises(Forbidden):
        await checked(weak, received.headers, received.body)
    await received.check()

    assert await db.fetchval("SELECT count(*) FROM audit_entries") == before
