"""From a bearer token to its caller: what is let in, what is not, and for how long a look is
trusted.
"""

from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest

from core import organizations
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Unauthorized
from core.foundation.security.caller import KEY_SCOPES, Env, Scope, with_implied
from core.foundation.security.secrets import new_api_key, new_session_token
from core.organizations import (
    ApiKey,
    Organization,
    OrganizationStatus,
    authenticate,
    clear_credential_cache,
    is_stale_credential,
    renew_credentials,
)
from core.organizations.authenticate import CREDENTIAL_TTL
from tests.factories.organizations import a_key

pytestmark = pytest.mark.usefixtures("clean_slate")

# The package exports the use case under the name of its file.
authentication = import_module("core.organizations.authenticate")


class Looks:
    """Counts the queries for keys."""

    def __init__(self) -> None:
        self.count = 0
        self._fetchrow = db.fetchrow

    async def fetchrow(self, sql: str, *values: Any) -> Any:
        self.count += "api_keys" in sql
        return await self._fetchrow(sql, *values)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    looks = Looks()
    monkeypatch.setattr(db, "fetchrow", looks.fetchrow)
    return looks


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    clear_credential_cache()
    monkeypatch.setattr(authentication, "time", clock)
    yield clock
    clear_credential_cache()


async def refusal(token: str | None) -> str:
    """The `meta.motivo` of the refusal."""
    with pytest.raises(Unauthorized) as refused:
        await authenticate(token, request_id="req_1")
    assert set(refused.value.meta) == {"motivo"}
    assert not token or token not in refused.value.detail
    return str(refused.value.meta["motivo"])


# What opens


@pytest.mark.parametrize("env", ["live", "test"])
async def test_a_key_stands_for_its_organization_environment_and_owner(env: Env) -> None:
    key = await a_key(env, scopes=frozenset({Scope.SMS_SEND}))
    stored = await ApiKey.get(env=env)

    caller = await authenticate(key, request_id="req_1")

    assert (caller.organization_id, caller.env, caller.kind) == (stored.organization_id, env, "key")
    assert (caller.credential_id, caller.account_id) == (stored.id, stored.created_by_id)
    assert caller.scopes == {Scope.SMS_SEND}
    assert caller.request_id == "req_1"


async def test_a_key_holds_what_its_scopes_imply() -> None:
    caller = await authenticate(
        await a_key(scopes=frozenset({Scope.MESSAGES_READ})), request_id=None
    )

    assert caller.scopes == with_implied(frozenset({Scope.MESSAGES_READ}))
    assert caller.may(Scope.NUMBERS_READ)


async def test_a_key_with_every_scope_holds_none_of_the_sessions() -> None:
    caller = await authenticate(await a_key(scopes=KEY_SCOPES), request_id=None)

    assert caller.scopes == KEY_SCOPES


# What does not


@pytest.mark.parametrize("token", [None, ""])
async def test_no_token_is_told_apart_from_a_wrong_one(token: str | None, looks: Looks) -> None:
    assert await refusal(token) == "ausente"
    assert looks.count == 0


async def test_a_typo_is_refused_without_a_query(looks: Looks) -> None:
    key = await a_key()
    other = "A" if key[20] != "A" else "B"

    for typo in (
        f"{key[:20]}{other}{key[21:]}",
        key[:-1],
        key + "A",
        key.replace("_test_", "_live_"),
        f" {key}",
    ):
        assert await refusal(typo) == "invalida"

    assert looks.count == 0


@pytest.mark.parametrize(
    "token", ["x", "svc_test_", "Bearer x", "é" * 51, "\x00", "' OR 1=1 --", "x" * 100_000]
)
async def test_what_is_no_key_is_refused_without_a_query(token: str, looks: Looks) -> None:
    assert await refusal(token) == "invalida"
    assert looks.count == 0


async def test_an_unknown_session_is_refused() -> None:
    assert await refusal(new_session_token()) == "invalida"


async def test_an_unknown_key_is_refused() -> None:
    await a_key()

    assert await refusal(new_api_key("test")) == "invalida"


async def test_the_shown_beginning_and_the_hash_open_nothing() -> None:
    await a_key()
    stored = await ApiKey.get()

    assert await refusal(stored.prefix) == "invalida"
    assert await refusal(stored.key_hash.hex()) == "invalida"


async def test_a_revoked_key_is_refused() -> None:
    key = await a_key()
    id = (await ApiKey.get()).id
    await organizations.revoke_key(await organizations.owner_of_key(id), id)

    assert await refusal(key) == "revogada"


