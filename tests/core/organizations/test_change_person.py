"""Roles and suspension, given and taken over the API."""

import pytest

from core.foundation.database import db
from core.foundation.errors import Conflict, Forbidden, NotFound, Unauthorized
from core.foundation.security.caller import Caller
from core.organizations import (
    ApiKey,
    PersonChanges,
    Role,
    SettableStatus,
    authenticate,
    change_person,
    clear_credential_cache,
)
from core.organizations.models import Session
from tests.factories.accounts import a_person, a_stored_session, an_account
from tests.factories.keys import an_issued_key
from tests.factories.organizations import a_caller
from tests.support.refusals import nothing_changed

pytestmark = pytest.mark.usefixtures("clean_slate")

SUSPENDED = PersonChanges(status=SettableStatus.SUSPENDED)
ACTIVE = PersonChanges(status=SettableStatus.ACTIVE)
TABLES = ("accounts", "sessions", "api_keys", "audit_entries")


async def refused_for(caller: Caller, id: str | None, changes: PersonChanges) -> object:
    """The facts of a refusal that leaves everything as it was."""
    async with nothing_changed(*TABLES):
        with pytest.raises((Forbidden, Conflict)) as refused:
            await change_person(caller, id or "", changes)
    return refused.value.meta


async def entries() -> list[dict[str, object]]:
    """What the audit tells of the changes, in their order: each took an instant of its own."""
    rows = await db.fetch(
        "SELECT actor_id, subject_id, env, facts FROM audit_entries "
        "WHERE action = 'account.changed' ORDER BY at"
    )
    return [dict(row) for row in rows]


async def test_a_role_is_given_and_told_in_the_audit() -> None:
    owner = await a_person(env="test")
    operator = await an_account(owner.organization_id, role="operator")

    record = await change_person(
        owner, operator["id"], PersonChanges(name="Bia Lima", role=Role.ADMIN)
    )

    assert record == {**operator, "name": "Bia Lima", "role": "admin"}
    assert await entries() == [
        {
            "actor_id": owner.account_id,
            "subject_id": operator["id"],
            "env": "live",
            "facts": {"role": "admin", "status": "active", "changed": ["name", "role"]},
        }
    ]


async def test_who_is_suspended_loses_the_sessions_and_keeps_the_keys_unless_told() -> None:
    owner = await a_person()
    admin = await a_person(owner.organization_id, role="admin")
    await an_issued_key(admin)
    _, token = await a_stored_session(owner.organization_id, admin.account_id or "")

    await change_person(owner, admin.account_id or "", SUSPENDED)

    clear_credential_cache()
    with pytest.raises(Unauthorized):
        await authenticate(token, request_id=None)
    open_ones = await Session.filter(ended_at__isnull=True)
    assert [session.account_id for session in open_ones] == [owner.account_id]
    assert (await ApiKey.get()).revoked_at is None

    with_keys = PersonChanges(status=SettableStatus.SUSPENDED, suspend_keys=True)
    await change_person(owner, admin.account_id or "", with_keys)

    assert (await ApiKey.get()).revoked_at is not None
    assert [entry["facts"] for entry in await entries()] == [
        {"role": "admin", "status": "suspended", "changed": ["status"]},
        {"role": "admin", "status": "suspended", "changed": [], "keys": 1},
    ]


async def test_who_was_suspended_comes_back() -> None:
    owner = await a_person()
    operator = await an_account(owner.organization_id, role="operator", status="suspended")

    assert (await change_person(owner, operator["id"], ACTIVE))["status"] == "active"


async def test_nobody_accepts_for_another() -> None:
    owner = await a_person()
    invited = await an_account(owner.organization_id, status="invited")

    assert await refused_for(owner, invited["id"], ACTIVE) == {"code": "CONVITE_PENDENTE"}


@pytest.mark.parametrize("changes", [SUSPENDED, PersonChanges(role=Role.ADMIN)])
async def test_the_last_active_owner_stays_one(changes: PersonChanges) -> None:
    owner = await a_person()
    await an_account(owner.organization_id, role="owner", status="suspended")
    await an_account(owner.organization_id, role="owner", status="invited")
    await an_account(owner.organization_id, role="owner", password=None)
    await an_account(role="owner")

    last = {"code": "ULTIMO_PROPRIETARIO"}
    assert await refused_for(owner, owner.account_id, changes) == last

    await an_account(owner.organization_id, role="owner")
    await change_person(owner, owner.account_id or "", changes)


@pytest.mark.parametrize("changes", [PersonChanges(name="Z"), SUSPENDED])
async def test_an_admin_does_nothing_to_an_owner(changes: PersonChanges) -> None:
    owner = await a_person()
    await an_account(owner.organization_id, role="owner")
    admin = await a_person(owner.organization_id, role="admin")

    above = {"code": "PAPEL_ACIMA_DO_PROPRIO"}
    assert await refused_for(admin, owner.account_id, changes) == above


async def test_an_admin_makes_no_owner_not_even_of_the_own_account() -> None:
    owner = await a_person()
    admin = await a_person(owner.organization_id, role="admin")
    operator = await an_account(owner.organization_id, role="operator")
    to_owner, above = PersonChanges(role=Role.OWNER), {"code": "PAPEL_ACIMA_DO_PROPRIO"}

    for id in (admin.account_id, operator["id"]):
        assert await refused_for(admin, id, to_owner) == above
    await change_person(admin, operator["id"], PersonChanges(role=Role.ADMIN))


async def test_whoever_was_demoted_a_moment_ago_does_nothing_more() -> None:
    owner = await a_person()
    second = await a_person(owner.organization_id)
    operator = await an_account(owner.organization_id, role="operator")
    await change_person(owner, second.account_id or "", PersonChanges(role=Role.OPERATOR))

    # The caller still carries the scopes that its process remembers for two seconds.
    admin = PersonChanges(role=Role.ADMIN)
    above = {"code": "PAPEL_ACIMA_DO_PROPRIO"}
    assert await refused_for(second, operator["id"], admin) == above


async def test_operators_and_keys_change_nobody() -> None:
    owner = await a_person()
    operator = await a_person(owner.organization_id, role="operator")

    for caller in (operator, await a_caller(organization_id=owner.organization_id)):
        needed = {"escopoExigido": "accounts:manage"}
        assert await refused_for(caller, operator.account_id, SUSPENDED) == needed


async def test_a_person_of_another_organization_is_not_there() -> None:
    owner, stranger = await a_person(), await a_person()

    for id in (stranger.account_id or "", "acc_" + "0" * 21, "", "x" * 100):
        async with nothing_changed(*TABLES):
            with pytest.raises(NotFound):
                await change_person(owner, id, SUSPENDED)


async def test_a_change_that_changes_nothing_is_not_told() -> None:
    owner = await a_person()

    await change_person(owner, owner.account_id or "", PersonChanges())

    assert await entries() == []
