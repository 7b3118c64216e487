"""Adding, changing and ordering stages."""

from typing import Any

import pytest

from core import pipelines
from core.audit.models import AuditEntry
from core.foundation.errors import Conflict, NotFound, ServiceError, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.pipelines import Stage, StageOrder
from tests.factories.pipelines import (
    a_pipeline,
    an_added_stage,
    changed_pipeline,
    changed_stage,
    stage_ids,
)
from tests.factories.stored_cards import a_stored_card

OPEN_ONLY = [{"nome": "A"}, {"nome": "B"}]


async def names_of(caller: Caller, id: str) -> list[str]:
    """The stages in their order, whose positions have no gap."""
    stages = (await pipelines.get_pipeline(caller, id))["etapas"]
    assert [stage["posicao"] for stage in stages] == list(range(len(stages)))
    return [stage["nome"] for stage in stages]


async def refused(caller: Caller, pipeline: dict[str, Any], use_case: Any) -> ServiceError:
    """The refusal that a use case meets; the pipeline stays as it was."""
    before, told = (
        await pipelines.get_pipeline(caller, pipeline["id"]),
        await AuditEntry.all().count(),
    )
    with pytest.raises(ServiceError) as refusal:
        await use_case
    assert await pipelines.get_pipeline(caller, pipeline["id"]) == before
    assert await AuditEntry.all().count() == told
    return refusal.value


async def test_a_new_stage_stands_in_front_of_won_and_lost(caller: Caller) -> None:
    pipeline = await a_pipeline(caller)

    added = await an_added_stage(
        caller,
        pipeline["id"],
        nome="Prova",
        probabilidade=70,
        tempoMaximoDias=5,
        camposObrigatorios=["valor", "contato"],
        cor="blue",
    )

    assert added == {
        "id": added["id"],
        "pipelineId": pipeline["id"],
        "nome": "Prova",
        "posicao": 4,
        "resultado": "aberta",
        "probabilidade": 70,
        "tempoMaximoDias": 5,
        "camposObrigatorios": ["valor", "contato"],
        "cor": "blue",
    }
    assert await names_of(caller, pipeline["id"]) == [
        "Novo",
        "Qualificado",
        "Proposta",
        "Negociação",
        "Prova",
        "Ganho",
        "Perdido",
    ]
    after = await pipelines.get_pipeline(caller, pipeline["id"])
    assert (after["versao"], after["etapas"][4]) == (2, added)
    (entry,) = await AuditEntry.filter(subject_id=added["id"])
    assert (entry.action, entry.facts) == (
        "stage.created",
        {"pipelineId": pipeline["id"], "outcome": "aberta"},
    )


@pytest.mark.parametrize(("place", "order"), [(0, "CAB"), (1, "ACB"), (2, "ABC"), (99, "ABC")])
async def test_a_new_stage_stands_where_it_was_put(caller: Caller, place: int, order: str) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)

    added = await an_added_stage(caller, pipeline["id"], nome="C", posicao=place)

    assert await names_of(caller, pipeline["id"]) == list(order)
    assert added["posicao"] == order.index("C")


@pytest.mark.parametrize(("outcome", "probability"), [("ganho", 100), ("perda", 0)])
async def test_a_stage_that_closes_deals_is_certain(
    caller: Caller, outcome: str, probability: int
) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)

    added = await an_added_stage(
        caller, pipeline["id"], nome="End", resultado=outcome, probabilidade=50
    )

    assert (added["probabilidade"], added["posicao"]) == (probability, 2)
    again = an_added_stage(caller, pipeline["id"], nome="End 2", resultado=outcome)
    assert (await refused(caller, pipeline, again)).meta == {"code": "ETAPA_DE_RESULTADO_JA_EXISTE"}


