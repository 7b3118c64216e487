"""The board of a pipeline: stages side by side, what lies in them, and their first cards, in one
statement.
"""

import re
from datetime import timedelta
from typing import Any

import pytest

from core import cards
from core.cards.models import Card
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden
from core.foundation.security.caller import Scope
from core.pipelines import get_pipeline
from core.read_models.pipelines import PIPELINE
from core.read_models.query_compiler import PageParts, SelectedRelation, Selection, read_record
from tests.factories.cards import Deals, some_deals
from tests.factories.organizations import a_caller
from tests.support.graphql import as_rest, ask, bare, data_of, every_field
from tests.support.statements import statements

FIGURES = ("quantidade", "atrasados", "valorTotal", "valores")
FIRST_CARDS = f"cards(first: 2) {{ totalCount nodes {{ {every_field('Card')} contatos {{ {every_field('CardPerson')} }} }} }}"


@pytest.fixture
async def deals(clean_slate: None) -> Deals:
    return await some_deals(await a_caller(), moeda="BRL")


async def stages(deals: Deals, fields: str) -> list[dict[str, Any]]:
    data = await data_of(
        deals.caller, f'{{ pipeline(id: "{deals.id}") {{ etapas {{ id nome {fields} }} }} }}'
    )
    found: list[dict[str, Any]] = data["pipeline"]["etapas"]
    return found


async def test_the_figures_of_stages_are_those_of_the_board_over_rest(deals: Deals) -> None:
    ids = await deals.several(5)
    await deals.change(ids[0], valor=10)
    await deals.change(ids[1], valor=5.5, moeda="USD")
    await deals.change(ids[4], valor=1)
    await deals.change(ids[3], moeda="EUR")
    await Card.filter(id__in=ids[:2]).update(stage_since=now() - timedelta(days=9))
    await deals.card("Ganho", valor=7)
    await (await some_deals(deals.caller)).card(valor=1000)

    new, proposal, won, lost = await stages(
        deals, " ".join(FIGURES[:3]) + " valores { moeda valor }"
    )

    of_rest = {stage["stageId"]: stage for stage in await cards.read_board(deals.caller, deals.id)}
    for stage in (new, proposal, won, lost):
        board = of_rest[stage["id"]]
        assert (stage["quantidade"], stage["atrasados"]) == (board["count"], board["late"])
    assert (new["quantidade"], new["atrasados"], new["valorTotal"]) == (5, 2, 11)
    assert new["valores"] == [{"moeda": "BRL", "valor": 11}, {"moeda": "USD", "valor": 5.5}]
    assert (proposal["quantidade"], proposal["valorTotal"], proposal["valores"]) == (0, 0, [])
    assert (won["quantidade"], won["valorTotal"]) == (1, 7)


async def test_a_deal_is_late_only_after_whole_days_beyond_the_time_of_its_stage(
    deals: Deals,
) -> None:
    ids = await deals.several(3)
    for id, days in zip(ids, (7.9, 8.001, -1), strict=True):
        await Card.filter(id=id).update(stage_since=now() - timedelta(days=days))
    [new, *_] = await stages(
        deals, "atrasados cards(first: 3) { nodes { id diasNaEtapa atrasado } }"
    )
    shown = [(card["diasNaEtapa"], card["atrasado"]) for card in new["cards"]["nodes"]]
    of_rest = [await deals.read(id) for id in ids]
    assert (
        shown
        == [(card["diasNaEtapa"], card["atrasado"]) for card in of_rest]
        == [(7, False), (8, True), (0, False)]
    )
    assert new["atrasados"] == 1


async def test_a_stage_shows_its_cards_by_their_place_compared_as_bytes(deals: Deals) -> None:
    ids = await deals.several(4)
    for id, rank in zip(ids, ("b", "Z", "a", "0z"), strict=True):
        await Card.filter(id=id).update(rank=rank)
    [new, *_] = await stages(deals, FIRST_CARDS)
    column = await deals.column("Novo")
    assert column == [ids[3], ids[1], ids[2], ids[0]]
    assert [as_rest("Card", card) for card in new["cards"]["nodes"]] == [
        await deals.read(id) for id in column[:2]
    ]
    assert new["cards"]["totalCount"] == 4


