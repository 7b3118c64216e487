"""Subscriptions over REST: statuses, shapes, what is refused, and what a list does with odd
parameters.
"""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from core.foundation.security.caller import KEY_SCOPES, Caller
from core.webhooks import RevokedReason, WebhookSubscription
from tests.factories.organizations import a_caller, a_key
from tests.factories.webhooks import a_subscription
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields
from tests.support.stored import nothing_stored

PATH = "/webhooks"
GOOD = {"url": "https://example.com/hooks", "events": ["sms.delivered"]}
SECRET = "SEGREDO-4711"
AT, WIRE = datetime(2026, 11, 21, 3, tzinfo=UTC), "2026-11-21T03:00:00.000Z"


async def key_of(caller: Caller) -> dict[str, str]:
    key = await a_key(organization_id=caller.organization_id, scopes=KEY_SCOPES)
    return {"Authorization": f"Bearer {key}"}


async def a_reader(subscriptions: int = 1) -> tuple[Caller, dict[str, str], list[str]]:
    """A caller, its headers and the ids of its subscriptions."""
    caller = await a_caller()
    ids = [(await a_subscription(caller))["webhook"]["id"] for _ in range(subscriptions)]
    return caller, await key_of(caller), ids


# Subscribing --------------------------------------------------------------------------------------


async def test_a_subscription_is_201_with_its_secret_and_read_back_without(
    rest: httpx.AsyncClient,
) -> None:
    headers = await key_of(await a_caller())

    answer = await rest.post(
        PATH, json={**GOOD, "headers": [{"key": "X-Shop", "value": SECRET}]}, headers=headers
    )
    new = answer.json()
    read = await rest.get(f"{PATH}/{new['webhook']['id']}", headers=headers)

    assert answer.status_code == 201
    assert read.json() == new["webhook"]
    assert new["reveal"]["id"] == new["webhook"]["id"]
    assert new["reveal"]["secret"].startswith("whsec_")
    must_not_hold(read, [new["reveal"]["secret"]])
    must_not_hold(answer, [SECRET])


async def test_all_wrong_fields_are_named_at_once(rest: httpx.AsyncClient) -> None:
    headers = await key_of(await a_caller())
    wrong = {
        "url": "https://127.0.0.1:22/",
        "events": ["nope"],
        "headers": [{"key": "X-A", "value": "x"}, {"key": "Host", "value": "é"}],
        "retry": {"maxAttempts": 0, "backoffSeconds": 1},
        "nope": 1,
    }

    async with nothing_stored():
        answer = await rest.post(PATH, json=wrong, headers=headers)

    assert [where for _, where, _ in wrong_fields(the_problem(answer, 422))] == [
        "/events/0",
        "/headers/1/key",
        "/headers/1/value",
        "/nope",
        "/retry/backoffSeconds",
        "/retry/maxAttempts",
        "/url",
    ]


# The list -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "warnings"),
    [
        ("limit=", ["limit_ignorado_invalido"]),
        ("limit=%FF", ["limit_ignorado_invalido"]),
        ("limit=%00", ["limit_ignorado_invalido"]),
        (
            "limit=1&limit=x",
            ["limit_ignorado_invalido", "parametro_repetido: limit, vale o ultimo"],
        ),
    ],
)
async def test_a_number_that_is_none_falls_back_to_the_default_with_a_warning(
    rest: httpx.AsyncClient, query: str, warnings: list[str]
) -> None:
    _, headers, _ = await a_reader(2)

    answer = await rest.get(f"{PATH}?{query}", headers=headers)

    page = answer.json()
    assert (len(page["items"]), page["total"], page.get("warnings")) == (2, 2, warnings)


@pytest.mark.parametrize(
    "query",
    ["status=nope", "status=", "status=%00", "status=%FF", "event=nope", "event=webhook.ping", "event=%00",
     "status=ACTIVE", "limit=abc&status=nope", "status=" + "x" * 5_000],
)  # fmt: skip
async def test_an_unknown_value_of_a_filter_matches_nothing(
    rest: httpx.AsyncClient, query: str
) -> None:
    _, headers, _ = await a_reader()

    answer = await rest.get(f"{PATH}?{query}", headers=headers)

    page = answer.json()
    assert (page["items"], page["total"]) == ([], 0)


@pytest.mark.parametrize("cursor", ["", "%00", "%FF", "e30"])
async def test_an_unreadable_cursor_is_an_empty_page_with_a_warning_and_never_page_one(
    rest: httpx.AsyncClient, cursor: str
) -> None:
    _, headers, _ = await a_reader()

    answer = await rest.get(f"{PATH}?cursor={cursor}", headers=headers)

    assert answer.json() == {"items": [], "total": 0, "warnings": ["cursor_invalido"]}


# One of them --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("standing", "told"),
    [
        (
            {"status": "failing", "failing_since": AT, "probe_at": AT, "failures_since": AT},
            {
                "failingSince": WIRE,
                "nextProbeAt": WIRE,
                "failuresSince": WIRE,
                "revokesAt": "2026-11-26T03:00:00.000Z",
            },
        ),
        *(
            ({"status": "revoked", "revoked_reason": reason}, {"revokedReason": reason})
            for reason in RevokedReason
        ),
        ({"status": "active", "probe_at": AT}, {}),
        ({"status": "paused"}, {}),
    ],
    ids=["failing", *RevokedReason, "active with a backlog", "paused"],
)
async def test_the_record_says_why_it_stands_as_it_does(
    rest: httpx.AsyncClient, standing: dict[str, Any], told: dict[str, str]
) -> None:
    _, headers, (id,) = await a_reader()
    before = (await rest.get(f"{PATH}/{id}", headers=headers)).json()
    await WebhookSubscription.filter(id=id).update(**standing)

    read = (await rest.get(f"{PATH}/{id}", headers=headers)).json()

    assert read == {**before, "status": standing["status"], **told}
    assert (await rest.get(PATH, headers=headers)).json()["items"] == [read]
    changed = (
        await rest.patch(f"{PATH}/{id}", json={"description": "new"}, headers=headers)
    ).json()
    assert {**changed, "updatedAt": read["updatedAt"]} == {**read, "description": "new"}
