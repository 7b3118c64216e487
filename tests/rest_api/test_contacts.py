"""Contacts over REST: statuses, shapes, masks and warnings. (Every answer is also held to the
OpenAPI document.)
"""

from typing import Any

import httpx
import pytest

from core.foundation.security.caller import KEY_SCOPES, Caller
from tests.factories.accounts import a_session
from tests.factories.organizations import a_caller, a_key
from tests.factories.stored_contacts import stored_contacts
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields

PHONE = "+5511987654321"
MASKED = "+5511*****4321"


async def speak_as(rest: httpx.AsyncClient, **how: Any) -> None:
    """The client calls with another key."""
    rest.headers["Authorization"] = f"Bearer {await a_key(how.pop('env', 'test'), **how)}"


@pytest.fixture
async def caller(rest: httpx.AsyncClient) -> Caller:
    """A caller of a new organization; the client calls with a key of it that sees masks."""
    caller = await a_caller("test")
    await speak_as(rest, organization_id=caller.organization_id)
    return caller


async def created(rest: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await rest.post("/contacts", json={"phone": PHONE, **body})
    assert answer.status_code == 201, answer.text
    record: dict[str, Any] = answer.json()
    return record


async def test_a_contact_is_created_read_changed_listed_and_deleted(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    made = await created(rest, name="Ana", cpf="529.982.247-25")
    address = f"/contacts/{made['id']}"

    read = await rest.get(address)
    changed = await rest.patch(address, json={"name": "Ana Lima", "tagsAdicionar": ["vip"]})
    listed = await rest.get("/contacts", params={"tag": "vip"})
    deleted = await rest.delete(address)

    assert read.json() == {**made, "documentos": {"cpf": "***.982.***-**"}, "optOuts": []}
    assert (changed.json()["name"], changed.json()["tags"]) == ("Ana Lima", ["vip"])
    assert listed.json() == {"items": [changed.json()], "total": 1}
    assert (deleted.status_code, deleted.content) == (204, b"")
    the_problem(await rest.get(address), 404)
    the_problem(await rest.delete(address), 404)


async def test_phones_are_masked_in_reads_and_writes_without_the_scope(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    made = await created(rest)
    address = f"/contacts/{made['id']}"
    answers = [
        await rest.get(address),
        await rest.patch(address, json={"name": "Ana"}),
        await rest.get("/contacts"),
        await rest.get("/contacts", params={"updatedSince": "2020-01-01"}),
    ]

    for answer in answers:
        assert MASKED in answer.text
        must_not_hold(answer, [PHONE, "987654321"])
    await speak_as(rest, organization_id=caller.organization_id, scopes=KEY_SCOPES)
    assert (await rest.get(address)).json()["phone"] == PHONE


async def test_a_search_without_pii_full_warns(rest: httpx.AsyncClient, caller: Caller) -> None:
    await created(rest, name="Ana")

    dropped = (await rest.get("/contacts", params={"q": "nobody"})).json()
    await speak_as(rest, organization_id=caller.organization_id, scopes=KEY_SCOPES)
    searched = (await rest.get("/contacts", params={"q": "nobody"})).json()

    assert (dropped["total"], dropped["warnings"]) == (1, ["q_ignorado_requer_pii_full"])
    assert searched == {"items": [], "total": 0}


@pytest.mark.parametrize(
    ("query", "total", "warned"),
    [
        ("optInStatus=maybe", 0, True),
        ("source=pigeon", 0, True),
        ("updatedSince=yesterday", 0, True),
        ("cursor=%00", 0, True),
        ("tag=%00", 0, False),
        ("q=%ED%A0%80", 2, True),
    ],
)
async def test_a_wrong_parameter_is_no_refusal(
    rest: httpx.AsyncClient, caller: Caller, query: str, total: int, warned: bool
) -> None:
    await stored_contacts(caller, [{}, {}])

    answer = await rest.get(f"/contacts?{query}")

    assert answer.status_code == 200, answer.text
    assert answer.json()["total"] == len(answer.json()["items"]) == total
    assert ("warnings" in answer.json()) == warned


async def test_pages_follow_each_other_also_when_times_are_equal(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    at = "2026-01-20T12:00:00Z"
    made = await stored_contacts(caller, [{"created_at": at, "updated_at": at} for _ in range(5)])
    seen: list[str] = []
    params = {"updatedSince": at, "limit": "2"}

    while True:
        page = (await rest.get("/contacts", params=params)).json()
        seen += [item["id"] for item in page["items"]]
        if "nextCursor" not in page:
            break
        params["cursor"] = page["nextCursor"]

    assert seen == sorted(made)


async def test_an_opt_out_over_rest_holds_back_the_next_sms(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    await created(rest)
    message = {"to": PHONE, "body": "Oi", "route": "premium"}

    before = await rest.post("/v2/sms/messages", json=message, headers={"Idempotency-Key": "one"})
    done = await rest.post("/contacts/opt-out", json={"phones": [PHONE], "canal": "sms"})
    after = await rest.post("/v2/sms/messages", json=message, headers={"Idempotency-Key": "two"})
    otp = await rest.post(
        "/v2/sms/messages", json={**message, "route": "otp"}, headers={"Idempotency-Key": "three"}
    )

    assert (before.status_code, done.json()["registrados"], otp.status_code) == (201, 1, 201)
    assert the_problem(after, 422)["meta"]["motivo"] == "opt_out"
    must_not_hold(after, [PHONE, "987654321"])
    assert (await rest.get("/v2/sms/messages")).json()["total"] == 2


async def test_dates_of_consent_count_for_keys_and_not_in_sessions(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    opt_in = {"status": "granted", "source": "form", "at": "2020-01-02T00:04:05-03:00"}
    token = await a_session(organization_id=caller.organization_id)

    by_key = await created(rest, optIn=opt_in)
    in_session = await rest.post(
        "/contacts",
        json={"phone": "11912345678", "optIn": opt_in},
        headers={"Authorization": f"Bearer {token}"},
    )
    too_late = await rest.post(
        "/contacts",
        json={
            "phone": "11912345679",
            "optIn": {"status": "granted", "at": "9999-12-31T23:59:59.999999-14:00"},
        },
    )
    late = await rest.post(
        "/contacts",
        json={"phone": "11912345679", "optIn": {"status": "granted", "at": "9999-12-31T23:59:59Z"}},
    )

    assert by_key["optIn"]["at"] == "2020-01-02T03:04:05.000Z"
    assert in_session.json()["optIn"]["at"] == in_session.json()["createdAt"]
    assert wrong_fields(the_problem(too_late, 422)) == [("pointer", "/optIn/at", "out_of_range")]
    assert the_problem(late, 422)["meta"] == {"code": "DATA_DO_CONSENTIMENTO_NO_FUTURO"}


async def test_the_largest_texts_in_any_script_come_back(
    rest: httpx.AsyncClient, caller: Caller
) -> None:
    name = "\U0001f9d1\u200d\U0001f692" * 60 + "\u202e\u0301"

    made = await created(rest, name=name, tags=["\U0001f9d1" * 64])

    assert (made["name"], made["tags"]) == (name, ["\U0001f9d1" * 64])
    await speak_as(rest, organization_id=caller.organization_id, scopes=KEY_SCOPES)
    found = await rest.get("/contacts", params={"q": "\U0001f692\U0001f9d1\u200d"})
    assert found.json()["items"][0]["id"] == made["id"]
