"""Issuing, listing and revoking API keys."""

from typing import Any

import pytest

from core import onboarding, organizations, webhooks
from core.foundation import db
from core.foundation.caller import DEFAULT_KEY_SCOPES, KEY_SCOPES, SESSION_ONLY, Env, Scope
from core.foundation.errors import ValidationFailed
from core.foundation.ids import is_id
from core.foundation.secrets import read_api_key
from core.organizations import (
    Account,
    AccountStatus,
    ApiKey,
    IssuedKey,
    NoSuchKey,
    NoSuchOrganization,
    issue_key,
    list_keys,
    revoke_key,
    scopes_named,
)
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription

pytestmark = pytest.mark.usefixtures("clean_slate")


async def an_organization() -> str:
    organization, _ = await onboarding.open_organization("An organization")
    return organization.id


async def an_issued_key(organization_id: str, env: Env = "test", **options: Any) -> IssuedKey:
    return await issue_key(organization_id, env, name="a key", **options)


async def events(organization_id: str) -> list[dict[str, Any]]:
    rows = await db.fetch(
        "SELECT id, env, type, data FROM webhook_events WHERE organization_id = $1 AND type LIKE 'apikey.%'",
        organization_id,
    )
    return [dict(row) for row in rows]


# Issuing


@pytest.mark.parametrize("env", ["live", "test"])
async def test_a_key_is_shown_once_and_names_its_environment(env: Env) -> None:
    organization_id = await an_organization()

    issued = await an_issued_key(organization_id, env)

    facts = read_api_key(issued.key)
    assert facts is not None
    assert (facts.env, issued.env) == (env, env)
    assert is_id("key", issued.id)
    stored = await ApiKey.get(id=issued.id)
    assert (stored.organization_id, stored.env, stored.name) == (organization_id, env, "a key")
    assert (stored.prefix, stored.revoked_at, stored.expires_at, stored.last_used_at) == (facts.shown, None, None, None)


async def test_the_key_is_stored_hashed_only() -> None:
    organization_id = await an_organization()
    caller = await a_caller(organization_id=organization_id)
    await a_subscription(caller, events=["apikey.created"])
    issued = await an_issued_key(organization_id)
    secret = issued.key.removeprefix("svc_test_")[3:]

    tables = await db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    for table in [row["tablename"] for row in tables]:
        rows = await db.fetch(f"SELECT t::text AS row, encode(t::text::bytea, 'escape') AS raw FROM \"{table}\" t")
        for row in rows:
            assert issued.key not in row["row"], table
            assert secret not in row["row"], table
            assert issued.key.encode().hex() not in row["row"], table
    stored = await ApiKey.get(id=issued.id)
    assert len(stored.key_hash) == 32
    assert issued.key.startswith(stored.prefix)
    assert len(stored.prefix) == 12


async def test_the_same_key_hashes_differently_under_another_pepper(monkeypatch: pytest.MonkeyPatch) -> None:
    from core.foundation.secrets import keyed_hash
    from core.foundation.settings import current

    issued = await an_issued_key(await an_organization())
    stored = await ApiKey.get(id=issued.id)

    assert stored.key_hash == keyed_hash(current().hash_key.encode(), issued.key)
    assert stored.key_hash != keyed_hash(b"another pepper", issued.key)


async def test_a_key_without_a_list_of_scopes_holds_the_default() -> None:
    issued = await an_issued_key(await an_organization())

    assert issued.scopes == tuple(sorted(scope.value for scope in DEFAULT_KEY_SCOPES))
    assert (await ApiKey.get(id=issued.id)).scopes == list(issued.scopes)


async def test_a_key_belongs_to_the_oldest_active_owner() -> None:
    organization, owner = await onboarding.open_organization("An organization")

    issued = await an_issued_key(organization.id)

    assert (await ApiKey.get(id=issued.id)).created_by_id == owner.id


async def test_two_keys_differ() -> None:
    organization_id = await an_organization()

    assert (await an_issued_key(organization_id)).key != (await an_issued_key(organization_id)).key


async def test_an_unknown_organization_gets_no_key() -> None:
    with pytest.raises(NoSuchOrganization):
        await an_issued_key("org_unknown")

    assert await ApiKey.all().count() == 0
    assert await events("org_unknown") == []


@pytest.mark.parametrize("status", [AccountStatus.SUSPENDED, AccountStatus.INVITED])
async def test_an_organization_without_an_active_owner_gets_no_key(status: AccountStatus) -> None:
    organization_id = await an_organization()
    await Account.filter(organization_id=organization_id).update(status=status)

    with pytest.raises(NoSuchOrganization, match="no active owner"):
        await an_issued_key(organization_id)

    assert await ApiKey.all().count() == 0
    assert await events(organization_id) == []


@pytest.mark.parametrize("scope", SESSION_ONLY)
async def test_no_key_holds_a_scope_of_sessions(scope: Scope) -> None:
    organization_id = await an_organization()

    with pytest.raises(ValidationFailed):
        await an_issued_key(organization_id, scopes=DEFAULT_KEY_SCOPES | {scope})

    assert await ApiKey.all().count() == 0
    assert await events(organization_id) == []


