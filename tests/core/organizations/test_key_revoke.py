"""Ending a key now."""

import asyncio

import pytest

from core import organizations
from core.foundation.errors import Forbidden, Unauthorized
from core.foundation.security.caller import KEY_SCOPES, system_caller
from core.organizations import ApiKey, NoSuchKey, authenticate, get_key, owner_of_key, revoke_key
from tests.factories.keys import an_admin, an_issued_key
from tests.factories.organizations import a_caller
from tests.support.told import audited


@pytest.mark.usefixtures("clean_slate")
class TestRevoking:
    async def test_a_revoked_key_opens_nothing_from_then_on(self) -> None:
        admin = await an_admin()
        issued = await an_issued_key(admin)
        await authenticate(issued["key"], request_id=None)  # remembered

        record = await revoke_key(admin, issued["id"])

        assert (record["id"], record["status"]) == (issued["id"], "revogada")
        assert record["revokedAt"] >= record["createdAt"]
        assert await get_key(admin, issued["id"]) == record
        with pytest.raises(Unauthorized) as refused:
            await authenticate(issued["key"], request_id=None)
        assert refused.value.meta == {"motivo": "revogada"}

    async def test_revoking_again_keeps_the_first_moment_and_tells_nothing_more(self) -> None:
        admin = await an_admin()
        issued = await an_issued_key(admin)

        assert await revoke_key(admin, issued["id"]) == await revoke_key(admin, issued["id"])

        assert len(await audited(admin.organization_id, "apikey.revoked")) == 1

    async def test_revoking_one_leaves_the_others(self) -> None:
        admin = await an_admin()
        first, second = await an_issued_key(admin), await an_issued_key(admin)

        await revoke_key(admin, first["id"])

        assert (await authenticate(second["key"], request_id=None)).credential_id == second["id"]

    async def test_only_sessions_of_the_organization_revoke_a_key(self) -> None:
        issued = await an_issued_key(await an_admin())

        with pytest.raises(NoSuchKey):
            await revoke_key(await an_admin(), issued["id"])
        with pytest.raises(Forbidden):
            await revoke_key(await a_caller(scopes=KEY_SCOPES), issued["id"])

        assert (await ApiKey.get(id=issued["id"])).revoked_at is None

    async def test_the_audit_tells_who_revoked_it_in_the_environment_of_the_key(self) -> None:
        admin = await an_admin("test")
        issued = await an_issued_key(admin, env="live")

        await revoke_key(admin, issued["id"])

        (entry,) = await audited(admin.organization_id, "apikey.revoked")
        assert (entry["env"], entry["actor_kind"], entry["actor_id"]) == (
            "live",
            "account",
            admin.account_id,
        )
        assert (entry["subject_id"], entry["facts"]) == (issued["id"], {})

    async def test_the_shell_names_a_key_by_its_id_alone(self) -> None:
        admin = await an_admin()
        issued = await an_issued_key(admin, env="live")

        found = await owner_of_key(issued["id"])
        await revoke_key(found, issued["id"])

        assert found == system_caller(admin.organization_id, "live")
        (entry,) = await audited(admin.organization_id, "apikey.revoked")
        assert (entry["actor_kind"], entry["actor_id"]) == ("system", None)

    @pytest.mark.parametrize(
        "id", ["key_unknown", "", "key_" + "x" * 100, "key_000000000000000000000"]
    )
    async def test_an_unknown_key_cannot_be_revoked(self, id: str) -> None:
        with pytest.raises(NoSuchKey):
            await revoke_key(await an_admin(), id)
        with pytest.raises(NoSuchKey):
            await organizations.owner_of_key(id)


async def test_of_many_at_once_one_is_told(real_commits: None) -> None:
    admin = await an_admin()
    issued = await an_issued_key(admin)

    records = await asyncio.gather(*(revoke_key(admin, issued["id"]) for _ in range(5)))

    assert len({record["revokedAt"] for record in records}) == 1
    assert len(await audited(admin.organization_id, "apikey.revoked")) == 1
