"""Batches through the gateway are those of REST."""

import pytest

from core import conversations
from core.foundation.security.caller import Scope
from tests.factories.batches import ANA, BIA, a_bulk, a_desk
from tests.factories.organizations import a_caller
from tests.support.graphql import as_rest, bare, data_of, every_field, refused
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

QUERY = f"query ($id: ID!) {{ messageBatch(id: $id) {{ {every_field('MessageBatch')} }} }}"


async def test_every_field_is_the_one_of_rest() -> None:
    desk = await a_desk(await a_caller())
    id = (await a_bulk(desk, ANA, BIA, "nobody", campaignId="natal"))["batchId"]
    await conversations.cancel_batch(desk.caller, id)
    shown = (await data_of(desk.caller, QUERY, id=id))["messageBatch"]
    assert as_rest("MessageBatch", shown) == await conversations.get_batch(desk.caller, id)


async def test_a_batch_needs_its_scope_and_its_owner() -> None:
    desk = await a_desk(await a_caller())
    id = (await a_bulk(desk, ANA))["batchId"]
    assert (await refused(bare(desk.caller, Scope.MESSAGES_SEND), QUERY, id=id))["extensions"][
        "code"
    ] == "FORBIDDEN"
    assert await data_of(await a_caller(), QUERY, id=id) == {"messageBatch": None}


async def test_batches_are_listed_with_what_hangs_on_them_in_one_statement() -> None:
    desk = await a_desk(await a_caller())
    older = (await a_bulk(desk, ANA, BIA))["batchId"]
    newer = (await a_bulk(desk, ANA))["batchId"]
    query = """{ messageBatches(first: 10) { totalCount nodes {
        id porStatus { queued } number { id } template { id }
        messages(first: 5) { totalCount nodes { ... on ConversationMessage { batch { id } } } } } } }"""
    async with statements() as asked:
        shown = (await data_of(desk.caller, query))["messageBatches"]

    assert len(asked) == 1
    assert [one["id"] for one in shown["nodes"]] == [newer, older]
    first = shown["nodes"][1]
    assert (first["number"]["id"], first["template"]["id"]) == (desk.number_id, desk.template_id)
    assert first["porStatus"] == {"queued": 2}
    assert first["messages"] == {"totalCount": 2, "nodes": [{"batch": {"id": older}}] * 2}
