"""Numbers over GraphQL: what hangs on them, and what they hang on. Values are compared in
tests/contract.
"""

from datetime import timedelta

import pytest

from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from core.messaging import Channel
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message
from tests.support.graphql import ask

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def test_a_number_shows_its_messages_and_each_message_its_number(caller: Caller) -> None:
    number, other = await a_number(caller), await a_number(caller)
    conversation = {
        "channel": Channel.WHATSAPP,
        "type": "text",
        "priority": "normal",
        "force": False,
        "attempts": 0,
    }
    older, newer = [
        await stored_message(
            caller, now() - timedelta(hours=age), number_id=number.id, content={}, **conversation
        )
        for age in (2, 1)
    ]
    await stored_message(caller, now(), number_id=other.id, content={}, **conversation)

    content = await ask(
        caller,
        f'{{ number(id: "{number.id}") {{ messages(first: 9) {{ totalCount nodes {{ id ... on ConversationMessage '
        "{ number { id status } } } } } }",
    )

    assert content == {
        "data": {
            "number": {
                "messages": {
                    "totalCount": 2,
                    "nodes": [
                        {"id": id, "number": {"id": number.id, "status": "CONNECTED"}}
                        for id in (newer, older)
                    ],
                }
            }
        }
    }


async def test_filters_are_those_of_rest(caller: Caller) -> None:
    await a_number(caller)
    red = await a_number(caller, status="flagged", quality_rating="red")

    content = await ask(
        caller,
        "{ numbers(first: 9, filter: {status: FLAGGED, qualityRating: RED}) { totalCount nodes { id } } }",
    )

    assert content == {"data": {"numbers": {"totalCount": 1, "nodes": [{"id": red.id}]}}}


async def test_messages_read_includes_numbers_and_a_reader_of_numbers_sees_no_messages() -> None:
    caller = await a_caller(scopes=frozenset({Scope.NUMBERS_READ}))
    number = await a_number(await a_caller(organization_id=caller.organization_id))

    content = await ask(
        caller, f'{{ number(id: "{number.id}") {{ id messages(first: 9) {{ totalCount }} }} }}'
    )

    assert content["data"] == {"number": {"id": number.id, "messages": None}}
    assert content["errors"][0]["extensions"]["code"] == "FORBIDDEN"
    elder = await a_caller(
        scopes=frozenset({Scope.MESSAGES_READ}), organization_id=caller.organization_id
    )
    assert "errors" not in await ask(
        elder, f'{{ number(id: "{number.id}") {{ id messages(first: 9) {{ totalCount }} }} }}'
    )
