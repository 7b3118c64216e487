"""Replies over REST: statuses, shapes and masks. (Every answer is also held to the OpenAPI
document.)
"""

from typing import Any

import httpx

from core.foundation.security.caller import KEY_SCOPES
from rest_api.sms.shapes import SmsReply, SmsReplyPage
from tests.factories.organizations import a_caller, a_key
from tests.factories.sms import a_send

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
