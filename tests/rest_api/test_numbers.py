"""Numbers over REST: parsing, statuses, masks and shape."""

import httpx
import pytest

from core.foundation.security.caller import Caller, Scope
from core.numbers import Number
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller, a_key


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


@pytest.fixture
async def number(caller: Caller) -> Number:
    return await a_number(caller, phone="+5511987654321")


@pytest.fixture
async def headers(caller: Caller) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {await a_key('test', organization_id=caller.organization_id)}"
    }


async def test_a_number_is_listed_read_and_asked_how_it_fares(
    rest: httpx.AsyncClient, headers: dict[str, str], number: Number
) -> None:
    read = (await rest.get(f"/numbers/{number.id}", headers=headers)).json()
    listed = (
        await rest.get("/numbers?status=connected&qualityRating=green", headers=headers)
    ).json()
    health = (await rest.get(f"/numbers/{number.id}/health", headers=headers)).json()

    assert read["displayPhone"] == "+5511*****4321"
    assert listed == {"items": [read], "total": 1}
    assert (health["fonte"], health["podeEnviar"]) == ("ao_vivo", True)


async def test_usage_is_of_the_window_and_the_buckets_that_are_asked_for(
    rest: httpx.AsyncClient, headers: dict[str, str], number: Number
) -> None:
    usage = (await rest.get(f"/numbers/{number.id}/usage?window=7d", headers=headers)).json()
    series = (
        await rest.get(
            f"/numbers/{number.id}/usage/timeseries?window=7d&bucket=day", headers=headers
        )
    ).json()

    assert (usage["window"], usage["sent"], usage["marketingSent"]) == ("7d", 0, 0)
    assert (series["window"], series["bucket"], len(series["points"])) == ("7d", "day", 8)


async def test_what_cannot_be_read_falls_back_with_a_warning(
    rest: httpx.AsyncClient, headers: dict[str, str], number: Number
) -> None:
    usage = (await rest.get(f"/numbers/{number.id}/usage?window=1y", headers=headers)).json()
    series = (
        await rest.get(
            f"/numbers/{number.id}/usage/timeseries?window=1y&bucket=minute", headers=headers
        )
    ).json()
    listed = (await rest.get("/numbers?limit=many&skip=-1", headers=headers)).json()

    assert (usage["window"], usage["warnings"]) == ("24h", ["window_ignorado_invalido"])
    assert (series["window"], series["bucket"]) == ("24h", "hour")
    assert series["warnings"] == ["bucket_ignorado_invalido", "window_ignorado_invalido"]
    assert [one["id"] for one in listed["items"]] == [number.id]
    assert listed["warnings"] == ["limit_ignorado_invalido", "skip_ignorado_invalido"]
    assert (await rest.get("/numbers?cursor=x", headers=headers)).json() == {
        "items": [],
        "total": 0,
        "warnings": ["cursor_invalido"],
    }


async def test_keys_of_the_first_vocabulary_read_numbers_by_messages_read(
    rest: httpx.AsyncClient, caller: Caller, number: Number
) -> None:
    key = await a_key(
        "test", scopes=frozenset({Scope.MESSAGES_READ}), organization_id=caller.organization_id
    )
    answer = await rest.get(f"/numbers/{number.id}", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 200


async def test_the_platform_speaks_in_the_sandbox(
    rest: httpx.AsyncClient, headers: dict[str, str], number: Number
) -> None:
    path = f"/v2/sandbox/numbers/{number.id}/events"
    told = await rest.post(path, json={"tipo": "quality", "valor": "red"}, headers=headers)
    unfit = await rest.post(path, json={"tipo": "tier", "valor": "red"}, headers=headers)

    assert (told.status_code, told.json()["status"]) == (200, "flagged")
    assert told.json() == (await rest.get(f"/numbers/{number.id}", headers=headers)).json()
    assert (unfit.status_code, unfit.json()["errors"][0]["pointer"]) == (422, "/valor")
