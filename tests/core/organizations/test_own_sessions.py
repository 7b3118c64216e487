"""Sessions listed and ended one by one: one's own, and for whoever looks after people those of
others.
"""

from datetime import timedelta

import pytest

from core import organizations
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound, Unauthorized
from core.foundation.security.caller import Caller
from core.organizations import SessionFilter, end_one_session, list_sessions
from core.organizations.models import Session
from tests.factories.accounts import a_person, a_stored_session, an_account, logged_in
from tests.factories.organizations import a_caller
from tests.support.refusals import nothing_changed

pytestmark = pytest.mark.usefixtures("clean_slate")


async def ids(caller: Caller, **filter: object) -> list[str]:
    page = await list_sessions(caller, SessionFilter.model_validate(filter))
    assert page["total"] == len(page["items"])
    return [item["id"] for item in page["items"]]


async def test_ones_own_open_sessions_of_both_environments_are_listed_newest_first() -> None:
    person = await a_person()
    live = await logged_in(person.organization_id, person.account_id or "", env="live")
    await a_person(person.organization_id)

    page = await list_sessions(person, SessionFilter())

    assert [item["id"] for item in page["items"]] == [live.credential_id, person.credential_id]
    assert [item["env"] for item in page["items"]] == ["live", "test"]
    assert {item["accountId"] for item in page["items"]} == {person.account_id}
    assert set(page["items"][0]) == {
        "id", "accountId", "env", "createdAt", "lastUsedAt", "expiresAt"
    }  # fmt: skip
    assert await ids(live) == await ids(person)


async def test_what_has_ended_is_not_listed() -> None:
    person = await a_person()
    account_id = person.account_id or ""
    expired, _ = await a_stored_session(person.organization_id, account_id)
    await Session.filter(id=expired.id).update(expires_at=now() - timedelta(seconds=1))
    ended, _ = await a_stored_session(person.organization_id, account_id)
    await end_one_session(person, ended.id)

    assert await ids(person) == [person.credential_id]


async def test_those_of_another_are_for_whoever_looks_after_people() -> None:
    owner = await a_person()
    operator = await a_person(owner.organization_id, role="operator")

    assert await ids(owner, account_id=operator.account_id) == [operator.credential_id]
    assert await ids(operator, account_id=operator.account_id) == [operator.credential_id]
    with pytest.raises(Forbidden) as refused:
        await ids(operator, account_id=owner.account_id)
    assert refused.value.meta == {"escopoExigido": "accounts:manage"}


async def test_another_organizations_are_nobodys() -> None:
    owner, stranger = await a_person(), await a_person()

    assert await ids(owner, account_id=stranger.account_id) == []
    async with nothing_changed("sessions", "audit_entries"):
        with pytest.raises(NotFound):
            await end_one_session(owner, stranger.credential_id or "")


async def test_a_session_that_is_ended_opens_nothing_any_more() -> None:
    person = await a_person()
    session, token = await a_stored_session(
        person.organization_id, person.account_id or "", env="live"
    )
    await organizations.authenticate(token, request_id=None)

    await end_one_session(person, session.id)

    with pytest.raises(Unauthorized):
        await organizations.authenticate(token, request_id=None)
    with pytest.raises(NotFound):
        await end_one_session(person, session.id)
    (entry,) = await db.fetch(
        "SELECT env, subject_id, facts FROM audit_entries WHERE action = 'session.ended'"
    )
    assert dict(entry) == {"env": "live", "subject_id": session.id, "facts": {}}


async def test_an_owner_ends_that_of_another_and_the_audit_says_whose() -> None:
    owner = await a_person()
    operator = await a_person(owner.organization_id, role="operator")

    await end_one_session(owner, operator.credential_id or "")

    facts = await db.fetchval("SELECT facts FROM audit_entries WHERE action = 'session.ended'")
    assert facts == {"accountId": operator.account_id}


async def test_an_operator_does_not_end_that_of_another() -> None:
    owner = await a_person()
    operator = await a_person(owner.organization_id, role="operator")

    async with nothing_changed("sessions", "audit_entries"):
        with pytest.raises(NotFound):
            await end_one_session(operator, owner.credential_id or "")


async def test_an_admin_does_not_end_the_session_of_an_owner() -> None:
    owner = await a_person()
    admin = await a_person(owner.organization_id, role="admin")

    async with nothing_changed("sessions", "audit_entries"):
        with pytest.raises(Forbidden) as refused:
            await end_one_session(admin, owner.credential_id or "")
    assert refused.value.meta == {"code": "PAPEL_ACIMA_DO_PROPRIO"}


async def test_a_key_has_no_sessions() -> None:
    caller = await a_caller()
    account = await an_account(caller.organization_id)
    session, _ = await a_stored_session(caller.organization_id, account["id"])

    for act in (list_sessions(caller, SessionFilter()), end_one_session(caller, session.id)):
        with pytest.raises(Forbidden):
            await act


@pytest.mark.parametrize("id", ["ses_" + "0" * 21, "ses_x", "", "acc_" + "0" * 21, "x" * 100])
async def test_an_id_that_is_no_sessions_is_not_found(id: str) -> None:
    with pytest.raises(NotFound):
        await end_one_session(await a_person(), id)
