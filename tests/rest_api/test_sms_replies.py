"""Replies over REST: statuses, shapes and masks. (Every answer is also held to the OpenAPI
document.)
"""

from typing import Any

import httpx

from core.foundation.security.caller import KEY_SCOPES
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
    reply = created.json()
    told = ("inReplyTo", "body", "env", "route", "from")
    assert [reply[name] for name in told] == [id, "SIM", "test", "premium", "+5511*****0005"]
    assert read.json() == reply
    assert listed.json() == {"items": [reply], "total": 1}


async def test_with_pii_full_the_sender_is_shown(rest: httpx.AsyncClient) -> None:
    id, key = await a_message_and_its_key(scopes=KEY_SCOPES)

    created = await rest.post(SANDBOX, json={"inReplyTo": id, "body": "SIM"}, headers=bearer(key))

    assert created.json()["from"] == "+5511987650005"
