"""What an owner would ask «who did that?» about stands in the audit trail, and nothing of a use case
that failed.
"""

from typing import Any

import pytest

from core import operations, organizations, wallet, webhooks
from core.foundation.errors import ServiceError
from core.foundation.validation.inputs import read_body
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription
from tests.support.told import audited

pytestmark = pytest.mark.usefixtures("clean_slate")


async def told(
    organization_id: str, kind: str
) -> list[tuple[str, str, str | None, dict[str, Any]]]:
    """(environment, action, subject, facts) of the entries."""
    entries = await audited(organization_id, kind)
    return [
        (entry["env"], entry["action"], entry["subject_id"], entry["facts"]) for entry in entries
    ]


# Webhooks


async def test_what_happens_to_a_subscription_is_told_with_who_did_it() -> None:
    caller = await a_caller("live")
    id = (await a_subscription(caller, headers=[{"key": "X-A", "value": "1"}]))["webhook"]["id"]
    changes = read_body(
        webhooks.SubscriptionChanges, b'{"status": "paused", "description": "x", "headers": []}'
    )
    await webhooks.change_subscription(caller, id, changes)
    await webhooks.rotate_secret(caller, id, webhooks.SecretRotation(overlap_seconds=60))
    await webhooks.unsubscribe(caller, id)

    assert await told(caller.organization_id, "webhook.") == [
        (
            "live",
            "webhook.created",
            id,
            {"events": ["sms.delivered"], "headers": 1, "piiFull": True},
        ),
        (
            "live",
            "webhook.changed",
            id,
            {
                "changed": ["description", "headers", "status"],
                "events": ["sms.delivered"],
                "status": "paused",
            },
        ),
        ("live", "webhook.secret_rotated", id, {"secretVersion": 2, "overlapSeconds": 60}),
        ("live", "webhook.deleted", id, {}),
    ]
    entries = await audited(caller.organization_id, "webhook.")
    assert {(entry["actor_kind"], entry["actor_id"]) for entry in entries} == {
        ("key", caller.credential_id)
    }


async def test_a_subscription_that_is_not_there_leaves_no_entry() -> None:
    caller, stranger = await a_caller(), await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    before = await audited(stranger.organization_id)

    for use_case in (
        webhooks.unsubscribe(stranger, id),
        webhooks.rotate_secret(stranger, id, webhooks.SecretRotation()),
        webhooks.change_subscription(stranger, id, webhooks.SubscriptionChanges(description="x")),
    ):
        with pytest.raises(ServiceError):
            await use_case

    assert await audited(stranger.organization_id) == before
    assert [entry["action"] for entry in await audited(caller.organization_id, "webhook.")] == [
        "webhook.created"
    ]


async def test_a_change_without_a_field_is_none() -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]

    await webhooks.change_subscription(caller, id, webhooks.SubscriptionChanges())

    assert await told(caller.organization_id, "webhook.changed") == []


# The shell


async def test_an_organization_begins_its_trail_with_its_opening() -> None:
    organization, owner = await operations.open_organization("Padaria")

    assert await told(organization.id, "") == [
        ("live", "organization.opened", organization.id, {"ownerId": owner.id})
    ]


async def test_ceilings_money_and_prices_are_told() -> None:
    organization, _ = await operations.open_organization("Padaria")
    id = organization.id

    await organizations.set_limits(id, "test", sms_per_second=7)
    await wallet.credit(id, "live", 500)
    await wallet.debit(id, "live", 200)
    await wallet.warn_below(id, "live", 50)
    table = await wallet.prices_of(id)
    await wallet.set_prices(id, {"sms": table["sms"], "email": 9})
    await wallet.set_prices(id, None)
    await wallet.set_prices(id, None)

    assert (await told(id, ""))[1:] == [
        ("test", "limits.set", id, {"smsPerSecond": 7}),
        ("live", "wallet.credited", id, {"coins": 500, "balanceCoins": 500}),
        ("live", "wallet.debited", id, {"coins": 200, "balanceCoins": 300}),
        ("live", "wallet.threshold_set", id, {"coins": 50}),
        ("live", "prices.set", id, {"sections": ["sms", "email"]}),
        ("live", "prices.cleared", id, {}),
    ]
    assert {entry["actor_kind"] for entry in await audited(id)} == {"system"}


async def test_the_top_up_of_a_sandbox_is_no_use_case_of_anybodys() -> None:
    caller = await a_caller("test")
    before = await audited(caller.organization_id)

    await wallet.credit_sandbox(caller)

    assert await audited(caller.organization_id) == before


async def test_what_is_refused_leaves_no_entry() -> None:
    caller = await a_caller("test")
    id = caller.organization_id
    before = await audited(id)

    for use_case in (
        organizations.set_limits("org_unknown", "test", sms_per_second=7),
        wallet.credit(id, "live", -1),
        wallet.debit(id, "live", -1),
        wallet.debit(id, "live", 1),
        wallet.credit("org_unknown", "live", 1),
        wallet.warn_below("org_unknown", "live", 1),
        wallet.set_prices(id, {"sms": {"premium": "free"}}),
    ):
        with pytest.raises(ServiceError):
            await use_case

    assert await audited(id) == before
    assert await audited("org_unknown") == []
