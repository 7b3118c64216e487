"""Replacing a key: the same rights under a new text, and a time in which both open."""

import asyncio
from datetime import timedelta

import pytest

from core import audit, organizations, webhooks
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import Conflict, Forbidden, ServiceError, Unauthorized
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.organizations import ApiKey, KeyRotation, NoSuchKey, get_key, revoke_key, rotate_key
from tests.factories.keys import an_admin, an_issued_key, ends
from tests.factories.organizations import a_caller
from tests.support.told import audited, events


async def rotate(admin: Caller, id: str, hours: int = 24) -> organizations.IssuedKey:
    return await rotate_key(admin, id, KeyRotation(overlap_hours=hours))


async def opens(key: str) -> bool:
    try:
        await organizations.authenticate(key, request_id=None)
    except Unauthorized:
        return False
    return True


async def refusal(admin: Caller, id: str) -> ServiceError:
    """Why a rotation is refused, after making sure that it left nothing behind."""
    keys, told = await ApiKey.all().order_by("id").values(), await audited(admin.organization_id)
    heard = await events(admin.organization_id, "apikey.")
    with pytest.raises(ServiceError) as refused:
        await rotate(admin, id)
    assert await ApiKey.all().order_by("id").values() == keys
    assert await audited(admin.organization_id) == told
    assert await events(admin.organization_id, "apikey.") == heard
    return refused.value