# Scopes by name


def test_no_names_mean_the_default_and_all_means_all_of_a_keys() -> None:
    assert scopes_named(None) == DEFAULT_KEY_SCOPES
    assert scopes_named("all") == KEY_SCOPES


@pytest.mark.parametrize(
    ("names", "scopes"),
    [
        ("sms:send", {Scope.SMS_SEND}),
        ("sms:send,sms:read", {Scope.SMS_SEND, Scope.SMS_READ}),
        (" sms:send , sms:read, ", {Scope.SMS_SEND, Scope.SMS_READ}),
        ("sms:send,sms:send", {Scope.SMS_SEND}),
        ("pii:full,crm:delete", {Scope.PII_FULL, Scope.CRM_DELETE}),
    ],
)
def test_scopes_are_a_comma_separated_list(names: str, scopes: set[Scope]) -> None:
    assert scopes_named(names) == scopes


@pytest.mark.parametrize(
    "names",
    [
        "",
        " ",
        ",",
        "sms",
        "sms:*",
        "SMS:SEND",
        "sms:send;sms:read",
        "all,sms:read",
        "contacts:pii",
        "sms:send,keys:manage",
    ],
)
def test_an_unknown_scope_or_one_of_sessions_is_refused(names: str) -> None:
    with pytest.raises(ValidationFailed):
        scopes_named(names)


# Telling listeners


async def test_the_event_tells_of_the_key_and_never_the_key() -> None:
    organization, owner = await onboarding.open_organization("An organization")

    issued = await an_issued_key(organization.id, "live", scopes=frozenset({Scope.SMS_SEND}))

    (event,) = await events(organization.id)
    assert (event["env"], event["type"]) == ("live", "apikey.created")
    assert event["data"] == {
        "keyId": issued.id,
        "name": "a key",
        "env": "live",
        "scopes": ["sms:send"],
        "createdById": owner.id,
    }


async def test_a_listener_of_the_same_environment_gets_a_delivery() -> None:
    organization_id = await an_organization()
    hears = await a_subscription(await a_caller(organization_id=organization_id), events=["apikey.created"])
    await a_subscription(await a_caller(organization_id=organization_id), events=["sms.delivered"])
    await a_subscription(await a_caller("live", organization_id=organization_id), events=["apikey.created"])
    await a_subscription(await a_caller(), events=["apikey.created"])

    await an_issued_key(organization_id, "test")

    (event,) = await events(organization_id)
    rows = await db.fetch("SELECT subscription_id, event_id, status FROM webhook_deliveries")
    assert [tuple(row) for row in rows] == [(hears["webhook"]["id"], event["id"], "pendente")]


async def test_key_and_event_stand_or_fall_together(monkeypatch: pytest.MonkeyPatch) -> None:
    organization_id = await an_organization()

    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no event")

    monkeypatch.setattr(webhooks, "publish", fail)
    with pytest.raises(RuntimeError):
        await an_issued_key(organization_id)

    assert await ApiKey.all().count() == 0
    assert await events(organization_id) == []


# Listing


async def test_keys_are_listed_newest_first_without_the_keys() -> None:
    organization_id = await an_organization()
    first, second = await an_issued_key(organization_id), await an_issued_key(organization_id, "live")
    await an_issued_key(await an_organization())

    listed = await list_keys(organization_id)

    assert [(key["id"], key["env"]) for key in listed] == [(second.id, "live"), (first.id, "test")]
    assert set(listed[0]) == {
        "id", "name", "env", "prefix", "scopes", "createdById", "createdAt", "expiresAt", "revokedAt", "lastUsedAt",
    }  # fmt: skip
    assert all(issued.key not in str(listed) for issued in (first, second))
    assert listed[0]["createdAt"].endswith("Z")


async def test_an_organization_without_keys_lists_none() -> None:
    assert await list_keys(await an_organization()) == []
    assert await list_keys("org_unknown") == []


# Revoking


async def test_a_revoked_key_says_when() -> None:
    issued = await an_issued_key(await an_organization())

    record = await revoke_key(issued.id)

    stored = await ApiKey.get(id=issued.id)
    assert stored.revoked_at is not None
    assert record["revokedAt"] is not None
    assert record["id"] == issued.id


async def test_revoking_again_keeps_the_first_moment() -> None:
    issued = await an_issued_key(await an_organization())

    assert await revoke_key(issued.id) == await revoke_key(issued.id)


async def test_revoking_one_leaves_the_others() -> None:
    organization_id = await an_organization()
    first, second = await an_issued_key(organization_id), await an_issued_key(organization_id)

    await revoke_key(first.id)

    assert (await organizations.authenticate(second.key, request_id=None)).credential_id == second.id


async def test_an_unknown_key_cannot_be_revoked() -> None:
    with pytest.raises(NoSuchKey):
        await revoke_key("key_unknown")
