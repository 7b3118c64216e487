"""Replies over REST: statuses, shapes and masks. (Every answer is also held to the OpenAPI
document.)
"""

from typing import Any

import httpx
import pytest

from core.foundation.security.caller import KEY_SCOPES, Scope
from rest_api.sms.shapes import SmsReply, SmsReplyPage
from tests.factories.organizations import a_caller, a_key
from tests.factories.sms import a_send
from tests.support.stored import nothing_stored

REPLIES = "/v2/sms/replies"
SANDBOX = "/v2/sandbox/sms/replies"


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


async def a_message_and_its_key(**how: Any) -> tuple[str, str]:
    """A sandbox message and a key of its organization."""
    caller = await a_caller("test")
    return (await a_send(caller))["id"], await a_key(
        "test", organization_id=caller.organization_id, **how
    )


async def test_a_sandbox_reply_is_created_read_and_listed(rest: httpx.AsyncClient) -> None:
    id, key = await a_message_and_its_key()

    created = await rest.post(SANDBOX, json={"inReplyTo": id, "body": "SIM"}, headers=bearer(key))
    read = await rest.get(f"{REPLIES}/{created.json()['id']}", headers=bearer(key))
    listed = await rest.get(REPLIES, params={"inReplyTo": id, "limit": "200"}, headers=bearer(key))

    assert created.status_code == 201
    reply = SmsReply.model_validate(created.json())
    assert (reply.in_reply_to, reply.body, reply.env, reply.route) == (id, "SIM", "test", "premium")
    assert reply.from_ == "+5511*****0005"
    assert read.json() == created.json()
    page = SmsReplyPage.model_validate(listed.json())
    assert ([item.id for item in page.items], page.total) == ([reply.id], 1)


async def test_with_pii_full_the_sender_is_shown(rest: httpx.AsyncClient) -> None:
    id, key = await a_message_and_its_key(scopes=KEY_SCOPES)

    created = await rest.post(SANDBOX, json={"inReplyTo": id, "body": "SIM"}, headers=bearer(key))

    assert created.json()["from"] == "+5511987650005"


async def test_a_live_key_has_no_sandbox(rest: httpx.AsyncClient) -> None:
    caller = await a_caller("test")
    id = (await a_send(caller))["id"]
    key = await a_key("live", organization_id=caller.organization_id)

    async with nothing_stored():
        answer = await rest.post(
            SANDBOX, json={"inReplyTo": id, "body": "SIM"}, headers=bearer(key)
        )

    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


async def test_of_another_organization_there_is_nothing_to_answer_or_read(
    rest: httpx.AsyncClient,
) -> None:
    id, key = await a_message_and_its_key()
    _, strange = await a_message_and_its_key()
    reply = (
        await rest.post(SANDBOX, json={"inReplyTo": id, "body": "SIM"}, headers=bearer(key))
    ).json()

    async with nothing_stored():
        answers = [
            await rest.post(
                SANDBOX, json={"inReplyTo": id, "body": "SIM"}, headers=bearer(strange)
            ),
            await rest.get(f"{REPLIES}/{reply['id']}", headers=bearer(strange)),
            await rest.get(f"{REPLIES}/%00", headers=bearer(key)),
            await rest.get(f"{REPLIES}/{id}", headers=bearer(key)),
        ]

    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [
        (404, "NOT_FOUND")
    ] * 4
    assert (await rest.get(REPLIES, headers=bearer(strange))).json() == {"items": [], "total": 0}


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/body", "/inReplyTo"]),
        ({"inReplyTo": 1, "body": ""}, ["/body", "/inReplyTo"]),
        ({"inReplyTo": "msg_1", "body": "x" * 1601}, ["/body"]),
        ({"inReplyTo": "msg_1", "body": "a\x00"}, ["/body"]),
        ({"inReplyTo": "msg_1", "body": "SIM", "from": "+5511987654321"}, ["/from"]),
    ],
)
async def test_a_wrong_field_is_named(
    rest: httpx.AsyncClient, body: dict[str, Any], pointers: list[str]
) -> None:
    key = await a_key("test")

    async with nothing_stored():
        answer = await rest.post(SANDBOX, json=body, headers=bearer(key))

    assert answer.status_code == 422
    assert sorted(error["pointer"] for error in answer.json()["errors"]) == pointers


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=x",
        "skip=-1",
        "from=yesterday",
        "to=2026-13-01",
        "cursor=nonsense",
        "inReplyTo=%ff",
    ],
)
async def test_a_wrong_parameter_is_named(rest: httpx.AsyncClient, query: str) -> None:
    answer = await rest.get(f"{REPLIES}?{query}", headers=bearer(await a_key("test")))

    assert answer.status_code == 422
    assert [error["parameter"] for error in answer.json()["errors"]] == [query.partition("=")[0]]


async def test_replies_need_a_key_and_its_scope(rest: httpx.AsyncClient) -> None:
    reader = await a_key("test", scopes=frozenset({Scope.SMS_READ}))
    sender = await a_key("test", scopes=frozenset({Scope.SMS_SEND}))

    assert (await rest.get(REPLIES)).status_code == 401
    assert (await rest.get(REPLIES, headers=bearer(sender))).status_code == 403
    assert (await rest.get(f"{REPLIES}/msg_1", headers=bearer(sender))).status_code == 403
    assert (await rest.post(SANDBOX, json={}, headers=bearer(reader))).status_code == 403
    assert (await rest.post(SANDBOX, content=b"{", headers=bearer(sender))).status_code == 400