async def test_the_cards_of_a_stage_go_on_behind_a_cursor_in_any_order_and_by_any_filter(
    deals: Deals,
) -> None:
    ids = await deals.several(3)
    await deals.change(ids[0], valor=5, responsavelId=deals.caller.account_id)
    [new, *_] = await stages(deals, "cards(first: 2) { pageInfo { endCursor } }")
    cursor = new["cards"]["pageInfo"]["endCursor"]
    for arguments, expected in (
        (f'first: 5, after: "{cursor}"', [ids[2]]),
        ("last: 2", ids[1:]),
        ("first: 1, orderBy: ORDEM_DESC", [ids[2]]),
        (f'first: 5, filter: {{responsavelId: "{deals.caller.account_id}"}}', [ids[0]]),
    ):
        [new, *_] = await stages(deals, f"cards({arguments}) {{ nodes {{ id }} }}")
        assert [card["id"] for card in new["cards"]["nodes"]] == expected, arguments


async def test_a_whole_board_is_one_statement_however_many_cards_lie_on_it(deals: Deals) -> None:
    whole = f"""{{ pipeline(id: "{deals.id}") {{ {every_field("Pipeline")} motivos {{ {every_field("LostReason")} }}
        etapas {{ {every_field("Stage")} cards(first: 50) {{ totalCount pageInfo {{ endCursor }} nodes {{
            {every_field("Card")} contatos {{ contatoId contato {{ name }} }} contato {{ name }} company {{ nome }}
            responsavel {{ name }} }} }} }} }} }}"""
    for more in (1, 20):
        for stage in deals.stages:
            await deals.several(more, stage)
        async with statements() as run:
            await data_of(deals.caller, whole)
        assert len(run) == 1


async def test_the_columns_of_a_board_are_read_by_their_index(deals: Deals) -> None:
    """In the plan that PostgreSQL takes where it may not read a whole table."""
    selection = Selection(
        relations={
            "etapas": SelectedRelation(
                "etapas", {}, Selection(fields=dict.fromkeys(("id", *FIGURES))), PageParts()
            )
        }
    )
    below = SelectedRelation(
        "cards",
        {"first": 50},
        Selection(fields=dict.fromkeys(("id", "titulo", "atrasado"))),
        PageParts(nodes=True),
    )
    selection.relations["etapas"].selection.relations["cards"] = below
    async with statements() as run:
        await read_record(deals.caller, PIPELINE, deals.id, selection)
    [statement] = run
    await db.execute("SET LOCAL enable_seqscan = off")
    await db.execute("SET LOCAL enable_sort = off")
    values = (deals.caller.organization_id, deals.caller.env, deals.id)
    plan = "\n".join(row[0] for row in await db.fetch(f"EXPLAIN {statement}", *values))
    assert "Seq Scan" not in plan
    assert re.search(r"Index Scan using cards_of_stage on cards c", plan), plan


async def test_who_may_only_write_deals_reads_no_figures(deals: Deals) -> None:
    await deals.card(valor=10)
    writer = bare(deals.caller, Scope.CRM_WRITE)
    change = f"""mutation {{ updatePipeline(id: "{deals.id}", input: {{descricao: "Nova"}}) {{
        descricao etapas {{ nome quantidade atrasados valorTotal valores {{ valor }} cards(first: 1) {{ totalCount }} }}
        motivos {{ texto }} }} }}"""
    content = await ask(writer, change)
    shown = content["data"]["updatePipeline"]
    assert (shown["descricao"], len(shown["etapas"])) == ("Nova", 4)
    for stage in shown["etapas"]:
        assert set(stage) - {"nome"} == {*FIGURES, "cards"}
        assert {value for name, value in stage.items() if name != "nome"} == {None}
    assert {error["extensions"]["meta"]["escopoExigido"] for error in content["errors"]} == {
        "crm:read"
    }
    assert len(content["errors"]) == 4 * 5
    assert [stage["nome"] for stage in shown["etapas"]] == [
        stage["nome"] for stage in (await get_pipeline(deals.caller, deals.id))["etapas"]
    ]
    with pytest.raises(Forbidden):
        await read_record(writer, PIPELINE, deals.id, Selection())