@pytest.mark.usefixtures("clean_slate")
class TestRotating:
    async def test_this_process_looks_the_old_key_up_anew_only_once_all_is_committed(self) -> None:
        admin = await an_admin("test")
        old = await an_issued_key(admin, env="test")
        assert await opens(old["key"])

        async with transaction():
            await rotate(admin, old["id"], hours=0)
            # Whoever looks now, outside of this transaction, would remember it as it was.
            assert await opens(old["key"])

        assert not await opens(old["key"])

    async def test_the_new_key_has_the_rights_of_the_old_one(self) -> None:
        admin = await an_admin("test")
        old = await an_issued_key(admin, env="live", ips=["203.0.113.0/24"], nome="of the shop")

        new = await rotate(admin, old["id"])

        assert (new["id"] != old["id"], new["key"] != old["key"]) == (True, True)
        assert new["key"].startswith("svc_live_")
        assert {
            name: new[name] for name in ("nome", "env", "scopes", "ips", "status", "createdById")
        } == {
            "nome": "of the shop",
            "env": "live",
            "scopes": ["sms:read", "sms:send"],
            "ips": ["203.0.113.0/24"],
            "status": "ativa",
            "createdById": admin.account_id,
        }
        assert not {"expiraEm", "revokedAt", "replacedById"} & set(new)

    async def test_both_open_until_the_overlap_ends(self) -> None:
        admin = await an_admin()
        old = await an_issued_key(admin)
        before = now()

        new = await rotate(admin, old["id"], 48)

        record = await get_key(admin, old["id"])
        assert (record["status"], record["replacedById"]) == ("ativa", new["id"])
        hours = timedelta(hours=48)
        assert wire_time(before + hours) <= record["expiraEm"] <= wire_time(now() + hours)
        assert [await opens(key["key"]) for key in (old, new)] == [True, True]

    async def test_without_overlap_the_old_key_ends_at_once(self) -> None:
        admin = await an_admin()
        old = await an_issued_key(admin)
        assert await opens(old["key"])

        new = await rotate(admin, old["id"], 0)

        assert (await get_key(admin, old["id"]))["status"] == "expirada"
        assert [await opens(key["key"]) for key in (old, new)] == [False, True]

    async def test_the_old_key_never_ends_later_than_it_would_have(self) -> None:
        admin = await an_admin()
        end = now() + timedelta(hours=5)
        old = await an_issued_key(admin, expiraEm=end)

        await rotate(admin, old["id"], 168)

        assert (await get_key(admin, old["id"]))["expiraEm"] == wire_time(end)

    async def test_the_new_key_lives_as_long_as_the_old_one_was_given(self) -> None:
        admin = await an_admin()
        old = await an_issued_key(admin, expiraEm=now() + timedelta(days=90))
        given = await ApiKey.get(id=old["id"])
        assert given.expires_at is not None

        new = await rotate(admin, old["id"])

        stored = await ApiKey.get(id=new["id"])
        assert stored.expires_at is not None
        assert stored.expires_at - stored.created_at == given.expires_at - given.created_at

    @pytest.mark.parametrize("hours", [0, 24])
    async def test_a_key_is_rotated_once_and_its_successor_again(self, hours: int) -> None:
        admin = await an_admin()
        old = await an_issued_key(admin)
        new = await rotate(admin, old["id"], hours)

        refused = await refusal(admin, old["id"])

        assert isinstance(refused, Conflict)
        assert refused.meta == {"code": "CHAVE_JA_ROTACIONADA", "replacedById": new["id"]}
        assert (await rotate(admin, new["id"]))["id"] not in (old["id"], new["id"])

    async def test_an_ended_key_is_not_rotated(self) -> None:
        admin = await an_admin()
        revoked, expired = await an_issued_key(admin), await an_issued_key(admin)
        await revoke_key(admin, revoked["id"])
        await ends(expired, now() - timedelta(seconds=1))

        for key, code in ((revoked, "CHAVE_REVOGADA"), (expired, "CHAVE_EXPIRADA")):
            refused = await refusal(admin, key["id"])
            assert isinstance(refused, Conflict)
            assert refused.meta == {"code": code}

    async def test_only_sessions_of_the_organization_rotate_a_key(self) -> None:
        old = await an_issued_key(await an_admin())

        assert isinstance(await refusal(await an_admin(), old["id"]), NoSuchKey)
        assert isinstance(await refusal(await a_caller(scopes=KEY_SCOPES), old["id"]), Forbidden)

    async def test_a_narrowed_key_stays_narrow(self) -> None:
        admin = await an_admin()
        old = await an_issued_key(admin)
        await organizations.change_key(
            admin, old["id"], organizations.KeyChanges(scopes=[Scope.SMS_READ])
        )

        assert (await rotate(admin, old["id"]))["scopes"] == ["sms:read"]

    async def test_the_event_names_the_key_and_its_successor_and_never_a_key(self) -> None:
        admin = await an_admin("test")
        old = await an_issued_key(admin, env="live")

        new = await rotate(admin, old["id"])

        created, rotated = await events(admin.organization_id, "apikey.")
        assert (created["type"], rotated["type"], rotated["env"]) == (
            "apikey.created",
            "apikey.rotated",
            "live",
        )
        assert rotated["data"] == {
            "keyId": old["id"],
            "replacedById": new["id"],
            "name": "a key",
            "env": "live",
            "scopes": ["sms:read", "sms:send"],
            "createdById": admin.account_id,
        }

    async def test_the_audit_tells_who_rotated_it_and_when_it_ends(self) -> None:
        admin = await an_admin("test")
        old = await an_issued_key(admin, env="live")

        new = await rotate(admin, old["id"])

        (entry,) = await audited(admin.organization_id, "apikey.rotated")
        assert (entry["env"], entry["actor_kind"], entry["actor_id"]) == (
            "live",
            "account",
            admin.account_id,
        )
        assert (entry["subject_id"], entry["facts"]) == (
            old["id"],
            {"replacedById": new["id"], "endsAt": (await get_key(admin, old["id"]))["expiraEm"]},
        )

    @pytest.mark.parametrize("breaks", [(webhooks, "publish"), (audit, "write_entry")])
    async def test_keys_event_and_audit_stand_or_fall_together(
        self, breaks: tuple[object, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        admin = await an_admin()
        old = await an_issued_key(admin)
        before = await get_key(admin, old["id"])

        async def fail(*_: object, **__: object) -> None:
            raise RuntimeError("broken")

        with monkeypatch.context() as patched, pytest.raises(RuntimeError):
            patched.setattr(*breaks, fail)
            await rotate(admin, old["id"])

        assert await get_key(admin, old["id"]) == before
        assert await ApiKey.all().count() == 1
        assert [event["type"] for event in await events(admin.organization_id, "apikey.")] == [
            "apikey.created"
        ]
        assert await audited(admin.organization_id, "apikey.rotated") == []


async def test_of_many_rotations_at_once_exactly_one_wins(real_commits: None) -> None:
    admin = await an_admin()
    old = await an_issued_key(admin)

    answers = await asyncio.gather(
        *(rotate(admin, old["id"]) for _ in range(8)), return_exceptions=True
    )

    (new,) = [answer for answer in answers if isinstance(answer, dict)]
    refused = [answer for answer in answers if not isinstance(answer, dict)]
    assert {str(getattr(error, "meta", error)) for error in refused} == {
        str({"code": "CHAVE_JA_ROTACIONADA", "replacedById": new["id"]})
    }
    assert await db.fetchval("SELECT count(*) FROM api_keys") == 2
    assert len(await events(admin.organization_id, "apikey.rotated")) == 1
    assert len(await audited(admin.organization_id, "apikey.rotated")) == 1


async def test_a_key_that_is_revoked_meanwhile_is_not_rotated(real_commits: None) -> None:
    admin = await an_admin()
    old = await an_issued_key(admin)

    answers = await asyncio.gather(
        rotate(admin, old["id"]), revoke_key(admin, old["id"]), return_exceptions=True
    )

    # Whichever was first: the old key opens nothing any more, and a refused rotation left no key
    # behind.
    assert not await opens(old["key"])
    assert await db.fetchval("SELECT count(*) FROM api_keys") == (
        2 if isinstance(answers[0], dict) else 1
    )
