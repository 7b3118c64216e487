"""What a credential learns of itself."""

from datetime import timedelta

import httpx
import pytest

from core import organizations
from core.foundation.clock import now, wire_time
from core.foundation.security.caller import Scope
from core.organizations import Account, ApiKey
from core.organizations.models import Session
from core.organizations.session_lifetime import MAX_LIFETIME
from tests.factories.accounts import a_log_in, an_account
from tests.factories.organizations import a_key

pytestmark = pytest.mark.usefixtures("at_once")


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_a_key_learns_what_it_is(rest: httpx.AsyncClient) -> None:
    key = await a_key("live", scopes=frozenset({Scope.SMS_READ, Scope.SMS_SEND}))
    stored = await ApiKey.get()
    await organizations.set_limits(stored.organization_id, "live", sms_per_second=7)

    me = (await rest.get("/v2/me", headers=bearing(key))).json()

    assert me["organization"] == {"id": stored.organization_id, "nome": "An organization"}
    assert (me["env"], me["scopes"], me["expiresAt"]) == ("live", ["sms:read", "sms:send"], None)
    assert me["limits"] == {"smsPerSecond": 7, "graphqlCost": 100_000}
    assert me["credential"] == {"id": stored.id, "kind": "key", "nome": "test", "prefixo": key[:12]}
    assert (me["account"]["id"], me["account"]["role"]) == (stored.created_by_id, "owner")


async def test_a_key_without_any_other_scope_may_ask(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    await ApiKey.all().update(scopes=[])

    answer = await rest.get("/v2/me", headers=bearing(key))

    assert (answer.status_code, answer.json()["scopes"]) == (200, [])


async def test_a_key_learns_when_it_ends(rest: httpx.AsyncClient) -> None:
    ends = now() + timedelta(days=3)
    key = await a_key()
    await ApiKey.all().update(expires_at=ends)

    assert (await rest.get("/v2/me", headers=bearing(key))).json()["expiresAt"] == wire_time(ends)


@pytest.mark.parametrize(
    ("scope", "shown"),
    [(Scope.PII_FULL, "ana@padaria.test"), (Scope.SMS_READ, "a***@padaria.test")],
)
async def test_a_key_sees_whose_it_is_and_the_email_only_with_pii_full(
    rest: httpx.AsyncClient, scope: Scope, shown: str
) -> None:
    key = await a_key(scopes=frozenset({scope}))
    await Account.all().update(email="ana@padaria.test")

    assert (await rest.get("/v2/me", headers=bearing(key))).json()["account"]["email"] == shown


@pytest.mark.parametrize("role", ["owner", "operator"])
async def test_a_session_learns_what_it_is_and_sees_its_own_email(
    rest: httpx.AsyncClient, role: str
) -> None:
    account = await an_account(role=role)
    opened = await a_log_in(account["email"], env="test")
    session = await Session.get()

    me = (await rest.get("/v2/me", headers=bearing(opened["token"]))).json()

    assert me["organization"] == {"id": account["organizationId"], "nome": "Padaria"}
    assert me["env"] == "test"
    assert me["account"] == account
    assert me["credential"] == {"id": session.id, "kind": "session"}
    assert ("keys:manage" in me["scopes"]) is (role == "owner")


async def test_the_end_of_a_session_moves_on_and_never_past_its_seven_days(
    rest: httpx.AsyncClient,
) -> None:
    account = await an_account()
    opened = await a_log_in(account["email"])
    first = (await rest.get("/v2/me", headers=bearing(opened["token"]))).json()["expiresAt"]
    assert first >= opened["expiresAt"]

    opened_at = now() - MAX_LIFETIME + timedelta(hours=1)
    await Session.all().update(created_at=opened_at)
    last = (await rest.get("/v2/me", headers=bearing(opened["token"]))).json()["expiresAt"]

    assert last == wire_time(opened_at + MAX_LIFETIME)
