"""Passwords at rest: how they are kept, and what fits them."""

import threading

import pytest

from core.organizations.accounts import passwords
from core.organizations.accounts.passwords import hash_password, is_outdated, password_fits
from tests.factories.accounts import PASSWORD


async def test_a_password_is_kept_as_argon2id_with_the_parameters_that_owasp_advises() -> None:
    stored = await hash_password(PASSWORD)

    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert PASSWORD not in stored


async def test_the_same_password_is_kept_differently_each_time() -> None:
    assert await hash_password(PASSWORD) != await hash_password(PASSWORD)


async def test_only_the_password_itself_fits() -> None:
    stored = await hash_password(PASSWORD)

    assert await password_fits(PASSWORD, stored)
    for wrong in ("", "x", PASSWORD + " ", PASSWORD[:-1], PASSWORD.upper(), stored):
        assert not await password_fits(wrong, stored)


@pytest.mark.parametrize("password", ["", PASSWORD, "A" * 43, "\x00" * 32])
async def test_nothing_fits_where_there_is_no_password(password: str) -> None:
    assert not await password_fits(password, None)


@pytest.mark.parametrize(
    "stored", ["", "plain text", "$argon2id$v=19$m=19456,t=2,p=1$", "$2b$12$abc"]
)
async def test_nothing_fits_what_is_no_hash(stored: str) -> None:
    assert not await password_fits(stored, stored)


async def test_keyboards_may_spell_a_letter_in_two_ways() -> None:
    composed, decomposed = "coração de maçã", "corac\u0327a\u0303o de mac\u0327a\u0303"
    assert composed != decomposed

    assert await password_fits(decomposed, await hash_password(composed))


async def test_a_hash_with_other_parameters_is_outdated_and_still_fits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored = await hash_password(PASSWORD)
    assert not is_outdated(stored)

    monkeypatch.setattr(passwords, "PASSES", 3)

    assert is_outdated(stored)
    assert await password_fits(PASSWORD, stored)


async def test_where_there_is_no_password_the_same_work_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[str] = []
    monkeypatch.setattr(passwords, "_fits", lambda _, phc: looked_at.append(phc))
    stored = await hash_password(PASSWORD)

    await password_fits(PASSWORD, stored)
    await password_fits(PASSWORD, None)

    real, nobodys = (phc.split("$") for phc in looked_at)
    assert real[:4] == nobodys[:4]
    assert [len(part) for part in real] == [len(part) for part in nobodys]


async def test_passwords_are_worked_out_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    at_work: list[threading.Thread] = []
    monkeypatch.setattr(passwords, "_fits", lambda *_: at_work.append(threading.current_thread()))

    await password_fits(PASSWORD, "stored")

    assert at_work != [threading.main_thread()]
    assert at_work[0] is not threading.current_thread()
