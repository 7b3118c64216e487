"""Seeded data over REST: every page of it is what the document promises."""

import httpx
import pytest

from core.foundation.caller import KEY_SCOPES
from tests.factories.organizations import a_caller, a_key
from tests.factories.seeding import a_seed


@pytest.mark.parametrize(
    ("path", "at_least"),
    [
        ("/v2/sms/messages", 600),
        ("/v2/sms/replies", 1),
        ("/contacts", 150),
        ("/v2/wallet/transactions", 1_000),
        ("/v2/audit", 2),
    ],
)
async def test_lists_of_seeded_data_are_read_to_their_end(rest: httpx.AsyncClient, path: str, at_least: int) -> None:
    caller = await a_caller()
    await a_seed(caller, contacts=150, messages=600)
    headers = {"Authorization": f"Bearer {await a_key(scopes=KEY_SCOPES, organization_id=caller.organization_id)}"}

    seen: list[str] = []
    query: dict[str, str | int] = {"limit": 200}
    while True:
        answer = await rest.get(path, params=query, headers=headers)
        assert answer.status_code == 200
        page = answer.json()
        seen += [item["id"] for item in page["items"]]
        if "nextCursor" not in page and len(seen) >= page.get("total", 0):
            break
        query |= {"cursor": page["nextCursor"]} if "nextCursor" in page else {"skip": len(seen)}

    assert len(set(seen)) == len(seen) >= at_least


async def test_the_proof_of_a_seeded_day_holds(rest: httpx.AsyncClient) -> None:
    caller = await a_caller()
    await a_seed(caller, messages=300)
    headers = {"Authorization": f"Bearer {await a_key(organization_id=caller.organization_id)}"}

    answer = await rest.get("/v2/wallet/conferencia", params={"dia": "2025-06-10"}, headers=headers)

    assert answer.json()["confere"] is True
    assert any(side["entradasCoins"] for side in answer.json()["contas"])