@pytest.mark.parametrize(("seconds", "expired"), [(-1, True), (60, False)])
async def test_a_key_ends_with_its_time(seconds: int, expired: bool) -> None:
    key = await a_key()
    await ApiKey.all().update(expires_at=now() + timedelta(seconds=seconds))

    if expired:
        assert await refusal(key) == "expirada"
        assert await refusal(key) == "expirada"
    else:
        assert (await authenticate(key, request_id=None)).env == "test"


async def test_a_key_expires_while_it_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    key = await a_key()
    await ApiKey.all().update(expires_at=now() + timedelta(minutes=1))
    await authenticate(key, request_id=None)

    monkeypatch.setattr(authentication, "real_now", lambda: now() + timedelta(minutes=1))

    assert await refusal(key) == "expirada"


async def test_a_suspended_organizations_key_is_refused_until_it_is_active_again() -> None:
    key = await a_key()
    await Organization.all().update(status=OrganizationStatus.SUSPENDED)
    assert await refusal(key) == "revogada"

    await Organization.all().update(status=OrganizationStatus.ACTIVE)
    assert (await authenticate(key, request_id=None)).env == "test"


# From where


async def a_key_for(*networks: str) -> str:
    key = await a_key()
    await ApiKey.all().update(ips=list(networks))
    return key


async def refusal_at(key: str, address: str | None) -> str:
    with pytest.raises(Unauthorized) as refused:
        await authenticate(key, request_id=None, address=address)
    assert not address or address not in refused.value.detail
    return str(refused.value.meta["motivo"])


async def test_a_key_without_a_list_is_used_from_anywhere() -> None:
    key = await a_key()

    for address in ("203.0.113.7", "2001:db8::1", None):
        assert (await authenticate(key, request_id=None, address=address)).env == "test"


@pytest.mark.parametrize(
    "address", ["203.0.113.0", "203.0.113.255", "::ffff:203.0.113.7", "198.51.100.9", "2001:db8::9"]
)
async def test_a_key_with_a_list_is_used_from_its_networks(address: str) -> None:
    key = await a_key_for("203.0.113.0/24", "198.51.100.9", "2001:db8::/32")

    assert (await authenticate(key, request_id=None, address=address)).env == "test"


@pytest.mark.parametrize(
    "address", ["203.0.114.0", "198.51.100.8", "2001:db9::1", "::1", "", "unknown", None]
)
async def test_and_from_nowhere_else(address: str | None) -> None:
    key = await a_key_for("203.0.113.0/24", "198.51.100.9", "2001:db8::/32")

    assert await refusal_at(key, address) == "ip_nao_permitido"


async def test_a_remembered_key_is_still_asked_from_where(looks: Looks) -> None:
    key = await a_key_for("203.0.113.0/24")
    for _ in range(2):
        await authenticate(key, request_id=None, address="203.0.113.7")
        assert await refusal_at(key, "203.0.114.7") == "ip_nao_permitido"

    assert looks.count == 1


async def test_a_list_holds_within_two_seconds(clock: Clock) -> None:
    key = await a_key()
    await authenticate(key, request_id=None, address="203.0.114.7")
    await ApiKey.all().update(ips=["203.0.113.0/24"])

    clock.seconds += 2.0

    assert await refusal_at(key, "203.0.114.7") == "ip_nao_permitido"


async def test_a_revoked_key_is_revoked_wherever_it_is_used() -> None:
    key = await a_key_for("203.0.113.0/24")
    await ApiKey.all().update(revoked_at=now())

    assert await refusal_at(key, "203.0.114.7") == "revogada"


async def test_a_replaced_key_that_reached_its_end_has_expired() -> None:
    key = await a_key()
    await ApiKey.all().update(
        replaced_by_id="key_of_its_successor", expires_at=now() - timedelta(seconds=1)
    )

    assert await refusal(key) == "expirada"


async def test_a_key_outlives_the_suspension_of_who_issued_it() -> None:
    key = await a_key()
    await organizations.Account.all().update(status=organizations.AccountStatus.SUSPENDED)

    assert (await authenticate(key, request_id=None)).kind == "key"


# For how long a look is trusted


async def test_a_key_is_looked_up_once_while_it_is_remembered(looks: Looks, clock: Clock) -> None:
    key = await a_key()
    for _ in range(3):
        await authenticate(key, request_id=None)
    clock.seconds += CREDENTIAL_TTL - 0.001
    await authenticate(key, request_id=None)

    assert looks.count == 1


