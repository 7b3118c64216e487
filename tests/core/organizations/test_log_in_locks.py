"""Who guesses passwords is locked out for a while."""

import asyncio
from datetime import datetime, timedelta
from importlib import import_module

import pytest

from core.foundation.errors import RateLimited, Unauthorized
from core.foundation.settings import current
from core.organizations.accounts import passwords
from core.organizations.models import FailedLogIn, Session
from core.organizations.sessions.locks import LOCK, MAX_FAILURES
from tests.factories.accounts import ADDRESS, PASSWORD, a_log_in, an_account
from tests.support.races import outside

pytestmark = pytest.mark.usefixtures("at_once")

opening = import_module("core.organizations.sessions.open")

START = datetime.fromisoformat("2030-05-04T10:00:00+00:00")


class Clock:
    """The clock of `open_session`, set by hand."""

    at = START

    def now(self) -> datetime:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(opening, "real_now", clock.now)
    return clock


async def fails(email: str, *, times: int = 1, address: str | None = ADDRESS) -> None:
    """Wrong passwords that are looked at and refused."""
    for _ in range(times):
        with pytest.raises(Unauthorized):
            await a_log_in(email, "not the password", address=address)


async def seconds_locked(
    email: str, password: str = PASSWORD, *, address: str | None = ADDRESS
) -> int:
    """For how long the log-in is locked."""
    with pytest.raises(RateLimited) as refused:
        await a_log_in(email, password, address=address)
    assert refused.value.meta == {"code": "LOGIN_BLOQUEADO"}
    assert refused.value.retry_after is not None
    return refused.value.retry_after


@pytest.mark.usefixtures("clean_slate")
async def test_five_failures_in_a_row_lock_for_fifteen_minutes_also_for_the_right_password(
    clock: Clock,
) -> None:
    account = await an_account()
    await fails(account["email"], times=5)

    assert await seconds_locked(account["email"]) == 15 * 60
    clock.at = START + timedelta(minutes=14, seconds=58.5)
    assert await seconds_locked(account["email"]) == 2
    assert not await Session.exists()

    clock.at = START + timedelta(minutes=15)
    assert (await a_log_in(account["email"]))["account"]["id"] == account["id"]


@pytest.mark.usefixtures("clean_slate")
async def test_an_address_that_nobody_has_is_locked_alike(clock: Clock) -> None:
    await fails("nobody@padaria.test", times=5)

    assert await seconds_locked("nobody@padaria.test") == 15 * 60


