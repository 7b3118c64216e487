"""An organization demands a second factor: who has none does nothing in a session but add it."""

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Conflict, Forbidden
from core.foundation.security.caller import Caller, Scope
from core.organizations import (
    CurrentPasswordOnly,
    OrganizationChanges,
    OwnChanges,
    SecondFactorCode,
    SessionFilter,
    add_second_factor,
    authenticate,
    change_organization_settings,
    change_own_account,
    clear_credential_cache,
    confirm_second_factor,
    demand_second_factor,
    end_session,
    get_me,
    get_organization_settings,
    get_second_factor,
    list_sessions,
)
from core.organizations.models import SecondFactor
from core.organizations.second_factor.totp import code_of, step_of
from tests.factories.accounts import (
    PASSWORD,
    a_log_in,
    a_pending_factor,
    a_person,
    a_stored_session,
    set_password,
)
from tests.support.refusals import nothing_changed

pytestmark = pytest.mark.usefixtures("clean_slate")

EMAIL = "ana@padaria.test"
DEMAND = OrganizationChanges(demands_second_factor=True)


async def with_a_factor(person: Caller) -> Caller:
    assert person.account_id is not None
    await a_pending_factor(person.organization_id, person.account_id)
    await SecondFactor.filter(account_id=person.account_id).update(confirmed_at=now())
    return person


async def refused_code(coroutine: object, kind: type[Exception] = Forbidden) -> object:
    with pytest.raises(kind) as refused:
        await coroutine  # type: ignore[misc]
    return refused.value.meta["code"]  # type: ignore[attr-defined]


async def test_who_has_none_logs_in_to_add_one_and_goes_on_in_the_same_session() -> None:
    owner = await a_person(email=EMAIL)
    await demand_second_factor(owner.organization_id, True)
    opened = await a_log_in(EMAIL, env="test")
    assert opened["secondFactorDue"] is True
    limited = await authenticate(opened["token"], request_id=None)
    assert limited.scopes == frozenset()
    assert (await get_me(limited))["scopes"] == []
    assert (await get_second_factor(limited))["demanded"] is True

    secret = (await add_second_factor(limited, CurrentPasswordOnly(current_password=PASSWORD)))[
        "secret"
    ]
    await confirm_second_factor(limited, SecondFactorCode(code=code_of(secret, step_of(now()))))

    whole = await authenticate(opened["token"], request_id=None)
    assert whole.may(Scope.ACCOUNTS_MANAGE)
    code = code_of(secret, step_of(now()) + 1)
    assert (await a_log_in(EMAIL, code=code))["secondFactorDue"] is False


async def test_a_limited_session_does_nothing_else() -> None:
    owner = await a_person(email=EMAIL)
    await demand_second_factor(owner.organization_id, True)
    token = (await a_log_in(EMAIL, env="test"))["token"]
    limited = await authenticate(token, request_id=None)

    for refused in (
        get_organization_settings(limited),
        change_own_account(limited, OwnChanges(name="Bia")),
        list_sessions(limited, SessionFilter()),
    ):
        assert await refused_code(refused) == "SEGUNDO_FATOR_OBRIGATORIO"
    await end_session(limited)


async def test_an_open_session_is_limited_once_the_process_reads_it_again() -> None:
    owner = await with_a_factor(await a_person())
    bia = await a_person(owner.organization_id, role="operator")
    assert bia.account_id is not None
    _, token = await a_stored_session(owner.organization_id, bia.account_id)
    assert not (await authenticate(token, request_id=None)).second_factor_due

    await change_organization_settings(owner, DEMAND)

    clear_credential_cache()
    assert (await authenticate(token, request_id=None)).second_factor_due
    await change_organization_settings(owner, OrganizationChanges(demands_second_factor=False))
    assert (await authenticate(token, request_id=None)).may(Scope.CRM_READ)


async def test_whoever_demands_one_has_one_and_lifts_it_with_it() -> None:
    owner = await a_person()
    async with nothing_changed("organizations", "audit_entries"):
        code = await refused_code(change_organization_settings(owner, DEMAND), Conflict)
        assert code == "SEGUNDO_FATOR_PROPRIO_AUSENTE"
    admin = await with_a_factor(await a_person(owner.organization_id, role="admin"))
    await change_organization_settings(admin, DEMAND)

    token = (await a_stored_session(owner.organization_id, str(owner.account_id)))[1]
    limited = await authenticate(token, request_id=None)
    lift = OrganizationChanges(demands_second_factor=False)
    async with nothing_changed("organizations", "audit_entries"):
        code = await refused_code(change_organization_settings(limited, lift))
        assert code == "SEGUNDO_FATOR_OBRIGATORIO"
    assert not (await change_organization_settings(admin, lift))["demandsSecondFactor"]


async def test_an_operator_does_not_demand_it() -> None:
    operator = await with_a_factor(await a_person(role="operator"))
    async with nothing_changed("organizations", "audit_entries"):
        with pytest.raises(Forbidden) as refused:
            await change_organization_settings(operator, DEMAND)
    assert refused.value.meta == {"escopoExigido": "accounts:manage"}


async def test_a_removed_factor_is_due_again() -> None:
    owner = await with_a_factor(await a_person(email=EMAIL))
    await change_organization_settings(owner, DEMAND)
    _, token = await a_stored_session(owner.organization_id, str(owner.account_id))
    assert not (await authenticate(token, request_id=None)).second_factor_due

    await SecondFactor.filter(account_id=owner.account_id).delete()

    clear_credential_cache()
    assert (await authenticate(token, request_id=None)).second_factor_due
    assert (await a_log_in(EMAIL))["secondFactorDue"] is True


async def test_what_is_not_confirmed_does_not_count() -> None:
    owner = await a_person(email=EMAIL)
    await demand_second_factor(owner.organization_id, True)
    await a_pending_factor(owner.organization_id, str(owner.account_id))
    token = (await a_log_in(EMAIL))["token"]
    assert (await authenticate(token, request_id=None)).second_factor_due


async def test_the_demand_is_audited_once_and_counts_who_is_without() -> None:
    owner = await with_a_factor(await a_person())
    bia = await a_person(owner.organization_id, role="operator")
    assert bia.account_id is not None
    await set_password(bia.account_id)

    told = await change_organization_settings(owner, DEMAND)
    await change_organization_settings(owner, DEMAND)

    assert (told["demandsSecondFactor"], told["withoutSecondFactor"]) == (True, 1)
    rows = await db.fetch(
        "SELECT env, facts FROM audit_entries WHERE action = 'organization.second_factor_demanded'"
        " ORDER BY at"
    )
    assert [(row["env"], row["facts"]) for row in rows] == [("live", {"demanded": True})]


async def test_another_organization_is_not_touched() -> None:
    await demand_second_factor((await a_person()).organization_id, True)
    other = await a_person(email=EMAIL)

    assert not other.second_factor_due
    assert (await a_log_in(EMAIL))["secondFactorDue"] is False
