"""The numbers of a pipeline: by hand for a few cards, and against a plain calculation for many."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from core import cards, pipelines
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import NotFound, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_query
from tests.factories.organizations import a_caller
from tests.factories.pipelines import a_pipeline, stage_ids
from tests.factories.stored_cards import a_stay, a_stored_card
from tests.support.plain_summary import Board, expected
from tests.support.plans import rows_read

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)

STAGES: list[dict[str, Any]] = [
    {"nome": "A", "probabilidade": 10, "tempoMaximoDias": 5},
    {"nome": "B", "probabilidade": 50},
    {"nome": "C"},
    {"nome": "Won", "resultado": "ganho"},
    {"nome": "Lost", "resultado": "perda"},
]


async def summary_of(caller: Caller, pipeline: dict[str, Any], **query: str) -> dict[str, Any]:
    filter = read_query(pipelines.SummaryFilter, query.items())
    return dict(await cards.summarize_pipeline(caller, pipeline["id"], filter))


def by_name(summary: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The entries of the stages, without their ids."""
    return {
        one["nome"]: {name: value for name, value in one.items() if name not in ("etapaId", "nome")}
        for one in summary["etapas"]
    }


async def test_an_empty_pipeline_has_nothing_to_tell(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=STAGES, motivos=["Preço"])

    summary = await summary_of(caller, pipeline)

    empty = {"quantidade": 0, "atrasados": 0, "valores": [], "entraram": 0, "avancaram": 0}
    assert summary["pipelineId"] == pipeline["id"]
    assert [one["etapaId"] for one in summary["etapas"]] == list(stage_ids(pipeline).values())
    assert by_name(summary) == {stage["nome"]: empty for stage in STAGES}
    assert summary["totais"] == {"abertos": 0, "ganhos": 0, "perdidos": 0, "valores": []}
    assert (summary["motivos"], summary["previsao"]) == ([], [])


async def test_the_numbers_of_a_few_deals_are_right(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=STAGES, motivos=["Preço", "Prazo", "Outro"])
    a, b, c, won, lost = pipeline["etapas"]
    price, term, _ = (one["id"] for one in pipeline["motivos"])
    born = now() - 30 * DAY

    # Straight to the win: a day in A, two in B, won on the third day.
    card = await a_stored_card(
        caller,
        won,
        created_at=born,
        stage_since=born + 3 * DAY,
        won_at=born + 3 * DAY,
        value="500.00",
        probability=20,
    )
    await a_stay(card, a, at=born, until=born + DAY)
    await a_stay(card, b, at=born + DAY, until=born + 3 * DAY)
    # From A to B, back to A, and late there.
    card = await a_stored_card(
        caller,
        a,
        created_at=born,
        stage_since=born + 4 * DAY,
        value="100.05",
        expected_on=date(2026, 12, 24),
    )
    await a_stay(card, a, at=born, until=born + 3 * DAY)
    await a_stay(card, b, at=born + 3 * DAY, until=born + 4 * DAY)
    # In C from the start, without a probability of its own or of the stage.
    await a_stored_card(caller, c, created_at=born, value="70.00", expected_on=date(2026, 12, 1))
    # In B with a probability of its own, in dollars.
    await a_stored_card(
        caller,
        b,
        created_at=born,
        value="10.03",
        currency="USD",
        probability=75,
        expected_on=date(2027, 1, 1),
    )
    # Lost from A for the price, in B for the term, and once without a word and a value.
    card = await a_stored_card(caller, lost, created_at=born, value="80.00", lost_reason_id=price)
    await a_stay(card, a, at=born, until=born + 2 * DAY)
    await a_stored_card(
        caller, lost, created_at=born, value="30.00", currency="USD", lost_reason_id=term
    )
    await a_stored_card(caller, lost, created_at=born, value="20.00", lost_reason_id=term)
    await a_stored_card(caller, lost, created_at=born)

    summary = await summary_of(caller, pipeline)

    assert by_name(summary) == {
        "A": {
            "quantidade": 1,
            "atrasados": 1,
            "valores": [{"moeda": "BRL", "valor": 100.05, "valorPonderado": 10.01}],
            "tempoMedioSegundos": 2 * 86_400,
            "entraram": 3,
            "avancaram": 2,
            "taxaAvanco": 0.6667,
        },
        "B": {
            "quantidade": 1,
            "atrasados": 0,
            "valores": [{"moeda": "USD", "valor": 10.03, "valorPonderado": 7.52}],
            "tempoMedioSegundos": 129_600,
            "entraram": 3,
            "avancaram": 1,
            "taxaAvanco": 0.3333,
        },
        "C": {
            "quantidade": 1,
            "atrasados": 0,
            "valores": [{"moeda": "BRL", "valor": 70.0, "valorPonderado": 0.0}],
            "entraram": 1,
            "avancaram": 0,
            "taxaAvanco": 0.0,
        },
        "Won": {
            "quantidade": 1,
            "atrasados": 0,
            "valores": [{"moeda": "BRL", "valor": 500.0, "valorPonderado": 500.0}],
            "entraram": 1,
            "avancaram": 0,
        },
        "Lost": {
            "quantidade": 4,
            "atrasados": 0,
            "valores": [
                {"moeda": "BRL", "valor": 100.0, "valorPonderado": 0.0},
                {"moeda": "USD", "valor": 30.0, "valorPonderado": 0.0},
            ],
            "entraram": 4,
            "avancaram": 0,
        },
    }
    assert summary["totais"] == {
        "abertos": 3,
        "ganhos": 1,
        "perdidos": 4,
        "taxaGanho": 0.2,
        "cicloMedioSegundos": 3 * 86_400,
        "valores": [
            {
                "moeda": "BRL",
                "aberto": 170.05,
                "ponderado": 10.01,
                "ganho": 500.0,
                "perdido": 100.0,
            },
            {"moeda": "USD", "aberto": 10.03, "ponderado": 7.52, "ganho": 0.0, "perdido": 30.0},
        ],
    }
    assert summary["motivos"] == [
        {
            "motivoId": term,
            "texto": "Prazo",
            "quantidade": 2,
            "valores": [{"moeda": "BRL", "valor": 20.0}, {"moeda": "USD", "valor": 30.0}],
        },
        {
            "motivoId": price,
            "texto": "Preço",
            "quantidade": 1,
            "valores": [{"moeda": "BRL", "valor": 80.0}],
        },
    ]
    assert summary["previsao"] == [
        {"mes": "2026-12", "moeda": "BRL", "ponderado": 10.01},
        {"mes": "2027-01", "moeda": "USD", "ponderado": 7.52},
    ]


