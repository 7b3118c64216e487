"""Replacing the reasons for losing."""

from typing import Any

import pytest

from core import pipelines
from core.foundation.clock import now
from core.foundation.errors import Conflict, ServiceError, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.pipelines import LostReason
from tests.factories.pipelines import a_pipeline, changed_pipeline
from tests.factories.stored_cards import a_stay, a_stored_card

FOUR = ["Preço", "Prazo", "Concorrente", {"texto": "Outro", "exigeObservacao": True}]


@pytest.fixture
async def pipeline(caller: Caller) -> dict[str, Any]:
    return await a_pipeline(caller, motivos=FOUR)


def ids(pipeline: dict[str, Any]) -> dict[str, str]:
    return {reason["texto"]: reason["id"] for reason in pipeline["motivos"]}


def texts(pipeline: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(reason["texto"], reason["ativo"]) for reason in pipeline["motivos"]]


async def replaced(caller: Caller, pipeline: dict[str, Any], reasons: list[Any]) -> dict[str, Any]:
    """The pipeline with these reasons, which is also how it is stored."""
    changed = await changed_pipeline(caller, pipeline["id"], motivos=reasons)
    assert dict(await pipelines.get_pipeline(caller, pipeline["id"])) == changed
    return changed


async def lost_for(caller: Caller, pipeline: dict[str, Any], reason_id: str) -> None:
    await a_stored_card(caller, pipeline["etapas"][5], lost_reason_id=reason_id)


async def refused(caller: Caller, pipeline: dict[str, Any], reasons: list[Any]) -> ServiceError:
    with pytest.raises(ServiceError) as refusal:
        await changed_pipeline(caller, pipeline["id"], motivos=reasons)
    assert await pipelines.get_pipeline(caller, pipeline["id"]) == pipeline
    return refusal.value


async def test_the_reasons_become_those_that_were_sent(
    caller: Caller, pipeline: dict[str, Any]
) -> None:
    before = ids(pipeline)

    after = await replaced(caller, pipeline, ["Novo motivo", "Prazo"])

    assert texts(after) == [("Novo motivo", True), ("Prazo", True)]
    assert ids(after)["Prazo"] == before["Prazo"]
    assert ids(after)["Novo motivo"] not in before.values()
    assert after["versao"] == 2
    assert await LostReason.all().count() == 2


async def test_the_order_sent_is_the_order_kept(caller: Caller, pipeline: dict[str, Any]) -> None:
    after = await replaced(caller, pipeline, list(reversed(FOUR)))

    assert [text for text, _ in texts(after)] == ["Outro", "Concorrente", "Prazo", "Preço"]
    assert ids(after) == ids(pipeline)


async def test_a_reason_named_by_its_id_may_get_another_text(
    caller: Caller, pipeline: dict[str, Any]
) -> None:
    price = ids(pipeline)["Preço"]

    after = await replaced(
        caller, pipeline, [{"id": price, "texto": "Caro", "exigeObservacao": True}, "Preço"]
    )

    assert after["motivos"][0] == {
        "id": price,
        "texto": "Caro",
        "ativo": True,
        "exigeObservacao": True,
    }
    assert after["motivos"][1]["id"] not in ids(pipeline).values()


async def test_a_reason_that_was_used_is_made_inactive_and_not_removed(
    caller: Caller, pipeline: dict[str, Any]
) -> None:
    used = ids(pipeline)
    await lost_for(caller, pipeline, used["Preço"])

    after = await replaced(caller, pipeline, ["Prazo"])

    assert texts(after) == [("Prazo", True), ("Preço", False)]
    assert ids(after) == {"Prazo": used["Prazo"], "Preço": used["Preço"]}


async def test_a_reason_that_only_the_history_knows_was_used_too(
    caller: Caller, pipeline: dict[str, Any]
) -> None:
    stage = pipeline["etapas"][5]
    card = await a_stored_card(caller, pipeline["etapas"][0])
    await a_stay(card, stage, at=now(), until=now(), lost_reason_id=ids(pipeline)["Outro"])

    after = await replaced(caller, pipeline, [])

    assert after["motivos"] == [
        {"id": ids(pipeline)["Outro"], "texto": "Outro", "ativo": False, "exigeObservacao": True}
    ]


async def test_an_inactive_reason_comes_back_under_its_text(
    caller: Caller, pipeline: dict[str, Any]
) -> None:
    await lost_for(caller, pipeline, ids(pipeline)["Preço"])
    await replaced(caller, pipeline, [])

    after = await replaced(caller, pipeline, ["Preço"])

    assert after["motivos"] == [
        {"id": ids(pipeline)["Preço"], "texto": "Preço", "ativo": True, "exigeObservacao": False}
    ]


async def test_reasons_of_another_pipeline_stay(caller: Caller, pipeline: dict[str, Any]) -> None:
    other = await a_pipeline(caller, motivos=FOUR)

    await replaced(caller, pipeline, [])

    assert await pipelines.get_pipeline(caller, other["id"]) == other


async def test_an_id_that_the_pipeline_does_not_know_is_named(
    caller: Caller, pipeline: dict[str, Any]
) -> None:
    other = await a_pipeline(caller, motivos=FOUR)
    reasons = ["A", {"id": new_id("mot"), "texto": "B"}, {"id": ids(other)["Preço"], "texto": "C"}]

    unknown = await refused(caller, pipeline, reasons)

    assert isinstance(unknown, ValidationFailed)
    assert [(error.where, error.code) for error in unknown.errors] == [
        ("/motivos/1/id", "VINCULO_INVALIDO"),
        ("/motivos/2/id", "VINCULO_INVALIDO"),
    ]


@pytest.mark.parametrize(
    ("reasons", "code"),
    [
        ([" "], "MOTIVO_VAZIO"),
        ([{"texto": "\t"}], "MOTIVO_VAZIO"),
        (["A", {"texto": "A"}], "repeated"),
    ],
)
async def test_blank_and_repeated_reasons_are_refused(
    caller: Caller, pipeline: dict[str, Any], reasons: list[Any], code: str
) -> None:
    wrong = await refused(caller, pipeline, reasons)

    assert isinstance(wrong, ValidationFailed)
    assert [error.code for error in wrong.errors] == [code]


async def test_reasons_need_a_lost_stage(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=[{"nome": "Novo"}])

    without = await refused(caller, pipeline, ["Preço"])

    assert isinstance(without, Conflict)
    assert without.meta == {"code": "MOTIVOS_SEM_ETAPA_DE_PERDA"}
    assert await changed_pipeline(caller, pipeline["id"], motivos=[]) == pipeline
