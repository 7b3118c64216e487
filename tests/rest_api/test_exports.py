"""The export over REST: its refusals and pages. (Every answer is also held to the OpenAPI
document.)
"""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from core.foundation.clock import now, wire_time
from core.foundation.security.caller import Scope
from tests.factories.stored_messages import stored_conversation
from tests.rest_api.problem_answers import the_problem, wrong_fields
from tests.rest_api.speaking import a_client, speak_as, speak_from_the_other_side

EXPORT = "/v2/exports/whatsapp"
DAY = timedelta(days=1)


def period(**more: Any) -> dict[str, Any]:
    return {"from": wire_time(now() - DAY), "to": wire_time(now() + DAY), **more}


async def test_pages_follow_each_other_until_the_cursor_is_null(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    made = [
        await stored_conversation(caller, now() + timedelta(seconds=place)) for place in range(3)
    ]
    asked = period(limit=2)

    first = (await rest.get(EXPORT, params=asked)).json()
    last = (await rest.get(EXPORT, params={**asked, "cursor": first["nextCursor"]})).json()

    assert [row["id"] for page in (first, last) for row in page["items"]] == made[::-1]
    assert last["nextCursor"] is None


async def test_whoever_may_not_see_people_gets_them_masked(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    await speak_as(
        rest, scopes=frozenset({Scope.MESSAGES_READ}), organization_id=caller.organization_id
    )
    await stored_conversation(caller, now())

    (row,) = (await rest.get(EXPORT, params=period())).json()["items"]

    assert row["to"] == "+5511*****0005"


async def test_a_cursor_of_the_sandbox_opens_nothing_in_production(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    for _ in range(2):
        await stored_conversation(caller, now())
    asked = period(limit=1)
    cursor = (await rest.get(EXPORT, params=asked)).json()["nextCursor"]

    await speak_from_the_other_side(rest, caller, "the other environment")
    answer = await rest.get(EXPORT, params={**asked, "cursor": cursor})

    assert wrong_fields(the_problem(answer, 422)) == [("parameter", "cursor", "wrong_format")]


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"from": "2026-01-01", "to": "2026-02-02"}, ("to", "too_large")),
        ({"from": "2026-01-02", "to": "2026-01-01"}, ("to", "too_small")),
        ({"limit": "0"}, ("limit", "too_small")),
        ({"limit": "1001"}, ("limit", "too_large")),
        ({"cursor": "x"}, ("cursor", "wrong_format")),
    ],
)
async def test_what_is_wrong_is_named(
    rest: httpx.AsyncClient, changes: dict[str, str], wrong: tuple[str, str]
) -> None:
    await a_client(rest)

    answer = await rest.get(EXPORT, params=period(**changes))

    assert wrong_fields(the_problem(answer, 422)) == [("parameter", *wrong)]
