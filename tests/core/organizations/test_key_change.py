"""Changing a key: what was sent and nothing else; scopes only become fewer."""

from datetime import timedelta
from typing import Any

import orjson
import pytest

from core import organizations
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Conflict, Forbidden, ServiceError, ValidationFailed
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.foundation.validation.inputs import read_body
from core.organizations import (
    KeyChanges,
    KeyRotation,
    NoSuchKey,
    change_key,
    get_key,
    revoke_key,
    rotate_key,
)
from tests.factories.keys import an_admin, an_issued_key, ends
from tests.factories.organizations import a_caller
from tests.support.told import audited

pytestmark = pytest.mark.usefixtures("clean_slate")


async def change(admin: Caller, id: str, **body: Any) -> organizations.KeyRecord:
    return await change_key(admin, id, read_body(KeyChanges, orjson.dumps(body)))


async def stored(id: str) -> dict[str, Any]:
    row = await db.fetchrow("SELECT * FROM api_keys WHERE id = $1", id)
    assert row is not None
    return dict(row)


async def refusal(admin: Caller, id: str, **body: Any) -> ServiceError:
    """Why a change is refused, after making sure that it left nothing behind."""
    before, told = await stored(id), await audited(admin.organization_id)
    with pytest.raises(ServiceError) as refused:
        await change(admin, id, **body)
    assert await stored(id) == before
    assert await audited(admin.organization_id) == told
    return refused.value


async def test_what_is_left_out_stays() -> None:
    admin = await an_admin()
    issued = await an_issued_key(admin, ips=["203.0.113.7"])
    before: dict[str, Any] = {**await get_key(admin, issued["id"])}
    assert before.pop("webhooks") == []

    assert await change(admin, issued["id"], nome="another") == {**before, "nome": "another"}
    assert await change(admin, issued["id"], scopes=["sms:send"]) == {
        **before,
        "nome": "another",
        "scopes": ["sms:send"],
    }
    assert await change(admin, issued["id"], ips=["2001:db8::/32"]) == {
        **before,
        "nome": "another",
        "scopes": ["sms:send"],
        "ips": ["2001:db8::/32"],
    }
    assert await get_key(admin, issued["id"]) == {
        **await change(admin, issued["id"]),
        "webhooks": [],
    }


async def test_null_lets_the_key_be_used_from_anywhere_again() -> None:
    admin = await an_admin()
    issued = await an_issued_key(admin, ips=["203.0.113.7"])

    assert "ips" not in await change(admin, issued["id"], ips=None)
    assert (await stored(issued["id"]))["ips"] is None


async def test_a_key_loses_a_scope_at_once_in_this_process() -> None:
    admin = await an_admin()
    issued = await an_issued_key(admin)
    await organizations.authenticate(issued["key"], request_id=None)

    await change(admin, issued["id"], scopes=["sms:read"])

    assert (await organizations.authenticate(issued["key"], request_id=None)).scopes == {
        Scope.SMS_READ
    }


async def test_a_key_never_gains_a_scope() -> None:
    admin = await an_admin()
    issued = await an_issued_key(admin)

    refused = await refusal(
        admin, issued["id"], scopes=["crm:read", "sms:read", "pii:full"], nome="another"
    )

    assert isinstance(refused, ValidationFailed)
    assert refused.meta == {"code": "ESCOPO_AMPLIADO"}
    assert [(error.where, error.code) for error in refused.errors] == [
        ("/scopes/0", "ESCOPO_AMPLIADO"),
        ("/scopes/2", "ESCOPO_AMPLIADO"),
    ]


async def test_a_scope_that_was_given_up_does_not_come_back() -> None:
    admin = await an_admin()
    issued = await an_issued_key(admin)
    await change(admin, issued["id"], scopes=["sms:read"])

    assert (await refusal(admin, issued["id"], scopes=["sms:read", "sms:send"])).meta == {
        "code": "ESCOPO_AMPLIADO"
    }


async def test_what_a_scope_implies_is_narrower_than_the_scope() -> None:
    admin = await an_admin()
    issued = await an_issued_key(admin, scopes=["messages:read"])

    assert (await change(admin, issued["id"], scopes=["numbers:read"]))["scopes"] == [
        "numbers:read"
    ]
    assert (await refusal(admin, issued["id"], scopes=["messages:read"])).meta == {
        "code": "ESCOPO_AMPLIADO"
    }


async def test_an_ended_key_does_not_change() -> None:
    admin = await an_admin()
    revoked, expired = await an_issued_key(admin), await an_issued_key(admin)
    await revoke_key(admin, revoked["id"])
    await ends(expired, now() - timedelta(seconds=1))

    for key, code in ((revoked, "CHAVE_REVOGADA"), (expired, "CHAVE_EXPIRADA")):
        refused = await refusal(admin, key["id"], nome="another")
        assert isinstance(refused, Conflict)
        assert refused.meta == {"code": code}


async def test_a_replaced_key_changes_until_it_ends() -> None:
    admin = await an_admin()
    issued = await an_issued_key(admin)
    await rotate_key(admin, issued["id"], KeyRotation())

    assert (await change(admin, issued["id"], scopes=["sms:read"]))["scopes"] == ["sms:read"]


async def test_only_sessions_of_the_organization_change_a_key() -> None:
    admin = await an_admin()
    issued = await an_issued_key(admin)

    assert isinstance(await refusal(await an_admin(), issued["id"], nome="another"), NoSuchKey)
    assert isinstance(
        await refusal(await a_caller(scopes=KEY_SCOPES), issued["id"], nome="another"), Forbidden
    )


# Telling


async def test_the_audit_tells_what_changed_in_the_environment_of_the_key() -> None:
    admin = await an_admin("test")
    issued = await an_issued_key(admin, env="live")

    await change(
        admin,
        issued["id"],
        nome="another",
        scopes=["sms:read"],
        ips=["203.0.113.7", "203.0.113.8"],
    )

    (entry,) = await audited(admin.organization_id, "apikey.changed")
    assert (entry["env"], entry["actor_kind"], entry["actor_id"]) == (
        "live",
        "account",
        admin.account_id,
    )
    assert (entry["subject_id"], entry["facts"]) == (
        issued["id"],
        {"changed": ["name", "scopes", "ips"], "scopes": ["sms:read"], "networks": 2},
    )


async def test_a_change_that_changes_nothing_is_not_told() -> None:
    admin = await an_admin()
    issued = await an_issued_key(admin, ips=["203.0.113.7"])

    for body in (
        {},
        {"nome": "a key"},
        {"scopes": ["sms:send", "sms:read"]},
        {"ips": ["203.0.113.7/32"]},
    ):
        await change(admin, issued["id"], **body)

    assert await audited(admin.organization_id, "apikey.changed") == []
