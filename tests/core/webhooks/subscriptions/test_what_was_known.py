"""The migration of subscriptions that were there: what the trail and the keys tell of them."""

import importlib
from datetime import timedelta
from typing import Any

import pytest

from core import organizations
from core.foundation.clock import now
from core.foundation.database import db
from core.organizations import AccountStatus, KeyRotation
from core.webhooks import WebhookSubscription
from tests.factories.accounts import a_log_in, an_account
from tests.factories.keys import an_admin, an_issued_key
from tests.factories.webhooks import a_subscription

pytestmark = pytest.mark.usefixtures("clean_slate")

BEFORE: dict[str, Any] = {
    "created_with_id": None,
    "key_id": None,
    "pii_until": None,
    "confirmed_at": None,
}


async def migrated() -> None:
    """Everything as it was before, and then what the migration makes of it."""
    await WebhookSubscription.all().update(**BEFORE)
    for sql in importlib.import_module("core.migrations.0017_webhook_confirmation").WHAT_IS_KNOWN:
        await db.execute(sql)


async def test_an_address_that_has_answered_is_confirmed() -> None:
    admin = await an_admin()
    answered, silent = [(await a_subscription(admin))["webhook"]["id"] for _ in range(2)]
    at = now()
    await WebhookSubscription.filter(id=answered).update(last_success_at=at)

    await migrated()

    assert (await WebhookSubscription.get(id=answered)).confirmed_at == at
    assert (await WebhookSubscription.get(id=silent)).confirmed_at is None


async def test_the_keys_of_the_trail_decide_what_is_told_whole() -> None:
    admin = await an_admin()
    scopes = ["webhooks:write", "pii:full"]
    ids, subscriptions = {}, {}
    for name in ("open", "revoked", "narrowed", "ending", "replaced"):
        end = (now() + timedelta(days=9)).isoformat() if name == "ending" else None
        issued = await an_issued_key(admin, scopes=scopes, **({"expiraEm": end} if end else {}))
        caller = await organizations.authenticate(issued["key"], request_id=None)
        ids[name] = issued["id"]
        subscriptions[name] = (await a_subscription(caller))["webhook"]["id"]
    await organizations.revoke_key(admin, ids["revoked"])
    await organizations.ApiKey.filter(id=ids["narrowed"]).update(scopes=["webhooks:write"])
    middle = await organizations.rotate_key(admin, ids["replaced"], KeyRotation())
    last = await organizations.rotate_key(admin, middle["id"], KeyRotation())

    await migrated()

    rows = {name: await WebhookSubscription.get(id=id) for name, id in subscriptions.items()}
    assert {name: row.created_with_id for name, row in rows.items()} == ids
    assert {name: row.key_id for name, row in rows.items()} == {**ids, "replaced": last["id"]}
    ends = {name: row.pii_until for name, row in rows.items()}
    assert (ends["open"], ends["replaced"]) == (None, None)
    assert ends["ending"] == (await organizations.ApiKey.get(id=ids["ending"])).expires_at
    assert ends["revoked"] == (await organizations.ApiKey.get(id=ids["revoked"])).revoked_at
    assert ends["narrowed"] is not None


@pytest.mark.parametrize(
    ("changes", "ends"),
    [
        ({}, False),
        ({"status": AccountStatus.SUSPENDED}, True),
        ({"role": "operator"}, True),
        ({"role": "admin"}, False),
    ],
    ids=str,
)
async def test_the_account_decides_where_a_person_subscribed(
    changes: dict[str, Any], ends: bool
) -> None:
    account = await an_account()
    token = (await a_log_in(account["email"], env="test"))["token"]
    person = await organizations.authenticate(token, request_id=None)
    id = (await a_subscription(person))["webhook"]["id"]
    await organizations.Account.filter(id=account["id"]).update(
        **{"status": AccountStatus.ACTIVE, **changes}
    )

    await migrated()

    row = await WebhookSubscription.get(id=id)
    assert (row.key_id, row.pii_until is not None) == (None, ends)
