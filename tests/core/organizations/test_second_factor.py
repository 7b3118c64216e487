"""The second factor of a log-in: codes of an app, each once, and recovery codes, each once."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Conflict, Forbidden, RateLimited, Unauthorized, ValidationFailed
from core.foundation.security.caller import Caller
from core.organizations import (
    AccountChanges,
    CurrentPasswordOnly,
    PersonChanges,
    SecondFactorCode,
    SecondFactorRemoval,
    add_second_factor,
    change_account,
    change_person,
    confirm_second_factor,
    get_second_factor,
    remove_second_factor,
)
from core.organizations.models import FailedLogIn, SecondFactor
from core.organizations.second_factor.totp import code_of, step_of, step_that_fits
from tests.factories.accounts import PASSWORD, a_log_in, a_person
from tests.factories.organizations import a_caller
from tests.support.refusals import nothing_changed

pytestmark = pytest.mark.usefixtures("clean_slate")

EMAIL = "ana@padaria.test"
NONE = {"active": False, "demanded": False, "recoveryCodesLeft": 0}
TABLES = ("second_factors", "sessions", "audit_entries")


def a_code(secret: str, *, ahead: int = 0) -> str:
    return code_of(secret, step_of(now()) + ahead)


async def begun(person: Caller) -> str:
    new = await add_second_factor(person, CurrentPasswordOnly(current_password=PASSWORD))
    return new["secret"]


async def enrolled(person: Caller) -> tuple[str, list[str]]:
    """The secret of the app, and the recovery codes. The code of half a minute ago is used."""
    secret = await begun(person)
    told = await confirm_second_factor(person, SecondFactorCode(code=a_code(secret, ahead=-1)))
    return secret, told["recoveryCodes"]


async def log_in_refused(**how: Any) -> object:
    async with nothing_changed(*TABLES):
        with pytest.raises(Unauthorized) as refused:
            await a_log_in(EMAIL, **how)
    return refused.value.meta


@pytest.mark.parametrize(
    ("at", "code"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_the_codes_are_those_of_rfc_6238(at: int, code: str) -> None:
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # 12345678901234567890
    moment = datetime.fromtimestamp(at, UTC)

    assert code_of(secret, step_of(moment)) == code
    for offset, fits in ((-61, False), (-30, True), (0, True), (30, True), (61, False)):
        near = moment + timedelta(seconds=offset)
        assert (step_that_fits(secret, code, at=near, after=0) is not None) is fits
    assert step_that_fits(secret, code, at=moment, after=step_of(moment)) is None


async def test_a_secret_counts_once_a_code_of_it_was_shown() -> None:
    person = await a_person(email=EMAIL)
    secret = await begun(person)
    assert (await get_second_factor(person)) == NONE
    await a_log_in(EMAIL)

    told = await confirm_second_factor(person, SecondFactorCode(code=a_code(secret)))

    assert len(set(told["recoveryCodes"])) == 10
    assert (await get_second_factor(person)) == {**NONE, "active": True, "recoveryCodesLeft": 10}
    assert await log_in_refused() == {"motivo": "segundo_fator_exigido"}


async def test_the_uri_is_what_apps_read() -> None:
    person = await a_person(email=EMAIL)
    new = await add_second_factor(person, CurrentPasswordOnly(current_password=PASSWORD))

    assert new["uri"] == (
        f"otpauth://totp/Padaria%3Aana%40padaria.test?secret={new['secret']}&issuer=Padaria"
        "&algorithm=SHA1&digits=6&period=30"
    )


async def test_a_code_opens_once() -> None:
    person = await a_person(email=EMAIL)
    secret, _ = await enrolled(person)
    code = a_code(secret)

    assert (await a_log_in(EMAIL, code=code))["account"]["id"] == person.account_id
    assert await log_in_refused(code=code) == {"motivo": "segundo_fator_invalido"}
    await a_log_in(EMAIL, code=a_code(secret, ahead=1))


async def test_the_code_that_confirmed_opens_nothing_any_more() -> None:
    person = await a_person(email=EMAIL)
    secret = await begun(person)
    code = a_code(secret)
    await confirm_second_factor(person, SecondFactorCode(code=code))

    assert await log_in_refused(code=code) == {"motivo": "segundo_fator_invalido"}


async def test_a_recovery_code_opens_once() -> None:
    person = await a_person(email=EMAIL)
    _, codes = await enrolled(person)

    await a_log_in(EMAIL, code=codes[3])

    assert (await get_second_factor(person))["recoveryCodesLeft"] == 9
    assert await log_in_refused(code=codes[3]) == {"motivo": "segundo_fator_invalido"}
    facts = await db.fetch(
        "SELECT facts FROM audit_entries WHERE action = 'session.opened' ORDER BY at"
    )
    assert [row["facts"] for row in facts] == [{"secondFactor": "recovery"}]


async def test_a_right_code_does_not_help_a_wrong_password() -> None:
    person = await a_person(email=EMAIL)
    secret, _ = await enrolled(person)

    wrong = await log_in_refused(password="not the password", code=a_code(secret))
    assert wrong == {"motivo": "credenciais_invalidas"}
    await a_log_in(EMAIL, code=a_code(secret))


async def test_the_code_of_another_opens_nothing() -> None:
    person = await a_person(email=EMAIL)
    other = await a_person(person.organization_id)
    await enrolled(person)
    secret, codes = await enrolled(other)

    for code in (a_code(secret), codes[0]):
        assert await log_in_refused(code=code) == {"motivo": "segundo_fator_invalido"}


async def test_five_wrong_codes_lock_it_wherever_they_come_from() -> None:
    person = await a_person(email=EMAIL)
    secret, _ = await enrolled(person)
    for place in range(5):
        wrong = await log_in_refused(code="000000", address=f"203.0.113.{place + 1}")
        assert wrong == {"motivo": "segundo_fator_invalido"}

    with pytest.raises(RateLimited) as refused:
        await a_log_in(EMAIL, code=a_code(secret), address="203.0.113.99")
    assert refused.value.meta == {"code": "LOGIN_BLOQUEADO"}

    await FailedLogIn.all().update(locked_until=now() - timedelta(seconds=1))
    await a_log_in(EMAIL, code=a_code(secret))


async def test_whoever_has_no_second_factor_needs_no_code() -> None:
    await a_person(email=EMAIL)

    await a_log_in(EMAIL, code="000000")


async def test_adding_asks_for_the_password_and_replaces_what_was_never_confirmed() -> None:
    person = await a_person()
    with pytest.raises(ValidationFailed) as refused:
        await add_second_factor(person, CurrentPasswordOnly(current_password="a guess"))
    assert refused.value.meta == {"code": "SENHA_ATUAL_INCORRETA"}
    older = await begun(person)
    newer = await begun(person)

    with pytest.raises(ValidationFailed) as wrong:
        await confirm_second_factor(person, SecondFactorCode(code=a_code(older)))
    assert wrong.value.meta == {"code": "CODIGO_INCORRETO"}
    await confirm_second_factor(person, SecondFactorCode(code=a_code(newer)))

    async with nothing_changed(*TABLES):
        with pytest.raises(Conflict) as active:
            await begun(person)
    assert active.value.meta == {"code": "SEGUNDO_FATOR_ATIVO"}


async def test_removing_takes_the_password_and_a_code() -> None:
    person = await a_person(email=EMAIL)
    secret, _ = await enrolled(person)

    for password, code in ((PASSWORD, "000000"), ("a guess", a_code(secret))):
        async with nothing_changed(*TABLES):
            with pytest.raises(ValidationFailed):
                removal = SecondFactorRemoval(current_password=password, code=code)
                await remove_second_factor(person, removal)
    right = SecondFactorRemoval(current_password=PASSWORD, code=a_code(secret))
    await remove_second_factor(person, right)

    await a_log_in(EMAIL)
    with pytest.raises(Conflict):
        await remove_second_factor(person, right)


async def test_whoever_looks_after_people_removes_that_of_a_lost_phone() -> None:
    owner = await a_person()
    person = await a_person(owner.organization_id, role="operator", email=EMAIL)
    await enrolled(person)

    await change_person(owner, person.account_id or "", PersonChanges(remove_second_factor=True))

    await a_log_in(EMAIL)
    facts = await db.fetchval("SELECT facts FROM audit_entries WHERE action = 'account.changed'")
    assert facts["secondFactorRemoved"] is True


async def test_whoever_runs_the_service_removes_that_of_the_only_owner() -> None:
    person = await a_person(email=EMAIL)
    await enrolled(person)

    await change_account(person.account_id or "", AccountChanges(remove_second_factor=True))

    await a_log_in(EMAIL)
    facts = await db.fetchval("SELECT facts FROM audit_entries WHERE action = 'account.changed'")
    assert facts["secondFactorRemoved"] is True


async def test_a_key_has_none() -> None:
    caller = await a_caller()
    code = SecondFactorCode(code="000000")

    for act in (get_second_factor(caller), confirm_second_factor(caller, code)):
        with pytest.raises(Forbidden):
            await act


async def test_neither_secret_nor_codes_are_kept_in_clear() -> None:
    person = await a_person()
    secret, codes = await enrolled(person)

    kept = await db.fetchval("SELECT string_agg(s::text, '') FROM second_factors s")
    assert [text for text in (secret, *codes) if text in kept] == []
    assert (await SecondFactor.get()).account_id == person.account_id
