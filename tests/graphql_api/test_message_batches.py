"""Batches through the gateway are those of REST."""

import pytest

from core import conversations
from core.foundation.security.caller import Scope
from tests.factories.batches import ANA, BIA, a_bulk, a_desk
from tests.factories.organizations import a_caller
from tests.support.graphql import as_rest, bare, data_of, every_field, refused

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
    assert (await refused(await a_caller(), QUERY, id=id))["extensions"]["code"] == "NOT_FOUND"
