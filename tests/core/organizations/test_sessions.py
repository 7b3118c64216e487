"""Logging in: who may, with what, and what a refusal tells."""

from datetime import datetime
from importlib import import_module
from typing import Any

import pytest

from core import organizations
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, ServiceError, ServiceUnavailable, Unauthorized
from core.foundation.ids import is_id
from core.foundation.security.caller import Scope
from core.foundation.security.secrets import is_session_token
from core.organizations import (
    Account,
    AccountChanges,
    AccountStatus,
    Organization,
    Role,
    authenticate,
    end_session,
)
from core.organizations.accounts import passwords
from core.organizations.models import FailedLogIn, Session
from core.organizations.session_lifetime import IDLE
from core.organizations.sessions import AmbiguousOrganization, WrongCredentials
from tests.factories.accounts import PASSWORD, a_log_in, a_session, an_account, an_organization
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate", "at_once")

opening = import_module("core.organizations.sessions.open")
sweeping = import_module("core.organizations.sessions.sweep")


async def audited() -> list[dict[str, Any]]:
    """The audit entries of log-ins."""
    rows = await db.fetch(
        "SELECT organization_id, env, actor_kind, actor_id, action, subject_id, facts, request_id FROM audit_entries "
        "WHERE action LIKE 'session.%' ORDER BY at, id"
    )
    return [dict(row) for row in rows]


async def refused(email: str, password: str = PASSWORD, **more: Any) -> ServiceError:
    """The refusal of a log-in, which leaves no session behind."""
    with pytest.raises(ServiceError) as refusal:
        await a_log_in(email, password, **more)
    assert not await Session.exists()
    assert await audited() == []
    return refusal.value


# What opens


async def test_whoever_knows_the_password_gets_a_token_that_opens() -> None:
    account = await an_account(role="admin")

    opened = await a_log_in(account["email"])

    assert set(opened) == {"token", "expiresAt", "account", "secondFactorDue"}
    assert opened["account"] == account
    assert is_session_token(opened["token"])
    caller = await authenticate(opened["token"], request_id="req_1")
    assert (caller.kind, caller.organization_id, caller.env) == (
        "session",
        account["organizationId"],
        "live",
    )
    assert (caller.account_id, caller.request_id) == (account["id"], "req_1")
    assert caller.credential_id is not None
    assert is_id("ses", caller.credential_id)


async def test_a_session_works_in_the_environment_it_was_opened_for() -> None:
    account = await an_account()

    for env in ("live", "test"):
        opened = await a_log_in(account["email"], env=env)
        assert (await authenticate(opened["token"], request_id=None)).env == env


async def test_the_end_that_is_told_is_twelve_hours_ahead() -> None:
    account = await an_account()

    opened = await a_log_in(account["email"])

    stored = await Session.get()
    assert stored.expires_at == stored.created_at + IDLE
    assert opened["expiresAt"] == wire_time(stored.expires_at)


async def test_the_email_is_compared_in_lower_case() -> None:
    account = await an_account(email="Ana.Maria@Padaria.TEST")
    assert account["email"] == "ana.maria@padaria.test"

    assert (await a_log_in("ANA.maria@padaria.test"))["account"]["id"] == account["id"]


async def test_one_account_may_have_several_sessions() -> None:
    account = await an_account()

    tokens = {(await a_log_in(account["email"]))["token"] for _ in range(2)}

    assert len(tokens) == 2
    assert {(await authenticate(token, request_id=None)).account_id for token in tokens} == {
        account["id"]
    }


async def test_neither_token_nor_password_is_stored() -> None:
    account = await an_account(password="a password of its own")
    opened = await a_log_in(account["email"], "a password of its own")

    for row in await db.fetch(
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    ):
        for stored in await db.fetch(f'SELECT t::text AS row FROM "{row["tablename"]}" t'):
            for secret in (opened["token"], "a password of its own"):
                assert secret not in stored["row"]
                assert secret.encode().hex() not in stored["row"]


async def test_the_audit_tells_who_logged_in_and_out() -> None:
    account = await an_account()
    opened = await a_log_in(account["email"], env="test")
    await end_session(await authenticate(opened["token"], request_id="req_2"))

    session = await Session.get()
    entry = {
        "organization_id": account["organizationId"],
        "env": "test",
        "actor_kind": "account",
        "actor_id": account["id"],
        "subject_id": session.id,
        "facts": {},
    }
    assert await audited() == [
        {**entry, "action": "session.opened", "request_id": "req_of_the_test"},
        {**entry, "action": "session.ended", "request_id": "req_2"},
    ]


# What each role may do

READS = {scope for scope in Scope if scope.value.endswith(":read")}


@pytest.mark.parametrize(
    ("role", "scopes"),
    [
        ("owner", set(Scope)),
        ("admin", set(Scope)),
        (
            "operator",
            READS | {Scope.MESSAGES_SEND, Scope.CONTACTS_WRITE, Scope.CRM_READ, Scope.CRM_WRITE},
        ),
    ],
)
async def test_a_session_carries_the_scopes_of_its_role(role: str, scopes: set[Scope]) -> None:
    caller = await authenticate(await a_session(role=role), request_id=None)

    assert caller.scopes == scopes