@pytest.mark.parametrize(
    ("rest", "late"), [(timedelta(days=5, hours=23), 0), (timedelta(days=6, minutes=1), 1)]
)
async def test_a_deal_is_late_once_its_whole_days_in_the_stage_are_more_than_allowed(
    caller: Caller, rest: timedelta, late: int
) -> None:
    pipeline = await a_pipeline(caller, etapas=STAGES)
    await a_stored_card(caller, pipeline["etapas"][0], stage_since=now() - rest)

    assert by_name(await summary_of(caller, pipeline))["A"]["atrasados"] == late


async def test_cents_are_rounded_once_and_at_the_end(caller: Caller) -> None:
    """Each deal weighs 0.004; rounded one by one they would weigh nothing."""
    pipeline = await a_pipeline(caller, etapas=STAGES)
    for _ in range(10):
        await a_stored_card(caller, pipeline["etapas"][0], value="0.04")

    summary = await summary_of(caller, pipeline)

    assert by_name(summary)["A"]["valores"] == [
        {"moeda": "BRL", "valor": 0.4, "valorPonderado": 0.04}
    ]
    assert summary["totais"]["valores"][0]["ponderado"] == 0.04


async def test_the_largest_values_keep_their_cents(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=STAGES)
    for _ in range(2):
        await a_stored_card(caller, pipeline["etapas"][1], value="9999999999999.99", probability=99)

    assert by_name(await summary_of(caller, pipeline))["B"]["valores"] == [
        {"moeda": "BRL", "valor": 19999999999999.98, "valorPonderado": 19799999999999.98}
    ]


async def test_the_period_is_that_of_creation_and_both_ends_belong_to_it(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=STAGES)
    ends = [datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 31, 23, 59, 59, tzinfo=UTC)]
    for at in (ends[0] - HOUR, *ends, ends[1] + HOUR):
        await a_stored_card(caller, pipeline["etapas"][0], created_at=at)

    summary = await summary_of(caller, pipeline, de="2026-03-01", ate="2026-03-31T23:59:59Z")

    assert summary["periodo"] == {
        "de": "2026-03-01T00:00:00.000Z",
        "ate": "2026-03-31T23:59:59.000Z",
    }
    assert summary["totais"]["abertos"] == 2
    assert by_name(summary)["A"]["entraram"] == 2


async def test_the_usual_period_is_the_last_ninety_days(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=STAGES)
    for days in (1, 89, 91):
        await a_stored_card(caller, pipeline["etapas"][0], created_at=now() - days * DAY)

    assert (await summary_of(caller, pipeline))["totais"]["abertos"] == 2
    until = await summary_of(caller, pipeline, ate="2026-06-30T12:00:00Z")
    assert until["periodo"] == {"de": "2026-04-01T12:00:00.000Z", "ate": "2026-06-30T12:00:00.000Z"}
    first_days = await summary_of(caller, pipeline, ate="0001-01-05T00:00:00Z")
    assert first_days["periodo"]["de"] == "0001-01-01T00:00:00.000Z"


