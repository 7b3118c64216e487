"""The platform's ids of messages hold the phone: whoever may not see phones does not see them,
wherever they show.
"""

import base64
from typing import Any

import orjson
import pytest

from core import conversations, webhooks
from core.conversations.record import masked_record
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from core.webhooks.events.payload import event_record
from tests.factories.conversations_inbound import WRITER, an_inbound
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_conversation
from tests.support.graphql import bare, data_of
from tests.support.told import events

pytestmark = pytest.mark.usefixtures("clean_slate")

OUR_WAMID = "wamid." + base64.b64encode(b"\x1d\x15\x0d5511987654321\x15\x02\x00\x11\x18").decode()
REACTION = {"kind": "reaction", "messageId": OUR_WAMID, "emoji": "👍"}


def holds_the_id(value: Any) -> bool:
    return b"wamid" in orjson.dumps(value)


async def shown(caller: Caller, id: str) -> list[Any]:
    """A message in every read of it."""
    query = (
        f'{{ message(id: "{id}") {{ ... on ConversationMessage {{ metaMessageId payload }} }} }}'
    )
    return [
        await conversations.get_message(caller, id),
        {**await conversations.list_messages(caller, conversations.MessageFilter())},
        await data_of(caller, query),
    ]


@pytest.mark.parametrize(
    "column", [{"provider_reference": OUR_WAMID}, {"type": "interactive", "content": REACTION}]
)
async def test_reads_show_them_to_who_sees_phones_alone(column: dict[str, Any]) -> None:
    caller = await a_caller()
    id = await stored_conversation(caller, now(), **column)
    for read in await shown(bare(caller, Scope.MESSAGES_READ), id):
        assert not holds_the_id(read)
    for read in await shown(bare(caller, Scope.MESSAGES_READ, Scope.PII_FULL), id):
        assert holds_the_id(read)


async def test_an_answer_that_is_said_again_hides_them_too() -> None:
    stored = {"id": "msg_1", "to": WRITER, "payload": REACTION, "metaMessageId": OUR_WAMID}
    assert masked_record(stored) == {
        "id": "msg_1", "to": "+5511*****0001", "payload": {"kind": "reaction", "emoji": "👍"},
    }  # fmt: skip


async def test_events_hide_them_unless_their_subscription_sees_phones() -> None:
    caller = await a_caller()
    await an_inbound(caller, type="interactive", payload=REACTION)
    [event] = await events(caller.organization_id, "message.received")
    data = event["data"]
    assert holds_the_id(data), "what is frozen is whole"
    assert not holds_the_id(webhooks.masked_data(data))
    for unmasked in (True, False):
        told = event_record(
            event_id="evt_1", type="message.received", occurred_at=now(), env="test",
            organization_id=caller.organization_id, api_version="2026-01-01", data=data, unmasked=unmasked,
        )  # fmt: skip
        assert holds_the_id(told) is unmasked