async def test_a_name_is_taken_once_in_a_pipeline(caller: Caller) -> None:
    pipeline, other = (
        await a_pipeline(caller, etapas=OPEN_ONLY),
        await a_pipeline(caller, etapas=OPEN_ONLY),
    )
    ids = stage_ids(pipeline)

    for use_case in (
        an_added_stage(caller, pipeline["id"], nome=" A "),
        changed_stage(caller, pipeline["id"], ids["B"], nome="A"),
    ):
        taken = await refused(caller, pipeline, use_case)
        assert isinstance(taken, Conflict)
        assert taken.meta == {"code": "NOME_JA_CADASTRADO"}
    await an_added_stage(caller, pipeline["id"], nome="a")
    await an_added_stage(caller, other["id"], nome="C")


async def test_a_pipeline_has_thirty_stages_at_most(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=[{"nome": str(n)} for n in range(29)])
    await an_added_stage(caller, pipeline["id"], nome="29")

    full = await refused(caller, pipeline, an_added_stage(caller, pipeline["id"], nome="30"))

    assert full.meta == {"code": "LIMITE_DE_ETAPAS"}


async def test_only_what_is_sent_of_a_stage_changes_and_null_clears(caller: Caller) -> None:
    pipeline = await a_pipeline(
        caller,
        etapas=[
            {
                "nome": "A",
                "probabilidade": 5,
                "tempoMaximoDias": 3,
                "camposObrigatorios": ["valor"],
                "cor": "x",
            }
        ],
    )
    (stage,) = pipeline["etapas"]

    renamed = await changed_stage(caller, pipeline["id"], stage["id"], nome="B")
    assert renamed == {**stage, "nome": "B"}

    cleared = await changed_stage(
        caller,
        pipeline["id"],
        stage["id"],
        probabilidade=None,
        tempoMaximoDias=None,
        camposObrigatorios=[],
        cor=None,
    )
    assert cleared == {
        "id": stage["id"],
        "pipelineId": pipeline["id"],
        "nome": "B",
        "posicao": 0,
        "resultado": "aberta",
        "camposObrigatorios": [],
    }
    after = await pipelines.get_pipeline(caller, pipeline["id"])
    assert (after["etapas"], after["versao"]) == ([cleared], 3)
    assert await changed_stage(caller, pipeline["id"], stage["id"], nome="B") == cleared
    assert (await pipelines.get_pipeline(caller, pipeline["id"]))["versao"] == 3


async def test_the_probability_of_a_stage_that_closes_deals_stays(caller: Caller) -> None:
    pipeline = await a_pipeline(caller)
    ids = stage_ids(pipeline)

    for name, probability in (("Ganho", 100), ("Perdido", 0)):
        changed = await changed_stage(caller, pipeline["id"], ids[name], probabilidade=50)
        assert changed["probabilidade"] == probability


async def test_only_open_stages_have_a_time(caller: Caller) -> None:
    pipeline = await a_pipeline(caller)
    ids = stage_ids(pipeline)

    wrong = await refused(
        caller, pipeline, changed_stage(caller, pipeline["id"], ids["Ganho"], tempoMaximoDias=3)
    )

    assert isinstance(wrong, ValidationFailed)
    assert [(error.where, error.code) for error in wrong.errors] == [
        ("/tempoMaximoDias", "not_allowed")
    ]


async def test_the_outcome_of_an_empty_stage_changes_and_its_probability_with_it(
    caller: Caller,
) -> None:
    pipeline = await a_pipeline(
        caller, etapas=[{"nome": "A"}, {"nome": "B", "probabilidade": 50, "tempoMaximoDias": 3}]
    )
    id = stage_ids(pipeline)["B"]

    won = await changed_stage(caller, pipeline["id"], id, resultado="ganho")
    assert (won["resultado"], won["probabilidade"], "tempoMaximoDias" in won) == (
        "ganho",
        100,
        False,
    )
    lost = await changed_stage(caller, pipeline["id"], id, resultado="perda")
    assert (lost["resultado"], lost["probabilidade"]) == ("perda", 0)
    opened = await changed_stage(caller, pipeline["id"], id, resultado="aberta", tempoMaximoDias=9)
    assert (opened["resultado"], "probabilidade" in opened, opened["tempoMaximoDias"]) == (
        "aberta",
        False,
        9,
    )


