"""Issuing API keys."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core import audit, operations, organizations, webhooks
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden
from core.foundation.ids import is_id
from core.foundation.security.caller import (
    DEFAULT_KEY_SCOPES,
    KEY_SCOPES,
    Env,
    Scope,
    system_caller,
)
from core.foundation.security.secrets import keyed_hash, read_api_key
from core.foundation.settings import current
from core.organizations import Account, AccountStatus, ApiKey, NoSuchOrganization, issue_key
from tests.factories.keys import a_new_key, an_admin, an_issued_key
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription
from tests.support.told import audited, events

pytestmark = pytest.mark.usefixtures("clean_slate")


async def test_the_record_of_a_new_key() -> None:
    admin = await an_admin()
    end = now() + timedelta(days=30)

    record = await an_issued_key(admin, expiraEm=end, ips=["203.0.113.0/24", "2001:db8::1"])

    assert is_id("key", record["id"])
    assert record == {
        "id": record["id"],
        "key": record["key"],
        "nome": "a key",
        "env": "test",
        "prefixo": record["key"][:12],
        "scopes": ["sms:read", "sms:send"],
        "ips": ["203.0.113.0/24", "2001:db8::1"],
        "status": "ativa",
        "expiraEm": wire_time(end),
        "createdById": admin.account_id,
        "createdAt": record["createdAt"],
    }


async def test_scopes_are_kept_once_each_in_order() -> None:
    admin = await an_admin()

    record = await an_issued_key(admin, scopes=["sms:send", "crm:read", "sms:send"])

    assert record["scopes"] == ["crm:read", "sms:send"]
    assert (await ApiKey.get(id=record["id"])).scopes == ["crm:read", "sms:send"]


@pytest.mark.parametrize("of_session", ["live", "test"])
@pytest.mark.parametrize("env", ["live", "test"])
async def test_a_session_issues_keys_of_both_environments(of_session: Env, env: Env) -> None:
    admin = await an_admin(of_session)

    record = await an_issued_key(admin, env=env)

    facts = read_api_key(record["key"])
    assert facts is not None
    assert (facts.env, record["env"], (await ApiKey.get(id=record["id"])).env) == (env, env, env)


async def test_a_new_key_opens_with_its_scopes_and_for_its_creator() -> None:
    admin = await an_admin()
    record = await an_issued_key(admin, env="live")

    caller = await organizations.authenticate(record["key"], request_id=None)

    assert (caller.organization_id, caller.env, caller.kind) == (
        admin.organization_id,
        "live",
        "key",
    )
    assert (caller.credential_id, caller.account_id) == (record["id"], admin.account_id)
    assert caller.scopes == {Scope.SMS_READ, Scope.SMS_SEND}


async def test_the_key_is_stored_hashed_only() -> None:
    admin = await an_admin()
    await a_subscription(admin, events=["apikey.created"])
    issued = await an_issued_key(admin)
    secret = issued["key"].removeprefix("svc_test_")[3:]

    tables = await db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    for table in [row["tablename"] for row in tables]:
        rows = await db.fetch(
            f"SELECT t::text AS row, encode(t::text::bytea, 'escape') AS raw FROM \"{table}\" t"
        )
        for row in rows:
            assert issued["key"] not in row["row"], table
            assert secret not in row["row"], table
            assert issued["key"].encode().hex() not in row["row"], table
    stored = await ApiKey.get(id=issued["id"])
    assert len(stored.key_hash) == 32
    assert stored.prefix == issued["key"][:12]


async def test_the_same_key_hashes_differently_under_another_pepper() -> None:
    issued = await an_issued_key(await an_admin())
    stored = await ApiKey.get(id=issued["id"])

    assert stored.key_hash == keyed_hash(current().hash_key.encode(), issued["key"])
    assert stored.key_hash != keyed_hash(b"another pepper", issued["key"])


async def test_two_keys_differ() -> None:
    admin = await an_admin()

    assert (await an_issued_key(admin))["key"] != (await an_issued_key(admin))["key"]


@pytest.mark.parametrize("scopes", [KEY_SCOPES, frozenset[Scope]()])
async def test_no_api_key_issues_keys(scopes: frozenset[Scope]) -> None:
    caller = await a_caller(scopes=scopes)

    with pytest.raises(Forbidden) as refused:
        await an_issued_key(caller)

    assert refused.value.meta == {"escopoExigido": "keys:manage"}
    assert await ApiKey.all().count() == 0
    assert await events(caller.organization_id, "apikey.") == []
    assert await audited(caller.organization_id, "apikey.") == []


# The shell


async def test_a_key_of_the_shell_belongs_to_the_oldest_active_owner() -> None:
    organization, owner = await operations.open_organization("An organization")
    younger = now() + timedelta(seconds=1)
    await Account.create(
        id="acc_younger",
        organization_id=organization.id,
        name="B",
        role=organizations.Role.OWNER,
        status=AccountStatus.ACTIVE,
        created_at=younger,
    )

    record = await issue_key(system_caller(organization.id, "test"), a_new_key())

    assert record["createdById"] == owner.id


async def test_an_unknown_organization_gets_no_key() -> None:
    with pytest.raises(NoSuchOrganization):
        await issue_key(system_caller("org_unknown", "test"), a_new_key())

    assert await ApiKey.all().count() == 0
    assert await events("org_unknown", "apikey.") == []


@pytest.mark.parametrize("status", [AccountStatus.SUSPENDED, AccountStatus.INVITED])
async def test_an_organization_without_an_active_owner_gets_no_key_from_the_shell(
    status: AccountStatus,
) -> None:
    admin = await an_admin()
    await Account.filter(organization_id=admin.organization_id).update(status=status)

    with pytest.raises(NoSuchOrganization, match="no active owner"):
        await issue_key(system_caller(admin.organization_id, "test"), a_new_key())

    assert await ApiKey.all().count() == 0
    assert await events(admin.organization_id, "apikey.") == []


async def test_the_default_scopes_of_the_shell_can_be_issued() -> None:
    admin = await an_admin()

    record = await issue_key(
        admin, organizations.NewKey(name="all", env="test", scopes=list(DEFAULT_KEY_SCOPES))
    )

    assert record["scopes"] == sorted(scope.value for scope in DEFAULT_KEY_SCOPES)


# Telling


async def test_the_event_goes_to_the_environment_of_the_key_and_never_tells_the_key() -> None:
    admin = await an_admin("test")

    record = await an_issued_key(admin, env="live", nome="of the shop")

    (event,) = await events(admin.organization_id, "apikey.")
    assert (event["env"], event["type"], event["request_id"]) == (
        "live",
        "apikey.created",
        admin.request_id,
    )
    assert event["data"] == {
        "keyId": record["id"],
        "name": "of the shop",
        "env": "live",
        "scopes": ["sms:read", "sms:send"],
        "createdById": admin.account_id,
    }


async def test_a_listener_of_the_keys_environment_gets_a_delivery() -> None:
    admin = await an_admin("live")
    hears = await a_subscription(replace(admin, env="test"), events=["apikey.created"])
    await a_subscription(replace(admin, env="test"), events=["sms.delivered"])
    await a_subscription(admin, events=["apikey.created"])
    await a_subscription(await an_admin("test"), events=["apikey.created"])

    await an_issued_key(admin, env="test")

    (event,) = await events(admin.organization_id, "apikey.")
    rows = await db.fetch("SELECT subscription_id, event_id, status FROM webhook_deliveries")
    assert [tuple(row) for row in rows] == [(hears["webhook"]["id"], event["id"], "pendente")]


async def test_the_audit_tells_who_issued_it() -> None:
    admin = await an_admin("live")
    end = now() + timedelta(days=1)

    record = await an_issued_key(admin, ips=["203.0.113.7"], expiraEm=end)

    (entry,) = await audited(admin.organization_id, "apikey.")
    assert entry == {
        "env": "test",
        "actor_kind": "account",
        "actor_id": admin.account_id,
        "action": "apikey.created",
        "subject_id": record["id"],
        "facts": {"scopes": ["sms:read", "sms:send"], "networks": 1, "expiresAt": wire_time(end)},
        "request_id": admin.request_id,
    }


@pytest.mark.parametrize("breaks", [(webhooks, "publish"), (audit, "write_entry")])
async def test_key_event_and_audit_stand_or_fall_together(
    breaks: tuple[object, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = await an_admin()

    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(*breaks, fail)
    with pytest.raises(RuntimeError):
        await an_issued_key(admin)

    assert await ApiKey.all().count() == 0
    assert await events(admin.organization_id, "apikey.") == []
    assert await audited(admin.organization_id, "apikey.") == []
