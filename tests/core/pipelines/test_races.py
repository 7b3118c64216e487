"""Two things at once on pipelines, with real commits."""

import asyncio
from typing import Any

import pytest

from core import pipelines
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from core.pipelines import Pipeline, PipelineFilter, StageOrder
from core.pipelines.errors import (
    NameTaken,
    OrderIncomplete,
    OutcomeTaken,
    TooManyStages,
    VersionOutdated,
)
from tests.factories.organizations import a_caller
from tests.factories.pipelines import (
    a_pipeline,
    an_added_stage,
    changed_pipeline,
    changed_stage,
    stage_ids,
)
from tests.support.races import outside, somebody_waits


@pytest.fixture
async def caller(real_commits: None) -> Caller:
    return await a_caller()


def refusals(outcomes: list[Any], kind: type[Exception]) -> int:
    """How many were refused so; nothing else went wrong."""
    assert all(isinstance(one, dict | kind) for one in outcomes), outcomes
    return sum(isinstance(one, kind) for one in outcomes)


async def at_once(*use_cases: Any) -> list[Any]:
    return await asyncio.gather(*map(outside, use_cases), return_exceptions=True)


async def test_one_of_two_pipelines_gets_the_name(caller: Caller) -> None:
    outcomes = await at_once(*(a_pipeline(caller, nome="Vendas") for _ in range(5)))

    assert refusals(outcomes, NameTaken) == 4
    assert await Pipeline.all().count() == 1
    assert await pipelines.Stage.all().count() == 6


async def test_one_of_two_stages_gets_the_name(caller: Caller) -> None:
    pipeline = await a_pipeline(caller)

    outcomes = await at_once(
        *(an_added_stage(caller, pipeline["id"], nome="Prova") for _ in range(4))
    )

    assert refusals(outcomes, NameTaken) == 3
    after = await pipelines.get_pipeline(caller, pipeline["id"])
    assert [stage["posicao"] for stage in after["etapas"]] == list(range(7))
    assert after["versao"] == 2


async def test_one_of_two_stages_closes_deals(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=[{"nome": "A"}])

    outcomes = await at_once(
        *(
            an_added_stage(caller, pipeline["id"], nome=name, resultado="ganho")
            for name in ("B", "C")
        )
    )

    assert refusals(outcomes, OutcomeTaken) == 1


async def test_the_thirtieth_stage_is_added_once(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=[{"nome": str(n)} for n in range(29)])

    outcomes = await at_once(*(an_added_stage(caller, pipeline["id"], nome=name) for name in "abc"))

    assert refusals(outcomes, TooManyStages) == 2


async def test_an_order_knows_a_stage_that_was_added_meanwhile_or_comes_first(
    caller: Caller,
) -> None:
    pipeline = await a_pipeline(caller)
    backwards = list(reversed(list(stage_ids(pipeline).values())))
    async with transaction():
        await an_added_stage(caller, pipeline["id"], nome="Prova")
        reordering = outside(
            pipelines.reorder_stages(caller, pipeline["id"], StageOrder(stage_ids=backwards))
        )
        await somebody_waits()
    with pytest.raises(OrderIncomplete):
        await reordering

    after = await pipelines.get_pipeline(caller, pipeline["id"])
    assert [stage["nome"] for stage in after["etapas"]][4] == "Prova"

    other = await a_pipeline(caller)
    backwards = list(reversed(list(stage_ids(other).values())))
    async with transaction():
        await pipelines.reorder_stages(caller, other["id"], StageOrder(stage_ids=backwards))
        adding = outside(an_added_stage(caller, other["id"], nome="Prova"))
        await somebody_waits()
    await adding

    after = await pipelines.get_pipeline(caller, other["id"])
    assert [stage["nome"] for stage in after["etapas"]][:2] == ["Perdido", "Ganho"]
    assert [stage["posicao"] for stage in after["etapas"]] == list(range(7))


async def test_of_two_changes_to_one_version_one_wins(caller: Caller) -> None:
    pipeline = await a_pipeline(caller)

    outcomes = await at_once(
        *(changed_pipeline(caller, pipeline["id"], nome=name, versao=1) for name in ("A", "B", "C"))
    )

    assert refusals(outcomes, VersionOutdated) == 2
    assert (await pipelines.get_pipeline(caller, pipeline["id"]))["versao"] == 2


async def test_pipelines_that_are_moved_at_once_do_not_block_each_other_for_ever(
    caller: Caller,
) -> None:
    made = [await a_pipeline(caller) for _ in range(6)]

    outcomes = await at_once(
        *(
            changed_pipeline(caller, one["id"], posicao=place)
            for place, one in enumerate(reversed(made))
        ),
        *(changed_pipeline(caller, one["id"], descricao="x") for one in made),
        *(changed_stage(caller, one["id"], stage_ids(one)["Novo"], cor="x") for one in made),
    )

    assert refusals(outcomes, VersionOutdated) == 0
    page = await pipelines.list_pipelines(caller, PipelineFilter())
    assert [one["posicao"] for one in page["items"]] == list(range(6))
    assert {one["descricao"] for one in page["items"]} == {"x"}


async def test_a_pipeline_that_is_held_for_its_cards_is_not_changed_meanwhile(
    caller: Caller,
) -> None:
    pipeline = await a_pipeline(caller)
    async with transaction():
        await pipelines.hold_board(caller, pipeline["id"])
        # Others may hold it too.
        await outside(_held(caller, pipeline["id"]))
        archiving = outside(changed_pipeline(caller, pipeline["id"], arquivado=True))
        await somebody_waits()
        assert (
            await db.fetchval("SELECT archived FROM pipelines WHERE id = $1", pipeline["id"])
            is False
        )
    assert (await archiving)["arquivado"] is True


async def _held(caller: Caller, id: str) -> None:
    async with transaction():
        await pipelines.hold_board(caller, id)