@pytest.mark.usefixtures("clean_slate")
async def test_a_locked_log_in_looks_at_no_password(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = await an_account()
    await fails(account["email"], times=5)
    looked_at: list[str] = []
    monkeypatch.setattr(passwords, "_fits", lambda password, _: looked_at.append(password))

    await seconds_locked(account["email"])

    assert looked_at == []


@pytest.mark.usefixtures("clean_slate")
async def test_attempts_during_the_lock_do_not_prolong_it(clock: Clock) -> None:
    account = await an_account()
    await fails(account["email"], times=5)
    clock.at = START + timedelta(minutes=10)
    assert await seconds_locked(account["email"], "not the password") == 5 * 60

    clock.at = START + LOCK

    assert (await a_log_in(account["email"]))["token"]


@pytest.mark.usefixtures("clean_slate")
async def test_after_a_lock_the_count_begins_anew(clock: Clock) -> None:
    account = await an_account()
    await fails(account["email"], times=5)
    clock.at = START + LOCK

    await fails(account["email"], times=5)

    assert await seconds_locked(account["email"]) == 15 * 60


@pytest.mark.usefixtures("clean_slate")
async def test_a_success_clears_the_count(clock: Clock) -> None:
    account = await an_account()
    await fails(account["email"], times=4)
    await a_log_in(account["email"])

    await fails(account["email"], times=4)

    assert (await a_log_in(account["email"]))["token"]


@pytest.mark.usefixtures("clean_slate")
async def test_the_fifth_attempt_is_still_looked_at(clock: Clock) -> None:
    account = await an_account()
    await fails(account["email"], times=MAX_FAILURES - 1)

    assert (await a_log_in(account["email"]))["token"]


@pytest.mark.usefixtures("clean_slate")
async def test_another_place_and_another_address_are_not_locked(clock: Clock) -> None:
    account, other = await an_account(), await an_account()
    await fails(account["email"], times=5)

    assert (await a_log_in(account["email"], address="203.0.113.8"))["token"]
    assert (await a_log_in(account["email"], address=None))["token"]
    assert (await a_log_in(other["email"]))["token"]
    await seconds_locked(account["email"])


@pytest.mark.usefixtures("clean_slate")
async def test_the_case_of_the_email_makes_no_new_count(clock: Clock) -> None:
    account = await an_account()
    await fails(account["email"].upper(), times=5)

    await seconds_locked(account["email"])


@pytest.mark.usefixtures("clean_slate")
async def test_whoever_has_an_ipv6_network_is_one_place(clock: Clock) -> None:
    account = await an_account()
    for last in range(5):
        await fails(account["email"], address=f"2001:db8:0:1::{last}")

    await seconds_locked(account["email"], address="2001:db8:0:1:ffff::1")
    assert (await a_log_in(account["email"], address="2001:db8:0:2::1"))["token"]


@pytest.mark.usefixtures("clean_slate")
async def test_the_same_ipv4_address_counts_once_however_it_is_spelt(clock: Clock) -> None:
    account = await an_account()
    await fails(account["email"], times=5, address="::ffff:203.0.113.7")

    await seconds_locked(account["email"], address="203.0.113.7")


@pytest.mark.usefixtures("clean_slate")
async def test_neither_email_nor_address_is_stored_with_the_count(clock: Clock) -> None:
    await fails("nobody@padaria.test")

    stored = await FailedLogIn.all()
    assert len(stored) == 2
    for failed in stored:
        assert len(failed.identity) == 32
        assert b"padaria" not in failed.identity
        assert ADDRESS.encode() not in failed.identity


# All e-mails from one place together


@pytest.fixture
def three_from_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = current().model_copy(update={"log_in_failures_per_address": 3})
    monkeypatch.setattr("core.organizations.sessions.locks.current", lambda: settings)


@pytest.mark.usefixtures("clean_slate", "three_from_a_place")
async def test_failures_of_one_place_lock_it_whoever_they_name(clock: Clock) -> None:
    account = await an_account()
    for number in range(3):
        await fails(f"guess{number}@padaria.test")

    clock.at = START + timedelta(minutes=5)
    assert await seconds_locked(account["email"]) == 10 * 60
    assert await seconds_locked("nobody@padaria.test") == 10 * 60
    assert (await a_log_in(account["email"], address="203.0.113.8"))["token"]
    assert (await a_log_in(account["email"], address=None))["token"]

    clock.at = START + LOCK
    assert (await a_log_in(account["email"]))["token"]


@pytest.mark.usefixtures("clean_slate", "three_from_a_place")
async def test_a_locked_place_counts_against_nobodys_email(clock: Clock) -> None:
    account = await an_account()
    for number in range(3):
        await fails(f"guess{number}@padaria.test")
    for _ in range(MAX_FAILURES):
        await seconds_locked(account["email"])

    clock.at = START + LOCK
    assert (await a_log_in(account["email"]))["token"]


@pytest.mark.usefixtures("clean_slate", "three_from_a_place")
async def test_a_log_in_of_ones_own_does_not_clear_the_count_of_its_place(clock: Clock) -> None:
    account, other = await an_account(), await an_account()
    await fails("guess1@padaria.test")
    await fails("guess2@padaria.test")
    await a_log_in(account["email"])
    await fails("guess3@padaria.test")

    await seconds_locked(other["email"])


@pytest.mark.usefixtures("clean_slate", "three_from_a_place")
async def test_log_ins_that_succeed_lock_no_place(clock: Clock) -> None:
    account = await an_account()
    for _ in range(5):
        await a_log_in(account["email"])

    assert not await FailedLogIn.exists()


@pytest.mark.usefixtures("clean_slate", "three_from_a_place")
async def test_behind_a_socket_file_nobody_locks_everybody(clock: Clock) -> None:
    account = await an_account()
    for number in range(4):
        await fails(f"guess{number}@padaria.test", address=None)

    assert (await a_log_in(account["email"], address=None))["token"]


@pytest.mark.usefixtures("real_commits")
async def test_of_ten_guesses_at_once_all_count_and_only_five_are_looked_at() -> None:
    account = await an_account()

    answers = await asyncio.gather(
        *(outside(a_log_in(account["email"], "not the password")) for _ in range(10)),
        return_exceptions=True,
    )

    assert [type(answer).code for answer in answers if isinstance(answer, Unauthorized)] == [
        "UNAUTHORIZED"
    ] * 5
    assert len([answer for answer in answers if isinstance(answer, RateLimited)]) == 5
    assert [failed.failures for failed in await FailedLogIn.all()] == [10, 10]
    assert await FailedLogIn.filter(locked_until__isnull=False).count() == 2
    await seconds_locked(account["email"])


@pytest.mark.usefixtures("real_commits")
async def test_a_failure_is_there_after_its_request_was_refused() -> None:
    await fails("nobody@padaria.test")

    assert [failed.failures for failed in await FailedLogIn.all()] == [1, 1]
