"""How long a session opens: idle, at most, and until somebody takes it away."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib import import_module

import orjson
import pytest

from core import organizations
from core.foundation.clock import now
from core.foundation.errors import Unauthorized
from core.organizations import (
    AccountChanges,
    Organization,
    Role,
    authenticate,
    clear_credential_cache,
    is_stale_credential,
    renew_credentials,
)
from core.organizations.last_use import note_use, write_last_uses
from core.organizations.models import Session
from core.organizations.roles import SCOPES_OF
from core.organizations.session_lifetime import IDLE, MAX_LIFETIME, end_of
from tests.factories.accounts import PASSWORD, a_log_in, a_session, an_account

pytestmark = pytest.mark.usefixtures("clean_slate", "at_once")

authentication = import_module("core.organizations.authenticate")

START = datetime.fromisoformat("2030-05-04T10:00:30+00:00")


class Clock:
    """Wall and monotonic clock of `authenticate`, set by hand. Uses are noted for the test to
    write.
    """

    def __init__(self) -> None:
        self.at = START
        self.noted: list[tuple[str, str, datetime]] = []

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()

    def note_use(self, kind: str, id: str, *, at: datetime) -> None:
        self.noted.append((kind, id, at))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    clear_credential_cache()
    monkeypatch.setattr(authentication, "real_now", clock.now)
    monkeypatch.setattr(authentication, "time", clock)
    monkeypatch.setattr(authentication, "note_use", clock.note_use)
    yield clock
    clear_credential_cache()


async def a_session_of(clock: Clock) -> str:
    """The token of a session that was opened at START."""
    token = await a_session()
    await Session.all().update(
        created_at=START, last_used_at=START, expires_at=end_of(START, used_at=START)
    )
    return token


async def uses(token: str) -> None:
    """One use, with what it writes."""
    caller = await authenticate(token, request_id=None)
    assert caller.credential_id is not None
    note_use("session", caller.credential_id, at=authentication.real_now())
    await write_last_uses()


async def motivo(token: str) -> str:
    with pytest.raises(Unauthorized) as refusal:
        await authenticate(token, request_id=None)
    return str(refusal.value.meta["motivo"])


def test_a_session_lives_twelve_hours_idle_and_seven_days_at_most() -> None:
    assert (timedelta(hours=12), timedelta(days=7)) == (IDLE, MAX_LIFETIME)
    assert end_of(START, used_at=START) == START + timedelta(hours=12)
    assert end_of(START, used_at=START + timedelta(days=1)) == START + timedelta(days=1, hours=12)
    assert end_of(START, used_at=START + timedelta(days=6, hours=20)) == START + timedelta(days=7)


async def test_nobody_used_it_for_twelve_hours(clock: Clock) -> None:
    token = await a_session_of(clock)
    clock.at = START + IDLE

    assert await motivo(token) == "expirada"
    assert await motivo(token) == "expirada"


async def test_each_use_moves_the_end_on_until_the_seven_days_are_over(clock: Clock) -> None:
    token = await a_session_of(clock)
    for hours in range(11, 7 * 24, 11):
        clock.at = START + timedelta(hours=hours)
        await uses(token)
    assert (await Session.get()).expires_at == START + MAX_LIFETIME

    clock.at = START + MAX_LIFETIME

    assert await motivo(token) == "expirada"


async def test_a_use_counts_before_its_row_is_written(clock: Clock) -> None:
    token = await a_session_of(clock)
    clock.at = START + IDLE - timedelta(seconds=1)
    await authenticate(token, request_id=None)

    clock.at += timedelta(seconds=1.5)

    assert (await authenticate(token, request_id=None)).kind == "session"


async def test_sessions_are_read_together_by_the_same_rules(clock: Clock) -> None:
    token, ended = await a_session_of(clock), await a_session()
    await Session.filter(token_hash=authentication._digest_of(ended)).update(ended_at=START)

    await renew_credentials([token, ended])

    assert [is_stale_credential(token), is_stale_credential(ended)] == [False, True]
    assert (await authenticate(token, request_id=None)).kind == "session"
    assert await motivo(ended) == "revogada"
    clock.at = START + IDLE
    await renew_credentials([token])
    assert await motivo(token) == "expirada"


async def test_a_session_that_expired_is_not_revived_by_a_late_note(clock: Clock) -> None:
    await a_session_of(clock)
    session = await Session.get()

    note_use("session", session.id, at=START + IDLE)
    await write_last_uses()

    assert (await Session.get()).expires_at == START + IDLE


async def test_a_session_that_was_ended_is_not_touched_by_a_late_note() -> None:
    await a_session()
    session = await Session.get()
    await Session.all().update(ended_at=now())

    note_use("session", session.id, at=now() + timedelta(hours=1))
    await write_last_uses()

    assert (await Session.get()).expires_at == session.expires_at


# Taken away: processes notice within two seconds


@pytest.mark.parametrize("status", ["suspended", "invited"])
async def test_the_sessions_of_an_account_that_is_not_active_stop_within_two_seconds(
    clock: Clock, status: str
) -> None:
    token = await a_session_of(clock)
    await authenticate(token, request_id=None)
    account_id = (await Session.get()).account_id
    await organizations.Account.filter(id=account_id).update(status=status)  # by another process

    clock.at += timedelta(seconds=1.9)
    await authenticate(token, request_id=None)
    clock.at += timedelta(seconds=0.1)

    assert await motivo(token) == "revogada"


async def test_a_suspended_organizations_sessions_stop(clock: Clock) -> None:
    token = await a_session_of(clock)
    await Organization.all().update(status="suspended")

    assert await motivo(token) == "revogada"


async def test_another_role_brings_its_scopes_within_two_seconds(clock: Clock) -> None:
    token = await a_session_of(clock)
    assert (await authenticate(token, request_id=None)).scopes == SCOPES_OF[Role.OWNER]
    await organizations.Account.all().update(role="operator")

    clock.at += timedelta(seconds=2)

    assert (await authenticate(token, request_id=None)).scopes == SCOPES_OF[Role.OPERATOR]


async def changed(account_id: str, **changes: str) -> None:
    await organizations.change_account(
        account_id, AccountChanges.model_validate_json(orjson.dumps(changes))
    )
    clear_credential_cache()


async def test_suspending_ends_the_sessions_for_good() -> None:
    account = await an_account()
    token = (await a_log_in(account["email"]))["token"]

    await changed(account["id"], status="suspended")
    assert await motivo(token) == "revogada"
    await changed(account["id"], status="active")

    assert await motivo(token) == "revogada"
    assert (await a_log_in(account["email"]))["account"]["id"] == account["id"]


async def test_a_new_password_ends_the_sessions() -> None:
    account = await an_account()
    token = (await a_log_in(account["email"]))["token"]

    await changed(account["id"], password="another password")

    assert await motivo(token) == "revogada"
    with pytest.raises(Unauthorized):
        await a_log_in(account["email"], PASSWORD)
    await a_log_in(account["email"], "another password")


async def test_a_new_role_ends_no_session() -> None:
    account = await an_account()
    token = (await a_log_in(account["email"]))["token"]

    await changed(account["id"], role="operator")

    assert (await authenticate(token, request_id=None)).account_id == account["id"]
