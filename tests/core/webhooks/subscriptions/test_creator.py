"""A subscription is told personal data for as long as who created it may see it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import organizations, webhooks
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Unauthorized
from core.foundation.security.caller import Caller, Scope
from core.organizations import (
    AccountChanges,
    AccountStatus,
    KeyChanges,
    KeyRevocation,
    KeyRotation,
    Role,
)
from core.organizations.roles import SCOPES_OF
from core.webhooks.events import feed
from tests.factories.accounts import a_log_in, an_account
from tests.factories.keys import an_admin, an_issued_key, ends
from tests.factories.webhooks import a_subscription, an_event
from tests.support.receiver import Receiver
from tests.support.subscriptions import deliver_all
from tests.support.told import audited

pytestmark = pytest.mark.usefixtures("clean_slate")

WHOLE, MASKED = "+5511987654321", "+5511*****4321"
SCOPES = ["webhooks:read", "webhooks:write", "pii:full"]

Loss = Callable[[Caller, str], Awaitable[Any]]


async def the_key(admin: Caller, **changes: Any) -> tuple[str, Caller]:
    """A key that sees personal data: its id, and what it is at work."""
    issued = await an_issued_key(admin, scopes=SCOPES, **changes)
    return issued["id"], await organizations.authenticate(issued["key"], request_id=None)


async def revoked(admin: Caller, id: str) -> None:
    await organizations.revoke_key(admin, id)


async def narrowed(admin: Caller, id: str) -> None:
    scopes = [Scope.WEBHOOKS_READ, Scope.WEBHOOKS_WRITE]
    await organizations.change_key(admin, id, KeyChanges(scopes=scopes))


async def ran_out(admin: Caller, id: str) -> None:
    await ends({"id": id}, now() - timedelta(seconds=1))
    await db.execute(
        "UPDATE webhook_subscriptions SET pii_until = $1", now() - timedelta(seconds=1)
    )


async def suspended_with_its_account(admin: Caller, id: str) -> None:
    assert admin.account_id is not None
    changes = AccountChanges(status=AccountStatus.SUSPENDED, suspend_keys=True)
    await organizations.change_account(admin.account_id, changes)


async def replaced_and_its_replacement_revoked(admin: Caller, id: str) -> None:
    new = await organizations.rotate_key(admin, id, KeyRotation(overlap_hours=0))
    await organizations.revoke_key(admin, new["id"])


LOSSES = [
    revoked,
    narrowed,
    ran_out,
    suspended_with_its_account,
    replaced_and_its_replacement_revoked,
]


def recipients(receiver: Receiver) -> list[str]:
    return [event["data"]["to"] for event in receiver.events()]


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.__name__)
async def test_nothing_after_the_loss_is_whole(receiver: Receiver, loss: Loss) -> None:
    admin = await an_admin("test")
    id, caller = await the_key(admin)
    made = (await a_subscription(caller, receiver.url))["webhook"]
    assert made["piiFull"] is True
    await an_event(caller, n=1)
    await deliver_all()
    receiver.answer = lambda _: 500
    await an_event(caller, n=2)
    await deliver_all()
    assert recipients(receiver) == [WHOLE, WHOLE]

    await loss(admin, id)
    receiver.answer = lambda _: 200
    await db.execute("UPDATE webhook_deliveries SET due_at = $1 WHERE due_at IS NOT NULL", now())
    await an_event(caller, n=3)
    await deliver_all()
    by_time = webhooks.Replay.model_validate({"from": now() - timedelta(hours=1), "to": now()})
    await webhooks.replay_deliveries(caller, made["id"], by_time)
    await deliver_all()

    assert recipients(receiver)[2:] == [MASKED] * 5, "a retry, a new one, and three replays"
    assert not (await feed._selection(caller, made["id"])).unmasked
    shown = await webhooks.get_subscription(caller, made["id"])
    assert shown["piiFull"] is False
    listed = await webhooks.list_subscriptions(caller, webhooks.SubscriptionFilter())
    assert listed["items"] == [shown]
    log = await webhooks.list_deliveries(caller, made["id"], webhooks.DeliveryFilter())
    for delivery in log["items"]:
        told = await webhooks.get_delivery(caller, delivery["id"])
        assert WHOLE not in told["request"]["body"]
    await webhooks.send_sample(
        caller, made["id"], webhooks.Sample(event=webhooks.EventType.SMS_DELIVERED)
    )
    assert "*" in receiver.events()[-1]["data"]["to"]


async def test_what_an_endpoint_answered_before_stays_hidden_from_who_may_see_less(
    receiver: Receiver,
) -> None:
    admin = await an_admin("test")
    id, caller = await the_key(admin)
    made = (await a_subscription(caller, receiver.url))["webhook"]
    await an_event(caller)
    await deliver_all()
    await db.execute("UPDATE webhook_attempts SET response_body = 'you sent ' || $1", WHOLE)
    await organizations.revoke_key(admin, id)
    less = replace(caller, scopes=frozenset({Scope.WEBHOOKS_READ}))

    [delivery] = (await webhooks.list_deliveries(less, made["id"], webhooks.DeliveryFilter()))[
        "items"
    ]
    assert (await webhooks.get_delivery(less, delivery["id"]))["attemptLog"][0][
        "responseBody"
    ] == "***"


async def test_a_replacement_carries_it_on(receiver: Receiver) -> None:
    admin = await an_admin("test")
    id, caller = await the_key(admin)
    made = (await a_subscription(caller, receiver.url))["webhook"]

    new = await organizations.rotate_key(admin, id, KeyRotation(overlap_hours=0))
    await organizations.revoke_key(admin, id)
    await an_event(caller)
    await deliver_all()

    assert recipients(receiver) == [WHOLE]
    for key in (id, new["id"]):
        assert [one["id"] for one in (await organizations.get_key(admin, key))["webhooks"]] == [
            made["id"]
        ]


async def test_it_ends_with_the_key_that_has_an_end(receiver: Receiver) -> None:
    admin = await an_admin("test")
    end = now() + timedelta(days=1)
    id, caller = await the_key(admin, expiraEm=end.isoformat())
    await a_subscription(caller, receiver.url)

    async def until() -> Any:
        return await db.fetchval("SELECT pii_until FROM webhook_subscriptions")

    assert await until() == end
    new = await organizations.rotate_key(admin, id, KeyRotation(overlap_hours=0))
    assert wire_time(await until()) == new["expiraEm"]


@pytest.mark.parametrize(
    "changes",
    [AccountChanges(status=AccountStatus.SUSPENDED), AccountChanges(role=Role.OPERATOR)],
    ids=["suspended", "operator"],
)
async def test_what_a_person_subscribed_ends_with_what_the_person_may(
    receiver: Receiver, changes: AccountChanges
) -> None:
    account = await an_account()
    token = (await a_log_in(account["email"], env="test"))["token"]
    person = await organizations.authenticate(token, request_id=None)
    await a_subscription(person, receiver.url)
    _, key = await the_key(person)
    other = (await a_subscription(key))["webhook"]["id"]

    await organizations.change_account(account["id"], changes)
    await an_event(person)
    await deliver_all()

    assert recipients(receiver) == [MASKED]
    assert (await webhooks.get_subscription(key, other))["piiFull"] is True, (
        "the key of the account goes on"
    )


async def test_who_is_renamed_or_made_admin_loses_nothing(receiver: Receiver) -> None:
    account = await an_account()
    token = (await a_log_in(account["email"], env="test"))["token"]
    person = await organizations.authenticate(token, request_id=None)
    await a_subscription(person, receiver.url)

    await organizations.change_account(
        account["id"], AccountChanges(role=Role.ADMIN, password="another password")
    )
    await an_event(person)
    await deliver_all()

    assert recipients(receiver) == [WHOLE]


async def test_a_suspended_account_takes_its_keys_along_where_asked() -> None:
    account = await an_account()
    token = (await a_log_in(account["email"], env="test"))["token"]
    person = await organizations.authenticate(token, request_id=None)
    first, second = await an_issued_key(person), await an_issued_key(person, env="live")
    suspended = AccountChanges(status=AccountStatus.SUSPENDED)

    await organizations.change_account(account["id"], suspended)
    await organizations.authenticate(first["key"], request_id=None)
    await organizations.change_account(
        account["id"], AccountChanges(status=AccountStatus.SUSPENDED, suspend_keys=True)
    )

    for issued in (first, second):
        with pytest.raises(Unauthorized) as refused:
            await organizations.authenticate(issued["key"], request_id=None)
        assert refused.value.meta == {"motivo": "revogada"}
    told = await audited(person.organization_id, "apikey.revoked")
    assert {(entry["env"], entry["subject_id"]) for entry in told} == {
        ("test", first["id"]),
        ("live", second["id"]),
    }
    assert (await audited(person.organization_id, "account.changed"))[-1]["facts"]["keys"] == 2


async def test_keys_end_with_a_suspension_alone() -> None:
    for changes in ({"suspend_keys": True}, {"suspend_keys": True, "status": AccountStatus.ACTIVE}):
        with pytest.raises(ValueError, match="suspended"):
            AccountChanges(**changes)


async def test_revoking_shows_the_subscriptions_and_pauses_them_where_asked(
    receiver: Receiver,
) -> None:
    admin = await an_admin("test")
    id, caller = await the_key(admin)
    _, other = await the_key(admin)
    made = [(await a_subscription(caller, receiver.url))["webhook"] for _ in range(2)]
    await a_subscription(other, receiver.url)
    shown = [{"id": one["id"], "url": one["url"], "status": "active"} for one in made]
    assert (await organizations.get_key(admin, id))["webhooks"] == shown

    assert (await organizations.revoke_key(admin, id))["webhooks"] == shown
    paused = await organizations.revoke_key(admin, id, KeyRevocation(close_webhooks=True))

    assert paused["webhooks"] == [{**one, "status": "paused"} for one in shown]
    await an_event(other)
    await deliver_all()
    assert len(receiver.arrivals) == 1
    told = await audited(admin.organization_id, "webhook.")
    assert [entry["action"] for entry in told if entry["action"] != "webhook.created"] == [
        *["webhook.masked"] * 2,
        *["webhook.changed"] * 2,
    ]


async def test_a_key_that_was_revoked_a_moment_ago_subscribes_nothing() -> None:
    admin = await an_admin("test")
    id, caller = await the_key(admin)
    await organizations.revoke_key(admin, id)

    with pytest.raises(Unauthorized):
        await a_subscription(caller)
    assert await db.fetchval("SELECT count(*) FROM webhook_subscriptions") == 0


async def test_a_key_that_was_narrowed_a_moment_ago_subscribes_without_personal_data() -> None:
    admin = await an_admin("test")
    id, caller = await the_key(admin)
    await narrowed(admin, id)

    assert (await a_subscription(caller))["webhook"]["piiFull"] is False


def test_operators_alone_see_no_personal_data() -> None:
    """The migration of subscriptions that were there knows it too."""
    assert {role for role, scopes in SCOPES_OF.items() if Scope.PII_FULL in scopes} == {
        Role.OWNER,
        Role.ADMIN,
    }
