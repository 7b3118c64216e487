"""Two things at once on cards, with real commits."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from core import cards, privacy
from core.cards.delete_stage import delete_stage
from core.cards.errors import (
    ArchivedPipeline,
    CardExternalIdTaken,
    DealClosed,
    LinksRefused,
)
from core.cards.models import Card, CardHistory, CardStatus
from core.contacts import Contact
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.security.caller import Caller
from core.pipelines import Pipeline, Stage, StageDeletion
from core.pipelines.errors import PipelineHasOpenCards, VersionOutdated
from tests.factories.cards import some_deals
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.pipelines import changed_pipeline
from tests.support.races import outside, somebody_waits


@pytest.fixture
async def caller(real_commits: None) -> Caller:
    return await a_caller()


async def at_once(*use_cases: Any) -> list[Any]:
    return await asyncio.gather(*map(outside, use_cases), return_exceptions=True)


def refusals(outcomes: list[Any], *kinds: type[Exception]) -> Counter[str]:
    """How many were refused how; nothing else went wrong."""
    unexpected = [
        one for one in outcomes if isinstance(one, Exception) and not isinstance(one, kinds)
    ]
    assert not unexpected, unexpected
    return Counter(type(one).__name__ for one in outcomes if isinstance(one, Exception))


async def histories_are_whole() -> None:
    """The stays of each card follow each other without a gap, and the last one lasts, in the card's
    stage.
    """
    for card in await Card.all():
        stays = await CardHistory.filter(card_id=card.id, entered_at__isnull=False).order_by(
            "entered_at", "left_at"
        )
        assert [one.left_at for one in stays[:-1]] == [one.entered_at for one in stays[1:]]
        assert (stays[-1].left_at, stays[-1].to_stage_id, stays[-1].entered_at) == (
            None, card.stage_id, card.stage_since,
        )  # fmt: skip


async def test_twenty_cards_dropped_into_one_gap_all_find_a_place(caller: Caller) -> None:
    deals = await some_deals(caller)
    first, last = await deals.several(2, "Proposta")
    ids = await deals.several(20)

    outcomes = await at_once(*(deals.move(id, "Proposta", depoisDe=first) for id in ids))

    assert refusals(outcomes) == {}
    rows = await Card.filter(stage_id=deals.stages["Proposta"])
    assert len({card.rank for card in rows}) == 22
    column = await deals.column("Proposta")
    assert (column[0], column[-1], set(column[1:-1])) == (first, last, set(ids))
    await histories_are_whole()


async def test_one_card_moved_twenty_times_at_once_has_one_history(caller: Caller) -> None:
    deals = await some_deals(caller)
    (id,) = await deals.several(1)

    outcomes = await at_once(
        *(deals.move(id, ("Proposta", "Novo")[turn % 2]) for turn in range(20))
    )

    assert refusals(outcomes) == {}
    assert (
        await CardHistory.filter(card_id=id, left_at__isnull=True, entered_at__isnull=False).count()
        == 1
    )
    moves = sum("movimento" in outcome for outcome in outcomes)
    assert (await deals.read(id))["versao"] == 1 + moves
    await histories_are_whole()


async def test_a_deal_that_is_won_twice_at_once_is_won_once(caller: Caller) -> None:
    deals = await some_deals(caller)
    (id,) = await deals.several(1)

    outcomes = await at_once(*(deals.win(id, valor=value) for value in (1, 2, 3)))

    assert refusals(outcomes) == {}
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert [line["tipo"] for line in await deals.history(id) if line["tipo"] != "campo"] == [
        "ganho",
        "criado",
    ]
    await histories_are_whole()


async def test_a_deal_is_won_or_lost_and_not_both(caller: Caller) -> None:
    deals = await some_deals(caller)
    (id,) = await deals.several(1)

    outcomes = await at_once(deals.win(id), deals.lose(id))

    assert refusals(outcomes, DealClosed) == {"DealClosed": 1}
    assert (await deals.read(id))["status"] in ("ganho", "perdido")
    await histories_are_whole()


async def test_of_changes_to_one_version_exactly_one_wins(caller: Caller) -> None:
    deals = await some_deals(caller)
    (id,) = await deals.several(1)

    outcomes = await at_once(
        *(deals.change(id, titulo=str(number), versao=1) for number in range(5)),
        *(deals.move(id, "Proposta", versao=1) for _ in range(5)),
    )

    assert refusals(outcomes, VersionOutdated) == {"VersionOutdated": 9}
    assert (await deals.read(id))["versao"] == 2
    await histories_are_whole()


async def test_of_cards_with_one_external_id_exactly_one_is_created(caller: Caller) -> None:
    deals = await some_deals(caller)

    outcomes = await at_once(*(deals.card(externalId="erp-1") for _ in range(5)))

    assert refusals(outcomes, CardExternalIdTaken) == {"CardExternalIdTaken": 4}
    assert await Card.all().count() == await CardHistory.all().count() == 1


async def test_batches_of_the_same_cards_do_not_wait_in_a_circle(caller: Caller) -> None:
    deals = await some_deals(caller)
    ids = await deals.several(12)

    outcomes = await at_once(
        *(
            deals.batch(ids[turn:] + ids[:turn], ("Proposta", "Novo", "Ganho")[turn % 3])
            for turn in range(12)
        )
    )

    assert refusals(outcomes) == {}
    assert all(outcome["erros"] == [] for outcome in outcomes)
    await histories_are_whole()


@pytest.mark.parametrize("first", ["batch", "deletion"])
async def test_a_batch_meets_the_deletion_of_the_stage_that_it_comes_from(
    caller: Caller, first: str
) -> None:
    deals = await some_deals(caller)
    ids = await deals.several(6)
    to_proposal = StageDeletion(move_to=deals.stages["Proposta"])
    async with transaction():
        if first == "batch":
            await deals.batch(ids[:3], "Ganho")
            second: Any = outside(delete_stage(caller, deals.id, deals.stages["Novo"], to_proposal))
        else:
            await delete_stage(caller, deals.id, deals.stages["Novo"], to_proposal)
            second = outside(deals.batch(ids[:3], "Ganho"))
        await somebody_waits()
    await second

    assert await Stage.filter(id=deals.stages["Novo"]).count() == 0
    assert set(await deals.column("Ganho")) == set(ids[:3])
    assert set(await deals.column("Proposta")) == set(ids[3:])
    await histories_are_whole()


@pytest.mark.parametrize("first", ["batch", "deletion"])
async def test_a_batch_meets_the_deletion_of_the_stage_that_it_goes_to(
    caller: Caller, first: str
) -> None:
    deals = await some_deals(caller)
    ids = await deals.several(6)
    to_new = StageDeletion(move_to=deals.stages["Novo"])
    async with transaction():
        if first == "batch":
            await deals.batch(ids[:3], "Proposta")
            second: Any = outside(delete_stage(caller, deals.id, deals.stages["Proposta"], to_new))
        else:
            await delete_stage(caller, deals.id, deals.stages["Proposta"], to_new)
            second = outside(deals.batch(ids[:3], "Proposta"))
        await somebody_waits()
    outcomes = list(await asyncio.gather(second, return_exceptions=True))

    assert refusals(outcomes, LinksRefused) == ({} if first == "batch" else {"LinksRefused": 1})
    assert set(await deals.column("Novo")) == set(ids)
    await histories_are_whole()


async def test_moves_transfers_and_deletions_of_stages_and_cards_all_end(caller: Caller) -> None:
    deals, other = await some_deals(caller), await some_deals(caller)
    ids = await deals.several(12)

    outcomes = await at_once(
        *(deals.move(id, "Proposta") for id in ids[:4]),
        *(deals.transfer(id, other) for id in ids[2:8]),
        delete_stage(
            caller, deals.id, deals.stages["Novo"], StageDeletion(move_to=deals.stages["Proposta"])
        ),
        *(cards.delete_card(caller, id) for id in ids[7:10]),
        *(deals.win(id) for id in ids[9:]),
    )

    refusals(outcomes, LinksRefused, NotFound, DealClosed)
    assert await Card.filter(stage_id=deals.stages["Novo"]).count() == 0
    assert await Card.all().count() == 9
    await histories_are_whole()


async def test_no_card_comes_into_a_pipeline_that_is_being_archived(caller: Caller) -> None:
    deals = await some_deals(caller)

    outcomes = await at_once(
        deals.card(), changed_pipeline(caller, deals.id, arquivado=True), deals.card()
    )

    refused = refusals(outcomes, ArchivedPipeline, PipelineHasOpenCards)
    archived = (await Pipeline.get(id=deals.id)).archived
    assert archived == (refused["PipelineHasOpenCards"] == 0)
    assert not archived or await Card.filter(status=CardStatus.OPEN).count() == 0


@pytest.mark.parametrize("first", ["card", "erasure"])
async def test_no_card_points_to_a_contact_that_is_being_erased(caller: Caller, first: str) -> None:
    deals = await some_deals(caller)
    contact = (await a_contact(caller))["id"]
    fields = {"contatoId": contact, "contatos": [{"contatoId": contact}]}
    async with transaction():
        if first == "card":
            await deals.card(**fields)
            second: Any = outside(privacy.erase_contact(caller, contact))
        else:
            await privacy.erase_contact(caller, contact)
            second = outside(deals.card(**fields))
        await somebody_waits()
    outcomes = list(await asyncio.gather(second, return_exceptions=True))

    assert refusals(outcomes, LinksRefused) == ({} if first == "card" else {"LinksRefused": 1})
    assert await Contact.all().count() == 0
    for card in (await deals.listed())["items"]:
        assert ("contatoId" in card, card["contatos"]) == (False, [])


async def test_renumbering_a_stage_does_not_wait_in_a_circle_with_batches(caller: Caller) -> None:
    deals = await some_deals(caller)
    first, last, *ids = await deals.several(12, "Proposta")
    dropped = await deals.several(6)
    await Card.filter(id=first).update(rank="1")
    await Card.filter(id=last).update(rank=f"1{'0' * 39}1")

    outcomes = await at_once(
        *(deals.move(id, "Proposta", depoisDe=first) for id in dropped),
        *(
            deals.batch(ids[turn:] + ids[:turn], ("Novo", "Proposta")[turn % 2])
            for turn in range(6)
        ),
        *(deals.move(id, "Novo") for id in ids),
    )

    assert refusals(outcomes) == {}
    await histories_are_whole()
