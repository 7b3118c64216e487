"""GET /v2/sms/messages with parameters that cannot be read."""

from urllib.parse import quote

import httpx
import pytest

from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller, a_key
from tests.factories.sms import a_send
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields

PATH = "/v2/sms/messages"


async def a_reader() -> tuple[Caller, dict[str, str]]:
    """A caller with one message, and its headers."""
    caller = await a_caller()
    await a_send(caller)
    return caller, {
        "Authorization": f"Bearer {await a_key(organization_id=caller.organization_id)}"
    }


async def get(rest: httpx.AsyncClient, query: str) -> httpx.Response:
    _, headers = await a_reader()
    return await rest.get(f"{PATH}?{query}", headers=headers)


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("limit=", [("limit", "wrong_type")]),
        ("limit=1e3", [("limit", "wrong_type")]),
        (f"limit={'9' * 5000}", [("limit", "too_large")]),
        ("skip=9223372036854775808", [("skip", "too_large")]),
        ("status=Sent", [("status", "not_allowed")]),
        ("status=", [("status", "not_allowed")]),
        ("phone=", [("phone", "invalid_phone")]),
        ("from=2026-02-30T00:00:00Z", [("from", "wrong_format")]),
        ("to=2026-01-01T25:00:00Z", [("to", "wrong_format")]),
        ("to=", [("to", "wrong_format")]),
        (f"to={quote('9999-12-31T23:59:59-14:00')}", [("to", "out_of_range")]),
        ("cursor=", [("cursor", "wrong_format")]),
        ("contactId=SEGREDO%C3", [("contactId", "not_utf8")]),
        ("contactId=%ED%A0%80", [("contactId", "not_utf8")]),
        ("status=%FF&from=%FE", [("from", "not_utf8"), ("status", "not_utf8")]),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
async def test_a_wrong_parameter_is_named(
    rest: httpx.AsyncClient, query: str, wrong: list[tuple[str, str | None]]
) -> None:
    answer = await get(rest, query)

    told = wrong_fields(the_problem(answer, 422))
    assert [(kind, where) for kind, where, _ in told] == [("parameter", name) for name, _ in wrong]
    for (_, _, code), (name, expected) in zip(told, wrong, strict=True):
        assert expected is None or code == expected, name
    must_not_hold(answer, ["SEGREDO", "*****0005", "99999999"])


@pytest.mark.parametrize(
    "query",
    [
        "skip=0",
        "nope=%FF",
        "%FF=1",
        "nope=%00",
        "&&=&",
        "from=2020-01-01",
        "from=2020-01-01T00:00:00",
        "from=2020-01-01T00:00:00Z",
        f"from={quote('2020-01-01T00:00:00+03:00')}",
        "to=2999-01-01T00:00:00.123456Z",
        f"phone={quote('+5511987650005')}",
        "phone=+5511987650005",
        "phone=(11)%2098765-0005",
        "status=failed&status=sent",
    ],
)
async def test_what_can_be_read_is_taken_and_unknown_names_are_ignored(
    rest: httpx.AsyncClient, query: str
) -> None:
    answer = await get(rest, query)

    assert answer.status_code == 200, answer.text
    assert len(answer.json()["items"]) == 1


@pytest.mark.parametrize(
    "query", ["skip=9007199254740991", "skip=1", "contactId=%C3%A9", "contactId=é", "campaignId="]
)
async def test_a_page_beyond_the_end_or_a_filter_that_fits_nothing_is_empty(
    rest: httpx.AsyncClient, query: str
) -> None:
    answer = await get(rest, query)

    assert answer.status_code == 200
    assert answer.json()["items"] == []