async def test_owners_hold_what_no_key_may_hold_and_operators_do_not() -> None:
    owner = await authenticate(await a_session(role="owner"), request_id=None)
    operator = await authenticate(await a_session(role="operator"), request_id=None)

    for scope in (Scope.CONTACTS_PII, Scope.KEYS_MANAGE, Scope.PII_FULL):
        assert owner.may(scope)
        assert not operator.may(scope)


# What does not open


async def test_no_refusal_tells_what_was_wrong() -> None:
    right = await an_account()
    no_password = await an_account(password=None)
    invited = await an_account(status="invited")
    suspended = await an_account(status="suspended")
    of_a_suspended_organization = await an_account()
    await Organization.filter(id=of_a_suspended_organization["organizationId"]).update(
        status="suspended"
    )

    refusals = [
        await refused("nobody@padaria.test"),
        await refused(right["email"], "not the password"),
        await refused(no_password["email"]),
        await refused(invited["email"]),
        await refused(suspended["email"]),
        await refused(of_a_suspended_organization["email"]),
        await refused(right["email"], organization_id=await an_organization()),
        await refused(right["email"], organization_id="org_of_nobody"),
    ]

    assert {type(refusal) for refusal in refusals} == {WrongCredentials}
    assert {refusal.code for refusal in refusals} == {"UNAUTHORIZED"}
    assert [refusal.meta for refusal in refusals] == [{"motivo": "credenciais_invalidas"}] * len(
        refusals
    )
    assert len({(refusal.detail, refusal.errors, refusal.retry_after) for refusal in refusals}) == 1


async def test_every_refusal_costs_one_password(monkeypatch: pytest.MonkeyPatch) -> None:
    accounts = [
        await an_account(),
        await an_account(password=None),
        await an_account(status="invited"),
        await an_account(status="suspended"),
    ]
    worked_out: list[str] = []
    monkeypatch.setattr(passwords, "_fits", lambda password, _: worked_out.append(password))

    for email in ("nobody@padaria.test", *(account["email"] for account in accounts)):
        await refused(email, "a guess")
        assert worked_out == ["a guess"]
        worked_out.clear()


async def test_a_refusal_takes_its_time_however_little_there_was_to_look_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(opening, "MIN_REFUSAL_SECONDS", 1000.0)
    monkeypatch.setattr(opening.asyncio, "sleep", sleep)

    await refused("nobody@padaria.test")

    assert len(slept) == 1
    assert 900 < slept[0] <= 1000


async def test_an_invited_account_logs_in_once_it_is_active() -> None:
    account = await an_account(status="invited")
    await refused(account["email"])

    await organizations.change_account(account["id"], AccountChanges(status=AccountStatus.ACTIVE))

    assert (await a_log_in(account["email"]))["account"]["status"] == "active"


async def test_more_log_ins_at_once_than_can_be_worked_out_are_refused_and_count_as_no_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    account = await an_account()
    monkeypatch.setattr(opening, "MAX_CONCURRENT", 1)
    refusals: list[ServiceError] = []
    look = opening._accounts_that_fit

    async def look_while_another_comes(new: Any) -> Any:
        refusals.append(await refused("bia@padaria.test"))
        return await look(new)

    monkeypatch.setattr(opening, "_accounts_that_fit", look_while_another_comes)
    await a_log_in(account["email"])

    [refusal] = refusals
    assert isinstance(refusal, ServiceUnavailable)
    assert refusal.retry_after == 1
    assert not await FailedLogIn.exists()
    assert opening._under_way == 0


@pytest.mark.parametrize(
    ("changes", "opens"),
    [
        (AccountChanges(status=AccountStatus.SUSPENDED), False),
        (AccountChanges(password="another password"), False),
        (AccountChanges(password=PASSWORD), True),
        (AccountChanges(role=Role.OPERATOR), True),
    ],
    ids=["suspended", "another password", "the same password anew", "another role"],
)
async def test_what_changes_between_the_look_and_the_session_counts(
    monkeypatch: pytest.MonkeyPatch, changes: AccountChanges, opens: bool
) -> None:
    account = await an_account()
    look = opening._accounts_that_fit

    async def look_and_change(new: Any) -> Any:
        found = await look(new)
        await organizations.change_account(account["id"], changes)
        return found

    monkeypatch.setattr(opening, "_accounts_that_fit", look_and_change)

    if opens:
        assert (await a_log_in(account["email"]))["token"]
    else:
        assert isinstance(await refused(account["email"]), WrongCredentials)


# One e-mail address, several organizations