async def test_a_period_ends_after_it_begins(caller: Caller) -> None:
    pipeline = await a_pipeline(caller)

    with pytest.raises(ValidationFailed) as refusal:
        await summary_of(caller, pipeline, de="2026-02-02", ate="2026-02-01")

    assert [(error.kind, error.where) for error in refusal.value.errors] == [("parameter", "de")]
    await summary_of(caller, pipeline, de="2026-02-02", ate="2026-02-02")


async def test_the_numbers_of_one_person_are_those_of_her_deals(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=STAGES)
    for owner in ("acc_1", "acc_1", "acc_2", None):
        await a_stored_card(caller, pipeline["etapas"][0], owner_id=owner, value="10.00")

    summary = await summary_of(caller, pipeline, responsavelId="acc_1")

    assert summary["totais"]["abertos"] == 2
    assert summary["totais"]["valores"][0]["aberto"] == 20.0
    assert by_name(summary)["A"]["entraram"] == 2
    assert (await summary_of(caller, pipeline, responsavelId="nobody"))["totais"]["abertos"] == 0


async def test_stages_that_were_deleted_are_jumped_over(caller: Caller) -> None:
    """A card went from A through a stage that is no longer there to B: it advanced from A."""
    pipeline = await a_pipeline(caller, etapas=STAGES)
    a, b, *_ = pipeline["etapas"]
    at = now() - 5 * DAY
    card = await a_stored_card(caller, b, created_at=at, stage_since=at + 2 * DAY)
    await a_stay(card, a, at=at, until=at + DAY)
    await a_stay(card, {"id": new_id("etp"), "nome": "Gone"}, at=at + DAY, until=at + 2 * DAY)

    stages = by_name(await summary_of(caller, pipeline))

    assert (stages["A"]["entraram"], stages["A"]["avancaram"]) == (1, 1)
    assert (stages["B"]["entraram"], stages["B"]["avancaram"]) == (1, 0)


async def test_a_period_reads_no_history_from_before_it(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = await a_pipeline(caller, etapas=STAGES)
    a, b, *_ = pipeline["etapas"]
    long_ago = now() - 400 * DAY
    for at in (*[long_ago] * 30, *[now() - 5 * DAY] * 3):
        card = await a_stored_card(caller, b, created_at=at, stage_since=at + DAY)
        await a_stay(card, a, at=at, until=at + DAY)
    await db.execute("ANALYZE cards, card_history")

    # Whatever the planner prefers for few rows, the index is what many are read by.
    await db.execute("SET LOCAL enable_seqscan = off")
    await db.execute("SET LOCAL enable_bitmapscan = off")
    await db.execute("SET LOCAL enable_nestloop = off")
    read = await rows_read(summary_of(caller, pipeline), "card_history", monkeypatch)

    assert by_name(await summary_of(caller, pipeline))["A"]["entraram"] == 3
    assert read <= 10


async def test_deals_of_other_pipelines_and_organizations_do_not_count(caller: Caller) -> None:
    pipeline, other = (
        await a_pipeline(caller, etapas=STAGES),
        await a_pipeline(caller, etapas=STAGES),
    )
    await a_stored_card(caller, other["etapas"][0], value="1.00")
    stranger = await a_caller()
    await a_stored_card(stranger, pipeline["etapas"][0], value="1.00")

    assert (await summary_of(caller, pipeline))["totais"] == {
        "abertos": 0,
        "ganhos": 0,
        "perdidos": 0,
        "valores": [],
    }
    with pytest.raises(NotFound):
        await summary_of(stranger, pipeline)


@pytest.mark.parametrize("seed", range(6))
async def test_the_numbers_of_any_deals_are_those_of_a_plain_calculation(
    caller: Caller, seed: int
) -> None:
    pipeline = await a_pipeline(caller, etapas=STAGES, motivos=["Preço", "Prazo", "Outro"])
    board = Board(seed, caller, pipeline)
    await board.fill(40)
    until = now() - timedelta(days=seed)

    for owner in (None, "acc_1"):
        since = until - timedelta(days=60)
        query = {"de": wire_time(since), "ate": wire_time(until)} | (
            {"responsavelId": owner} if owner else {}
        )
        summary = await summary_of(caller, pipeline, **query)

        assert {
            name: summary[name] for name in ("etapas", "totais", "motivos", "previsao")
        } == expected(board, since, until, owner)
        adds_up(summary)


def adds_up(summary: dict[str, Any]) -> None:
    """The stages together are the totals."""
    totals = summary["totais"]
    assert sum(one["quantidade"] for one in summary["etapas"]) == sum(
        totals[name] for name in ("abertos", "ganhos", "perdidos")
    )
    for one in totals["valores"]:
        of_stages = [
            v["valor"]
            for s in summary["etapas"]
            for v in s["valores"]
            if v["moeda"] == one["moeda"]
        ]
        assert sum(map(Decimal, of_stages), Decimal(0)).quantize(Decimal("0.01")) == sum(
            (Decimal(one[name]) for name in ("aberto", "ganho", "perdido")), Decimal(0)
        ).quantize(Decimal("0.01"))