async def test_every_request_keeps_its_own_id(looks: Looks) -> None:
    key = await a_key()

    ids = [(await authenticate(key, request_id=id)).request_id for id in ("req_1", "req_2", None)]

    assert ids == ["req_1", "req_2", None]
    assert looks.count == 1


async def test_another_process_sees_a_revocation_within_two_seconds(clock: Clock) -> None:
    key = await a_key()
    await authenticate(key, request_id=None)
    await ApiKey.all().update(revoked_at=now())  # by another process: nothing here is told

    await authenticate(key, request_id=None)
    clock.seconds += 2.0

    assert await refusal(key) == "revogada"
    assert CREDENTIAL_TTL <= 2.0


async def test_another_process_sees_a_suspension_within_two_seconds(clock: Clock) -> None:
    key = await a_key()
    await authenticate(key, request_id=None)
    await Organization.all().update(status=OrganizationStatus.SUSPENDED)

    clock.seconds += 2.0

    assert await refusal(key) == "revogada"


async def test_what_is_forgotten_is_looked_up_again(looks: Looks) -> None:
    key = await a_key()
    await authenticate(key, request_id=None)
    await ApiKey.all().update(revoked_at=now())
    clear_credential_cache()

    assert await refusal(key) == "revogada"
    assert looks.count == 2


async def test_a_refusal_is_not_remembered(looks: Looks) -> None:
    key = await a_key()
    await ApiKey.all().update(revoked_at=now())
    assert await refusal(key) == "revogada"
    await ApiKey.all().update(revoked_at=None)

    assert (await authenticate(key, request_id=None)).env == "test"
    assert looks.count == 2


async def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    keys = [await a_key() for _ in range(9)]
    await authenticate(keys[0], request_id=None)
    monkeypatch.setattr(authentication._known, "max_bytes", 5 * authentication._known.bytes_held)
    for key in keys:
        await authenticate(key, request_id=None)

    assert 1 <= len(authentication._known) <= 5
    assert {(await authenticate(key, request_id=None)).env for key in keys} == {"test"}


async def test_the_memory_holds_no_key(clock: Clock) -> None:
    key = await a_key()
    await authenticate(key, request_id=None)

    assert key not in repr(authentication._known)
    assert key.encode() not in authentication._known


# Many at once


async def test_many_are_read_together_and_those_that_hold_need_no_look_of_their_own(
    looks: Looks, clock: Clock
) -> None:
    keys = [await a_key() for _ in range(20)]
    await renew_credentials([*keys, None, "nonsense", new_api_key("test")])
    assert not any(map(is_stale_credential, [*keys, None, "nonsense"]))
    for key in keys:
        assert (await authenticate(key, request_id=None)).env == "test"
    assert looks.count == 0

    clock.seconds += CREDENTIAL_TTL
    assert all(map(is_stale_credential, keys))
    assert (await authenticate(keys[0], request_id=None)).env == "test"
    assert looks.count == 1


async def test_who_was_read_a_moment_ago_is_not_read_again_and_who_soon_will_be_is(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    older, newer = await a_key(), await a_key()
    await renew_credentials([older])
    clock.seconds += CREDENTIAL_TTL / 2
    await renew_credentials([newer])
    read: list[int] = []
    fetch = db.fetch

    async def noted(sql: str, digests: list[bytes]) -> Any:
        read.append(len(digests))
        return await fetch(sql, digests)

    monkeypatch.setattr(db, "fetch", noted)
    await renew_credentials([older, newer])
    await renew_credentials([older, newer])

    assert read == [1]


async def test_of_those_that_do_not_hold_nothing_is_remembered(clock: Clock) -> None:
    holds, revoked, gone = [await a_key() for _ in range(3)]
    await renew_credentials([holds, revoked, gone])
    await ApiKey.filter(key_hash=authentication._digest_of(revoked)).update(revoked_at=now())
    await ApiKey.filter(key_hash=authentication._digest_of(gone)).delete()
    assert (await authenticate(revoked, request_id=None)).env == "test", "it is remembered"

    clock.seconds += CREDENTIAL_TTL / 2
    await renew_credentials([holds, revoked, gone])

    assert [is_stale_credential(key) for key in (holds, revoked, gone)] == [False, True, True]
    assert [await refusal(revoked), await refusal(gone)] == ["revogada", "invalida"]
