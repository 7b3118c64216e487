"""Ending a key now."""

import asyncio

import pytest

from core import organizations
from core.foundation.errors import Forbidden, Unauthorized
from core.foundation.security.caller import KEY_SCOPES, system_caller
from core.organizations import ApiKey, NoSuchKey, authenticate, get_key, keeper_of_key, revoke_key
from tests.factories.keys import a_keeper, an_issued_key
from tests.factories.organizations import a_caller
from tests.support.told import audited


@pytest.mark.usefixtures("clean_slate")
class TestRevoking:
    async def test_a_revoked_key_opens_nothing_from_then_on(self) -> None:
        keeper = await a_keeper()
        issued = await an_issued_key(keeper)
        await authenticate(issued["key"], request_id=None)  # remembered

        record = await revoke_key(keeper, issued["id"])

        assert (record["id"], record["status"]) == (issued["id"], "revogada")
        assert record["revokedAt"] >= record["createdAt"]
        assert await get_key(keeper, issued["id"]) == record
        with pytest.raises(Unauthorized) as refused:
            await authenticate(issued["key"], request_id=None)
        assert refused.value.meta == {"motivo": "revogada"}

    async def test_revoking_again_keeps_the_first_moment_and_tells_nothing_more(self) -> None:
        keeper = await a_keeper()
        issued = await an_issued_key(keeper)

        assert await revoke_key(keeper, issued["id"]) == await revoke_key(keeper, issued["id"])

        assert len(await audited(keeper.organization_id, "apikey.revoked")) == 1

    async def test_revoking_one_leaves_the_others(self) -> None:
        keeper = await a_keeper()
        first, second = await an_issued_key(keeper), await an_issued_key(keeper)

        await revoke_key(keeper, first["id"])

        assert (await authenticate(second["key"], request_id=None)).credential_id == second["id"]

    async def test_only_sessions_of_the_organization_revoke_a_key(self) -> None:
        issued = await an_issued_key(await a_keeper())

        with pytest.raises(NoSuchKey):
            await revoke_key(await a_keeper(), issued["id"])
        with pytest.raises(Forbidden):
            await revoke_key(await a_caller(scopes=KEY_SCOPES), issued["id"])

        assert (await ApiKey.get(id=issued["id"])).revoked_at is None

    async def test_the_audit_tells_who_revoked_it_in_the_environment_of_the_key(self) -> None:
        keeper = await a_keeper("test")
        issued = await an_issued_key(keeper, env="live")

        await revoke_key(keeper, issued["id"])

        (entry,) = await audited(keeper.organization_id, "apikey.revoked")
        assert (entry["env"], entry["actor_kind"], entry["actor_id"]) == (
            "live",
            "account",
            keeper.account_id,
        )
        assert (entry["subject_id"], entry["facts"]) == (issued["id"], {})

    async def test_the_shell_names_a_key_by_its_id_alone(self) -> None:
        keeper = await a_keeper()
        issued = await an_issued_key(keeper, env="live")

        found = await keeper_of_key(issued["id"])
        await revoke_key(found, issued["id"])

        assert found == system_caller(keeper.organization_id, "live")
        (entry,) = await audited(keeper.organization_id, "apikey.revoked")
        assert (entry["actor_kind"], entry["actor_id"]) == ("system", None)

    @pytest.mark.parametrize(
        "id", ["key_unknown", "", "key_" + "x" * 100, "key_000000000000000000000"]
    )
    async def test_an_unknown_key_cannot_be_revoked(self, id: str) -> None:
        with pytest.raises(NoSuchKey):
            await revoke_key(await a_keeper(), id)
        with pytest.raises(NoSuchKey):
            await organizations.keeper_of_key(id)


async def test_of_many_at_once_one_is_told(real_commits: None) -> None:
    keeper = await a_keeper()
    issued = await an_issued_key(keeper)

    records = await asyncio.gather(*(revoke_key(keeper, issued["id"]) for _ in range(5)))

    assert len({record["revokedAt"] for record in records}) == 1
    assert len(await audited(keeper.organization_id, "apikey.revoked")) == 1