async def test_the_outcome_stays_while_deals_are_in_the_stage(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)
    stage = pipeline["etapas"][0]
    cards = [await a_stored_card(caller, stage) for _ in range(12)]

    held = await refused(
        caller, pipeline, changed_stage(caller, pipeline["id"], stage["id"], resultado="ganho")
    )

    assert isinstance(held, Conflict)
    assert held.meta == {
        "code": "ETAPA_COM_NEGOCIOS",
        "quantidade": 12,
        "exemplos": sorted(card.id for card in cards)[:10],
    }
    renamed = await changed_stage(
        caller, pipeline["id"], stage["id"], nome="Z", resultado="aberta", probabilidade=1
    )
    assert renamed["nome"] == "Z"


async def test_an_outcome_changes_only_into_one_that_the_pipeline_can_be_with(
    caller: Caller,
) -> None:
    pipeline = await a_pipeline(
        caller,
        etapas=[
            {"nome": "A"},
            {"nome": "Won", "resultado": "ganho"},
            {"nome": "Lost", "resultado": "perda"},
        ],
        motivos=["Preço"],
    )
    ids = stage_ids(pipeline)

    for name, outcome, code in (
        ("A", "ganho", "ULTIMA_ETAPA_ABERTA"),
        ("Lost", "aberta", "MOTIVOS_SEM_ETAPA_DE_PERDA"),
        ("Won", "perda", "ETAPA_DE_RESULTADO_JA_EXISTE"),
    ):
        use_case = changed_stage(caller, pipeline["id"], ids[name], resultado=outcome)
        assert (await refused(caller, pipeline, use_case)).meta == {"code": code}
    await changed_pipeline(caller, pipeline["id"], motivos=[])
    assert (await changed_stage(caller, pipeline["id"], ids["Lost"], resultado="aberta"))[
        "resultado"
    ] == "aberta"


async def test_stages_are_put_in_another_order(caller: Caller) -> None:
    pipeline = await a_pipeline(caller)
    backwards = list(reversed(list(stage_ids(pipeline).values())))

    after = await pipelines.reorder_stages(caller, pipeline["id"], StageOrder(stage_ids=backwards))

    assert [stage["id"] for stage in after["etapas"]] == backwards
    assert after["versao"] == 2
    assert await pipelines.get_pipeline(caller, pipeline["id"]) == after
    assert await names_of(caller, pipeline["id"]) == [
        "Perdido",
        "Ganho",
        "Negociação",
        "Proposta",
        "Qualificado",
        "Novo",
    ]
    assert (
        await pipelines.reorder_stages(caller, pipeline["id"], StageOrder(stage_ids=backwards))
        == after
    )


async def test_an_order_names_every_stage_exactly_once(caller: Caller) -> None:
    pipeline, other = (
        await a_pipeline(caller, etapas=OPEN_ONLY),
        await a_pipeline(caller, etapas=OPEN_ONLY),
    )
    first, second = stage_ids(pipeline).values()

    for wrong in (
        [first],
        [first, first],
        [first, second, second],
        [first, second, new_id("etp")],
        [first, stage_ids(other)["A"]],
    ):
        use_case = pipelines.reorder_stages(caller, pipeline["id"], StageOrder(stage_ids=wrong))
        refusal = await refused(caller, pipeline, use_case)
        assert isinstance(refusal, ValidationFailed)
        assert [(error.where, error.code) for error in refusal.errors] == [
            ("/etapaIds", "ORDEM_INCOMPLETA")
        ]
        assert refusal.meta == {"code": "ORDEM_INCOMPLETA"}


async def test_a_stage_of_another_pipeline_is_not_found(caller: Caller) -> None:
    pipeline, other = (
        await a_pipeline(caller, etapas=OPEN_ONLY),
        await a_pipeline(caller, etapas=OPEN_ONLY),
    )

    for id in (stage_ids(other)["A"], new_id("etp"), "x"):
        with pytest.raises(NotFound):
            await changed_stage(caller, pipeline["id"], id, nome="Z")
    assert await Stage.filter(name="Z").count() == 0
