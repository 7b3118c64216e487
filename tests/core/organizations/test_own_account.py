"""What people change about themselves: their name and their password."""

from datetime import timedelta

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, RateLimited, ValidationFailed
from core.foundation.security.caller import Caller
from core.organizations import Account, OwnChanges, authenticate, change_own_account
from core.organizations.models import FailedLogIn, Session
from core.organizations.sessions.locks import LOCK, MAX_FAILURES
from tests.factories.accounts import PASSWORD, a_log_in, a_person, a_stored_session, logged_in
from tests.factories.organizations import a_caller
from tests.support.refusals import nothing_changed

pytestmark = pytest.mark.usefixtures("clean_slate")

NEW = "a new horse battery staple"


def to(password: str = NEW, current: str = PASSWORD) -> OwnChanges:
    return OwnChanges(password=password, current_password=current)


async def facts_told() -> list[dict[str, object]]:
    rows = await db.fetch(
        "SELECT actor_kind, actor_id, subject_id, env, facts FROM audit_entries "
        "WHERE action = 'account.changed' ORDER BY at"
    )
    return [dict(row) for row in rows]


async def opens(token: str) -> bool:
    row = await db.fetchrow("SELECT 1 FROM sessions WHERE ended_at IS NULL AND id = $1", token)
    return row is not None


async def test_a_name_is_changed_and_everything_else_stays() -> None:
    person = await a_person(role="operator")
    before = await Account.get(id=person.account_id)

    me = await change_own_account(person, OwnChanges(name=" Bia "))

    after = await Account.get(id=person.account_id)
    assert me["account"] is not None
    assert (me["account"]["name"], after.name) == ("Bia", "Bia")
    assert (after.password_hash, after.role, after.email) == (
        before.password_hash,
        before.role,
        before.email,
    )
    assert await facts_told() == [
        {
            "actor_kind": "account",
            "actor_id": person.account_id,
            "subject_id": person.account_id,
            "env": "live",
            "facts": {"role": "operator", "status": "active", "changed": ["name"]},
        }
    ]


async def test_a_new_password_opens_and_the_old_one_does_no_more() -> None:
    person = await a_person()
    email = (await Account.get(id=person.account_id)).email
    assert email is not None

    await change_own_account(person, to())

    assert (await a_log_in(email, NEW))["account"]["id"] == person.account_id
    with pytest.raises(Exception, match="do not open"):
        await a_log_in(email, PASSWORD)


async def test_a_new_password_ends_every_other_session_and_not_the_one_that_calls() -> None:
    person = await a_person()
    elsewhere, stranger = await logged_in_again(person), await a_person()

    await change_own_account(person, to())

    assert person.credential_id is not None
    assert stranger.credential_id is not None
    assert await opens(person.credential_id)
    assert await opens(stranger.credential_id)
    assert not await opens(elsewhere)


async def logged_in_again(person: Caller) -> str:
    again = await logged_in(person.organization_id, person.account_id or "", env="live")
    return again.credential_id or ""


async def test_a_wrong_current_password_changes_nothing() -> None:
    person = await a_person()

    async with nothing_changed("accounts", "sessions", "audit_entries"):
        with pytest.raises(ValidationFailed) as refused:
            await change_own_account(person, to(current="not the password"))

    assert refused.value.meta == {"code": "SENHA_ATUAL_INCORRETA"}
    assert [error.where for error in refused.value.errors] == ["/currentPassword"]


async def test_whoever_has_no_password_sets_none_by_this_way() -> None:
    person = await a_person()
    await Account.filter(id=person.account_id).update(password_hash=None)

    with pytest.raises(ValidationFailed):
        await change_own_account(person, to())


async def test_five_wrong_ones_in_a_row_lock_it_also_for_the_right_one() -> None:
    person = await a_person()
    for _ in range(MAX_FAILURES):
        with pytest.raises(ValidationFailed):
            await change_own_account(person, to(current="a guess"))

    with pytest.raises(RateLimited) as refused:
        await change_own_account(person, to())
    assert refused.value.meta == {"code": "LOGIN_BLOQUEADO"}
    assert refused.value.retry_after is not None

    await FailedLogIn.all().update(locked_until=now() - timedelta(seconds=1))
    await change_own_account(person, to())
    assert refused.value.retry_after <= LOCK.total_seconds()


async def test_a_right_one_forgives_those_before_it() -> None:
    person = await a_person()
    for _ in range(2):
        for _ in range(MAX_FAILURES - 1):
            with pytest.raises(ValidationFailed):
                await change_own_account(person, to(current="a guess"))
        await change_own_account(person, to(PASSWORD))


async def test_a_key_has_no_password() -> None:
    with pytest.raises(Forbidden):
        await change_own_account(await a_caller(), OwnChanges(name="Bia"))


async def test_a_change_that_changes_nothing_is_not_told() -> None:
    person = await a_person()

    me = await change_own_account(person, OwnChanges())

    assert me["credential"]["id"] == person.credential_id
    assert await facts_told() == []


async def test_the_other_sessions_are_refused_by_other_processes_too() -> None:
    person = await a_person()
    _, token = await a_stored_session(person.organization_id, person.account_id or "")

    await change_own_account(person, to())

    with pytest.raises(Exception, match="revoked"):
        await authenticate(token, request_id=None)
    assert await Session.filter(ended_at__isnull=True).count() == 1
