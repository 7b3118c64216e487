"""Seeded data over REST: every page of it is what the document promises."""

from typing import Any

import httpx
import pytest

from core.foundation.database import db
from core.foundation.security.caller import KEY_SCOPES
from tests.factories.organizations import a_caller, a_key
from tests.factories.seeding import AS_OF, a_seed

pytestmark = pytest.mark.slow

EVENTS: dict[str, str | int] = {"from": "2025-01-01T00:00:00Z", "to": AS_OF.isoformat()}


LISTS: list[tuple[str, dict[str, str | int], int]] = [
    ("/v2/sms/messages", {}, 600),
    ("/v2/sms/replies", {}, 1),
    ("/contacts", {}, 150),
    ("/v2/lists", {}, 8),
    ("/v2/segments", {}, 8),
    ("/v2/events", EVENTS, 15),
    ("/v2/wallet/transactions", {}, 1_000),
    ("/v2/audit", {}, 5),
]


async def test_lists_of_seeded_data_are_read_to_their_end(rest: httpx.AsyncClient) -> None:
    caller = await a_caller()
    await a_seed(caller, contacts=150, companies=20, messages=600, deals=40)
    headers = {
        "Authorization": f"Bearer {await a_key(scopes=KEY_SCOPES, organization_id=caller.organization_id)}"
    }

    for path, query, at_least in LISTS:
        seen = await ids_of_all_pages(rest, path, {**query, "limit": 100}, headers)
        assert len(set(seen)) == len(seen) >= at_least, path


async def ids_of_all_pages(
    rest: httpx.AsyncClient, path: str, query: dict[str, str | int], headers: dict[str, str]
) -> list[str]:
    seen: list[str] = []
    while True:
        answer = await rest.get(path, params=query, headers=headers)
        assert answer.status_code == 200, path
        page = answer.json()
        seen += [item["id"] for item in page["items"]]
        if "nextCursor" not in page and len(seen) >= page.get("total", 0):
            return seen
        query |= {"cursor": page["nextCursor"]} if "nextCursor" in page else {"skip": len(seen)}


async def test_contacts_of_seeded_lists_are_found_and_say_where_they_work(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_caller()
    await a_seed(caller, contacts=150, companies=20)
    headers = {
        "Authorization": f"Bearer {await a_key(scopes=KEY_SCOPES, organization_id=caller.organization_id)}"
    }

    async def page_of(path: str, **query: str | int) -> dict[str, Any]:
        answer = await rest.get(path, params=query, headers=headers)
        assert answer.status_code == 200
        page: dict[str, Any] = answer.json()
        return page

    for one in (await page_of("/v2/lists"))["items"]:
        assert (await page_of("/contacts", listId=one["id"], limit=1))["total"] == one["size"]
    people = (await page_of("/contacts", limit=100))["items"]
    assert any("companyId" in person and "papelNaEmpresa" in person for person in people)


async def test_seeded_pipelines_count_their_deals(rest: httpx.AsyncClient) -> None:
    caller = await a_caller()
    await a_seed(caller, contacts=100, companies=20, deals=80)
    headers = {
        "Authorization": f"Bearer {await a_key(scopes=KEY_SCOPES, organization_id=caller.organization_id)}"
    }

    listed = (await rest.get("/pipelines", params={"contagem": "true"}, headers=headers)).json()
    assert sum(listed["cardCounts"].values()) == 80

    totals = {"abertos": 0, "ganhos": 0, "perdidos": 0}
    for pipeline in listed["items"]:
        shown = (await rest.get(f"/pipelines/{pipeline['id']}", headers=headers)).json()
        assert shown["etapas"] == pipeline["etapas"]
        period = {"de": "2024-06-01T00:00:00Z", "ate": AS_OF.isoformat()}
        summary = await rest.get(
            f"/pipelines/{pipeline['id']}/resumo", params=period, headers=headers
        )
        assert summary.status_code == 200
        for name in totals:
            totals[name] += summary.json()["totais"][name]
    assert sum(totals.values()) == 80
    assert all(totals.values())


async def test_the_links_of_seeded_messages_were_followed(rest: httpx.AsyncClient) -> None:
    caller = await a_caller()
    await a_seed(caller, messages=2_000)
    headers = {
        "Authorization": f"Bearer {await a_key(scopes=KEY_SCOPES, organization_id=caller.organization_id)}"
    }
    row = await db.fetchrow("SELECT message_id, clicks FROM short_links WHERE clicks > 0 LIMIT 1")
    assert row is not None

    answer = await rest.get("/v2/links", params={"messageId": row["message_id"]}, headers=headers)

    assert [item["clicks"] for item in answer.json()["items"]] == [row["clicks"]]


async def test_the_proof_of_a_seeded_day_holds(rest: httpx.AsyncClient) -> None:
    caller = await a_caller()
    await a_seed(caller, messages=300)
    headers = {"Authorization": f"Bearer {await a_key(organization_id=caller.organization_id)}"}

    answer = await rest.get("/v2/wallet/conferencia", params={"dia": "2025-06-10"}, headers=headers)

    assert answer.json()["confere"] is True
    assert any(side["entradasCoins"] for side in answer.json()["contas"])
