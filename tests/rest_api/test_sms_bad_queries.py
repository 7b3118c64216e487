"""GET /v2/sms/messages with parameters that cannot be read, and ids that are none."""

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from core.foundation.security.caller import Caller
from rest_api.sms.shapes import SmsPage
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
        ("limit=-1", [("limit", "too_small")]),
        ("limit=0", [("limit", "too_small")]),
        ("limit=abc", [("limit", "wrong_type")]),
        ("limit=1.5", [("limit", "wrong_type")]),
        ("limit=", [("limit", "wrong_type")]),
        ("limit=1e3", [("limit", "wrong_type")]),
        (f"limit={'9' * 5000}", [("limit", "too_large")]),
        ("skip=-1", [("skip", "too_small")]),
        ("skip=abc", [("skip", "wrong_type")]),
        ("skip=9007199254740992", [("skip", "too_large")]),
        ("skip=9223372036854775808", [("skip", "too_large")]),
        ("status=SEGREDO", [("status", "not_allowed")]),
        ("status=Sent", [("status", "not_allowed")]),
        ("status=", [("status", "not_allowed")]),
        ("region=SEGREDO", [("region", "not_allowed")]),
        ("phone=SEGREDO", [("phone", "invalid_phone")]),
        ("phone=", [("phone", "invalid_phone")]),
        (f"phone={quote('+5521*****0005')}", [("phone", "VALOR_MASCARADO")]),
        ("from=2026", [("from", "wrong_format")]),
        ("from=SEGREDO", [("from", "wrong_format")]),
        ("from=2026-13-01T00:00:00Z", [("from", "wrong_format")]),
        ("from=2026-02-30T00:00:00Z", [("from", "wrong_format")]),
        ("to=2026-01-01T25:00:00Z", [("to", "wrong_format")]),
        ("to=", [("to", "wrong_format")]),
        ("to=yesterday", [("to", "wrong_format")]),
        (f"from={quote('0001-01-01T00:00:00+14:00')}", [("from", "out_of_range")]),
        (f"to={quote('9999-12-31T23:59:59-14:00')}", [("to", "out_of_range")]),
        ("cursor=SEGREDO", [("cursor", "wrong_format")]),
        ("cursor=", [("cursor", "wrong_format")]),
        ("contactId=a%00b", [("contactId", "nul")]),
        ("campaignId=%00", [("campaignId", "nul")]),
        ("cursor=%00", [("cursor", "nul")]),
        ("contactId=%FF", [("contactId", "not_utf8")]),
        ("contactId=SEGREDO%C3", [("contactId", "not_utf8")]),
        ("contactId=%ED%A0%80", [("contactId", "not_utf8")]),
        ("status=%FF&from=%FE", [("from", "not_utf8"), ("status", "not_utf8")]),
        (
            "limit=x&skip=-1&status=x&phone=x&from=x",
            [(name, None) for name in ("from", "limit", "phone", "skip", "status")],
        ),
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
        "limit=1000000000",
        "limit=200",
        "skip=0",
        "nope=1",
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
    assert len(SmsPage.model_validate(answer.json()).items) == 1


@pytest.mark.parametrize(
    "query", ["skip=9007199254740991", "skip=1", "contactId=%C3%A9", "contactId=é", "campaignId="]
)
async def test_a_page_beyond_the_end_or_a_filter_that_fits_nothing_is_empty(
    rest: httpx.AsyncClient, query: str
) -> None:
    answer = await get(rest, query)

    assert answer.status_code == 200
    assert answer.json()["items"] == []


async def test_pages_follow_each_other_by_their_cursor(rest: httpx.AsyncClient) -> None:
    caller, headers = await a_reader()
    for _ in range(4):
        await a_send(caller)

    seen, cursor = [], None
    while True:
        query = {"limit": "2", **({"cursor": cursor} if cursor else {})}
        page = SmsPage.model_validate((await rest.get(PATH, params=query, headers=headers)).json())
        seen += [item.id for item in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break

    assert len(seen) == len(set(seen)) == 5


# Ids ----------------------------------------------------------------------------------------------

IDS: list[Any] = [
    "x", "msg_", "msg_" + "0" * 21, "msg_" + "0" * 22, "wbh_" + "0" * 21, "m" * 5_000, "%00", "msg_%00", "a%00b",
    "%FF", "%ED%A0%80", "%C3%A9", "'%20OR%201=1", "%0A", "..%2f", "null", "-1", "*",
]  # fmt: skip
PATHS = ["/v2/sms/messages/{id}", "/webhooks/{id}"]


@pytest.mark.parametrize("id", IDS, ids=lambda value: str(value)[:20])
@pytest.mark.parametrize("path", PATHS)
async def test_an_id_that_is_none_is_404(rest: httpx.AsyncClient, path: str, id: str) -> None:
    _, headers = await a_reader()

    the_problem(await rest.get(path.replace("{id}", id), headers=headers), 404)


@pytest.mark.parametrize("id", IDS, ids=lambda value: str(value)[:20])
async def test_deleting_an_id_that_is_none_is_404(rest: httpx.AsyncClient, id: str) -> None:
    _, headers = await a_reader()

    the_problem(await rest.delete(f"/webhooks/{id}", headers=headers), 404)


async def test_a_message_of_another_organization_or_environment_is_404(
    rest: httpx.AsyncClient,
) -> None:
    owner = await a_caller()
    sent = await a_send(owner)
    stranger = await a_key()
    live = await a_key("live", organization_id=owner.organization_id)

    for key in (stranger, live):
        answer = await rest.get(f"{PATH}/{sent['id']}", headers={"Authorization": f"Bearer {key}"})
        the_problem(answer, 404)
        page = await rest.get(PATH, headers={"Authorization": f"Bearer {key}"})
        assert page.json() == {"items": [], "total": 0}
