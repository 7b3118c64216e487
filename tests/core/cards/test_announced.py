"""Every change of a card's stage is announced, whichever use case makes it."""

from collections.abc import Iterator

import pytest

from core import cards
from core.foundation import pubsub
from core.foundation.database.db import fetchval
from core.pipelines.inputs import StageDeletion
from tests.factories.cards import some_deals
from tests.factories.organizations import a_caller
from tests.fakes.ear import RecordedNotices, listening

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.fixture
def ear() -> Iterator[RecordedNotices]:
    with listening() as ear:
        yield ear


async def card_of(line_id: str) -> str:
    found: str = await fetchval("SELECT card_id FROM card_history WHERE id = $1", line_id)
    return found


async def test_moves_wins_losses_reopenings_and_transfers_are_announced(
    ear: RecordedNotices,
) -> None:
    caller = await a_caller("test")
    deals, elsewhere = await some_deals(caller), await some_deals(caller)
    card = (await deals.card())["id"]
    assert ear.ids(pubsub.Topic.CARD) == []

    await deals.move(card, "Proposta")
    await deals.win(card)
    await deals.reopen(card)
    await deals.transfer(card, elsewhere)
    notices = [notice for notice in ear.notices if notice.topic is pubsub.Topic.CARD]

    assert [await card_of(notice.id) for notice in notices] == [card] * 4
    assert [notice.facts for notice in notices] == [
        *([{"from": deals.id, "to": deals.id}] * 3),
        {"from": deals.id, "to": elsewhere.id},
    ]
    assert {(notice.organization_id, notice.env) for notice in notices} == {
        (caller.organization_id, "test")
    }


async def test_a_batch_announces_those_that_moved(ear: RecordedNotices) -> None:
    caller = await a_caller("test")
    deals = await some_deals(caller)
    moving = await deals.several(3)
    there = (await deals.card("Proposta"))["id"]
    await deals.batch([*moving, there], "Proposta")

    assert [await card_of(id) for id in ear.ids(pubsub.Topic.CARD)] == moving


async def test_the_cards_of_a_deleted_stage_are_announced(ear: RecordedNotices) -> None:
    caller = await a_caller("test")
    deals = await some_deals(caller)
    moved = await deals.several(2)
    how = StageDeletion.model_validate({"moverPara": deals.stages["Proposta"]})
    await cards.delete_stage(caller, deals.id, deals.stages["Novo"], how)

    assert [await card_of(id) for id in ear.ids(pubsub.Topic.CARD)] == moved


async def test_a_card_that_stays_in_its_stage_is_not_announced(ear: RecordedNotices) -> None:
    caller = await a_caller("test")
    deals = await some_deals(caller)
    first, second = await deals.several(2)
    await deals.move(second, "Novo", antesDe=first)

    assert ear.ids(pubsub.Topic.CARD) == []
