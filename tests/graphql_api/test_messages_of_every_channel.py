"""The newest messages of several channels are found by the index of each, in one order."""

from dataclasses import replace
from typing import Any

import pytest

from core.foundation.database import db
from core.foundation.security.caller import Caller, Scope
from core.messaging import Channel
from core.read_models.messages import MESSAGE, readable_channels
from tests.factories.emails import an_email
from tests.factories.messages import a_message
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.support.graphql import ask

pytestmark = pytest.mark.usefixtures("clean_slate")

QUERY = """query ($after: String) { messages(first: 2, after: $after%s) {
    totalCount nodes { id } pageInfo { endCursor hasNextPage }
} }"""
BOTH = (Channel.SMS, Channel.RCS)


async def listed(caller: Caller, arguments: str = "") -> list[str]:
    """All pages, one after the other."""
    ids: list[str] = []
    after: Any = None
    while True:
        content = await ask(caller, QUERY % arguments, after=after)
        page = content["data"]["messages"]
        ids += [node["id"] for node in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            assert page["totalCount"] == len(ids)
            return ids
        after = page["pageInfo"]["endCursor"]


async def test_the_channels_that_a_caller_may_read_come_in_one_order_of_time() -> None:
    caller = await a_caller()
    sent = [
        await a_message(caller, channel=channel)
        for channel in (Channel.SMS, Channel.RCS, Channel.SMS, Channel.RCS)
    ]
    assert await listed(caller) == sent[::-1]
    assert await listed(caller, ", orderBy: CREATED_AT_ASC") == sent
    assert await listed(caller, ", filter: {channel: [RCS]}") == [sent[3], sent[1]]
    assert await listed(caller, ", filter: {channel: [SMS, RCS], status: [SENT]}") == sent[::-1]
    blind = replace(caller, scopes=frozenset({Scope.RCS_READ}))
    assert await listed(blind) == [sent[3], sent[1]]
    assert readable_channels(blind) == ["rcs"]


REFUSED = {
    "messages(first: 9, filter: {channel: [WHATSAPP, INSTAGRAM]}) { totalCount }": "messages:read",
    "messages(first: 9, filter: {channel: [EMAIL, RCS]}) { nodes { id } }": "rcs:read",
    'messages(first: 9, filter: {numberId: "num_1"}) { totalCount }': "messages:read",
    'messages(first: 9, filter: {templateId: "tpl_1"}) { totalCount }': "messages:read",
    'messages(first: 9, filter: {batchId: "bat_1"}) { totalCount }': "messages:read",
    'messageStats(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", bucket: DAY, '
    "filter: {channel: [WHATSAPP]}) { totals { sent } }": "messages:read",
}


@pytest.mark.parametrize(
    "scopes", [{Scope.SMS_READ, Scope.CONTACTS_READ}, {Scope.CONTACTS_READ}], ids=["some", "none"]
)
@pytest.mark.parametrize(("question", "scope"), REFUSED.items())
async def test_not_to_be_allowed_to_see_is_told_apart_from_having_none(
    question: str, scope: str, scopes: set[Scope]
) -> None:
    caller = await a_caller(scopes=frozenset(scopes))

    answered = await ask(caller, f"{{ {question} }}")

    (refusal,) = answered["errors"]
    assert refusal["extensions"]["meta"] == {"escopoExigido": scope}


async def test_of_several_channels_asked_for_those_are_shown_that_may_be_read() -> None:
    caller = await a_caller()
    sent = await a_message(caller, channel=Channel.SMS)
    await a_message(caller, channel=Channel.RCS)
    blind = replace(caller, scopes=frozenset({Scope.SMS_READ}))

    assert await listed(blind, ", filter: {channel: [SMS, RCS]}") == [sent]


async def test_the_messages_of_a_number_need_the_scope_of_conversations() -> None:
    caller = await a_caller()
    number = await a_number(caller)
    for scopes in ({Scope.NUMBERS_READ}, {Scope.NUMBERS_READ, Scope.SMS_READ}):
        blind = replace(caller, scopes=frozenset(scopes))

        answered = await ask(
            blind, f'{{ number(id: "{number.id}") {{ id messages(first: 1) {{ totalCount }} }} }}'
        )

        assert answered["data"] == {"number": {"id": number.id, "messages": None}}
        assert [error["extensions"]["meta"] for error in answered["errors"]] == [
            {"escopoExigido": "messages:read"}
        ]


async def test_a_filter_with_an_index_of_its_own_needs_no_branches() -> None:
    caller = await a_caller()
    assert MESSAGE.branches is not None
    assert MESSAGE.branches(caller, {"campaignId": "autumn"}) == []
    assert set(MESSAGE.branches(caller, {"channel": ["sms", "rcs"]})) == {
        "channel = 'sms'",
        "channel = 'rcs'",
    }


async def test_an_e_mail_is_found_by_its_address_in_any_case() -> None:
    caller = await a_caller()
    sent = await an_email(caller, to="Ana@example.org")
    await an_email(caller, to="bia@example.org")
    for to in ("ana@example.org", "ANA@EXAMPLE.ORG"):
        assert await listed(caller, f', filter: {{to: "{to}"}}') == [sent["id"]]


async def test_an_index_finds_addresses_in_any_case() -> None:
    await db.execute("SET LOCAL enable_seqscan = off")
    plan = await db.fetch(
        "EXPLAIN SELECT id FROM messages WHERE organization_id = 'org' AND env = 'test' AND channel = 'email' "
        "AND lower(recipient) = lower('ANA@example.org') ORDER BY created_at DESC LIMIT 50"
    )
    assert "messages_by_email_address" in "".join(row[0] for row in plan)


async def test_why_one_did_not_arrive_is_an_enum_whatever_its_channel() -> None:
    """A text that no channel knows (a row of the past) is none of its values."""
    caller = await a_caller()
    for channel, reason in ((Channel.SMS, "expired"), (Channel.RCS, "no_rcs"), (Channel.SMS, "x")):
        id = await a_message(caller, channel=channel)
        await db.execute(
            "UPDATE messages SET status = 'failed', reason = $2 WHERE id = $1", id, reason
        )
    content = await ask(caller, "{ messages(first: 3) { nodes { reason failure } } }")

    assert content["data"]["messages"]["nodes"] == [
        {"reason": "x", "failure": None},
        {"reason": "no_rcs", "failure": "NO_RCS"},
        {"reason": "expired", "failure": "EXPIRED"},
    ]
