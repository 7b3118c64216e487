"""The people of an organization over REST."""

import httpx

from core.foundation.security.caller import Scope
from core.organizations import ApiKey
from tests.factories.accounts import an_account
from tests.factories.organizations import a_key


async def test_accounts_are_listed_with_masked_emails(rest: httpx.AsyncClient) -> None:
    key = await a_key(scopes=frozenset({Scope.CRM_READ}))
    organization_id = (await ApiKey.get()).organization_id
    account = await an_account(organization_id, email="ana@padaria.test", role="operator")
    await an_account()

    answer = await rest.get("/v2/accounts", headers={"Authorization": f"Bearer {key}"})

    assert answer.status_code == 200
    assert answer.json()["total"] == 2
    owner, ana = answer.json()["items"]
    assert (owner["role"], owner["email"]) == ("owner", None)
    assert ana == {**account, "email": "a***@padaria.test"}