async def test_the_password_tells_the_accounts_of_one_address_apart() -> None:
    first = await an_account(email="ana@agencia.test", password="the first password")
    second = await an_account(email="ana@agencia.test", password="the second password")

    assert (await a_log_in("ana@agencia.test", "the first password"))["account"]["id"] == first[
        "id"
    ]
    assert (await a_log_in("ana@agencia.test", "the second password"))["account"]["id"] == second[
        "id"
    ]


async def test_where_the_password_opens_several_organizations_one_has_to_be_named() -> None:
    accounts = [await an_account(email="ana@agencia.test") for _ in range(2)]
    await an_account(email="ana@agencia.test", password="another password")
    await an_account(email="ana@agencia.test", status="suspended")

    refusal = await refused("ana@agencia.test")

    assert isinstance(refusal, AmbiguousOrganization)
    assert refusal.meta == {
        "code": "ORGANIZACAO_AMBIGUA",
        "organizacoes": [
            {"id": account["organizationId"], "nome": "Padaria"} for account in accounts
        ],
    }
    for account in accounts:
        opened = await a_log_in("ana@agencia.test", organization_id=account["organizationId"])
        assert opened["account"]["id"] == account["id"]


async def test_a_wrong_password_learns_nothing_of_the_organizations() -> None:
    for _ in range(2):
        await an_account(email="ana@agencia.test")

    assert isinstance(await refused("ana@agencia.test", "not the password"), WrongCredentials)


async def test_the_answer_that_asks_for_an_organization_is_no_failure() -> None:
    for _ in range(2):
        await an_account(email="ana@agencia.test")

    for _ in range(7):
        assert isinstance(await refused("ana@agencia.test"), AmbiguousOrganization)

    assert not await FailedLogIn.exists()


# Old hashes


async def test_a_hash_with_old_parameters_is_renewed_by_the_next_log_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as before:
        before.setattr(passwords, "PASSES", 1)
        account = await an_account()
    old = (await Account.get(id=account["id"])).password_hash
    assert old is not None

    await a_log_in(account["email"])

    renewed = (await Account.get(id=account["id"])).password_hash
    assert renewed is not None
    assert (passwords.is_outdated(old), passwords.is_outdated(renewed)) == (True, False)
    await a_log_in(account["email"])
    assert (await Account.get(id=account["id"])).password_hash == renewed


# How a session ends


async def motivo(token: str) -> str:
    with pytest.raises(Unauthorized) as refusal:
        await authenticate(token, request_id=None)
    return str(refusal.value.meta["motivo"])


async def test_a_session_that_was_ended_opens_nothing_from_then_on() -> None:
    token = await a_session()
    caller = await authenticate(token, request_id=None)

    await end_session(caller)

    assert await motivo(token) == "revogada"
    assert (await Session.get()).ended_at is not None


async def test_ending_a_session_leaves_the_others() -> None:
    account = await an_account()
    first, second = [(await a_log_in(account["email"]))["token"] for _ in range(2)]

    await end_session(await authenticate(first, request_id=None))

    assert (await authenticate(second, request_id=None)).account_id == account["id"]


async def test_a_session_ends_once() -> None:
    caller = await authenticate(await a_session(), request_id=None)

    await end_session(caller)
    ended_at = (await Session.get()).ended_at
    await end_session(caller)

    assert (await Session.get()).ended_at == ended_at
    assert [entry["action"] for entry in await audited()].count("session.ended") == 1


async def test_a_key_is_no_session_that_could_be_ended() -> None:
    token = await a_session()

    with pytest.raises(Forbidden):
        await end_session(await a_caller(scopes=frozenset(Scope)))

    assert (await authenticate(token, request_id=None)).kind == "session"


# What is left of them


async def test_what_ended_long_ago_is_forgotten_and_the_rest_stays() -> None:
    await a_session()
    await a_session()
    kept = (await Session.all().order_by("created_at"))[1].id
    at = datetime.fromisoformat("2030-01-01T00:00:00+00:00")
    await Session.exclude(id=kept).update(expires_at=at.replace(year=2029))
    await Session.filter(id=kept).update(expires_at=at)
    await FailedLogIn.create(identity=b"old", failures=4, updated_at=at.replace(year=2029))
    await FailedLogIn.create(identity=b"new", failures=4, updated_at=at)

    assert await organizations.delete_old_sessions(at=at) == 2

    assert [session.id for session in await Session.all()] == [kept]
    assert [failed.identity for failed in await FailedLogIn.all()] == [b"new"]
    assert len(await audited()) == 2


async def test_what_is_forgotten_goes_a_batch_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "BATCH_SIZE", 2)
    at = datetime.fromisoformat("2030-01-01T00:00:00+00:00")
    for number in range(3):
        await FailedLogIn.create(
            identity=bytes([number]), failures=4, updated_at=at.replace(year=2029)
        )

    assert [await organizations.delete_old_sessions(at=at) for _ in range(3)] == [2, 1, 0]


async def test_a_session_that_just_ended_is_not_forgotten() -> None:
    await end_session(await authenticate(await a_session(), request_id=None))

    assert await organizations.delete_old_sessions(at=now()) == 0
