"""Changing, moving and archiving pipelines."""

import pytest

from core import pipelines
from core.audit.models import AuditEntry
from core.foundation.errors import Conflict, NotFound, ServiceError
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.pipelines import PipelineFilter
from tests.factories.organizations import a_caller
from tests.factories.pipelines import a_pipeline, changed_pipeline
from tests.factories.stored_cards import a_stored_card


async def order_of(caller: Caller, **filter: object) -> list[tuple[str, int]]:
    page = await pipelines.list_pipelines(caller, PipelineFilter.model_validate(filter))
    return [(one["nome"], one["posicao"]) for one in page["items"]]


async def refused(caller: Caller, id: str, **changes: object) -> ServiceError:
    """The refusal that a change meets; the pipeline stays as it was."""
    before, told = await pipelines.get_pipeline(caller, id), await AuditEntry.all().count()
    with pytest.raises(ServiceError) as refusal:
        await changed_pipeline(caller, id, **changes)
    assert await pipelines.get_pipeline(caller, id) == before
    assert await AuditEntry.all().count() == told
    return refusal.value


async def test_only_what_is_sent_changes_and_null_clears_the_description(caller: Caller) -> None:
    created = await a_pipeline(caller, nome="Vendas", descricao="Direct", motivos=["Preço"])

    renamed = await changed_pipeline(caller, created["id"], nome=" Vendas diretas ")
    assert renamed == {
        **created,
        "nome": "Vendas diretas",
        "versao": 2,
        "updatedAt": renamed["updatedAt"],
    }
    assert renamed["updatedAt"] >= created["updatedAt"]

    cleared = await changed_pipeline(caller, created["id"], descricao=None)
    assert "descricao" not in cleared
    assert cleared["versao"] == 3
    assert await pipelines.get_pipeline(caller, created["id"]) == cleared


async def test_changing_nothing_leaves_version_time_and_trail_alone(caller: Caller) -> None:
    created = await a_pipeline(caller, motivos=["Preço"])

    same = {
        name: created[name]
        for name in ("nome", "tipo", "posicao", "arquivado", "motivos", "versao")
    }
    assert await changed_pipeline(caller, created["id"], **same) == created
    assert await changed_pipeline(caller, created["id"]) == created
    assert await AuditEntry.filter(action="pipeline.changed").count() == 0


async def test_a_version_that_is_past_is_refused(caller: Caller) -> None:
    created = await a_pipeline(caller)
    await changed_pipeline(caller, created["id"], nome="First", versao=1)

    outdated = await refused(caller, created["id"], nome="Second", versao=1)

    assert isinstance(outdated, Conflict)
    assert outdated.meta == {"code": "VERSAO_DESATUALIZADA", "versaoAtual": 2}
    assert (await changed_pipeline(caller, created["id"], nome="Second", versao=2))["versao"] == 3


async def test_the_kind_never_changes(caller: Caller) -> None:
    created = await a_pipeline(caller)

    assert (await refused(caller, created["id"], tipo="cobranca")).meta == {"code": "TIPO_IMUTAVEL"}
    assert (await refused(caller, created["id"], tipo="x", nome="Other")).meta == {
        "code": "TIPO_IMUTAVEL"
    }


async def test_a_pipeline_cannot_take_the_name_of_another(caller: Caller) -> None:
    await a_pipeline(caller, nome="Vendas")
    other = await a_pipeline(caller, nome="Other")

    assert (await refused(caller, other["id"], nome="Vendas")).meta == {
        "code": "NOME_JA_CADASTRADO"
    }


async def test_a_pipeline_comes_out_of_the_archive_only_under_a_free_name(caller: Caller) -> None:
    first = await a_pipeline(caller, nome="Vendas")
    await changed_pipeline(caller, first["id"], arquivado=True)
    await a_pipeline(caller, nome="Vendas")

    assert (await refused(caller, first["id"], arquivado=False)).meta == {
        "code": "NOME_JA_CADASTRADO"
    }
    back = await changed_pipeline(caller, first["id"], arquivado=False, nome="Vendas 2")
    assert (back["arquivado"], back["nome"]) == (False, "Vendas 2")


async def test_a_pipeline_with_open_deals_is_archived_only_by_force(caller: Caller) -> None:
    created = await a_pipeline(caller)
    stages = created["etapas"]
    for stage in (stages[0], stages[1], stages[4], stages[5]):
        await a_stored_card(caller, stage)

    held = await refused(caller, created["id"], arquivado=True, forcar=False)

    assert isinstance(held, Conflict)
    assert held.meta == {"code": "PIPELINE_COM_NEGOCIOS_ABERTOS", "quantidade": 2}
    assert (await changed_pipeline(caller, created["id"], arquivado=True, forcar=True))[
        "arquivado"
    ] is True
    assert (await changed_pipeline(caller, created["id"], arquivado=True))["versao"] == 2


async def test_closed_deals_hold_no_pipeline_back_from_the_archive(caller: Caller) -> None:
    created = await a_pipeline(caller)
    for stage in created["etapas"][4:]:
        await a_stored_card(caller, stage)

    assert (await changed_pipeline(caller, created["id"], arquivado=True))["arquivado"] is True


@pytest.mark.parametrize(
    ("place", "order"),
    [(0, "cabd"), (1, "acbd"), (2, "abcd"), (3, "abdc"), (99, "abdc")],
)
async def test_a_pipeline_is_put_at_a_place_and_the_others_make_room(
    caller: Caller, place: int, order: str
) -> None:
    made = {name: await a_pipeline(caller, nome=name) for name in "abcd"}
    stranger = await a_caller()
    await a_pipeline(stranger, nome="theirs")

    await changed_pipeline(caller, made["c"]["id"], posicao=place)

    assert await order_of(caller) == [(name, position) for position, name in enumerate(order)]
    assert await order_of(stranger) == [("theirs", 0)]
    assert (await pipelines.get_pipeline(caller, made["a"]["id"]))["versao"] == 1


async def test_archived_pipelines_do_not_count_as_places(caller: Caller) -> None:
    made = {name: await a_pipeline(caller, nome=name) for name in "abc"}
    await changed_pipeline(caller, made["a"]["id"], arquivado=True)

    await changed_pipeline(caller, made["c"]["id"], posicao=0)

    assert await order_of(caller) == [("c", 0), ("b", 1)]


async def test_a_pipeline_that_does_not_exist_is_not_found(caller: Caller) -> None:
    for id in (new_id("pip"), new_id("etp"), "x", ""):
        with pytest.raises(NotFound):
            await changed_pipeline(caller, id, nome="x", posicao=0)


async def test_a_change_is_told_in_the_trail_without_values(caller: Caller) -> None:
    created = await a_pipeline(caller, nome="Secret")

    await changed_pipeline(
        caller, created["id"], nome="Secret 2", arquivado=True, motivos=["Secret 3"]
    )

    (entry,) = await AuditEntry.filter(action="pipeline.changed", subject_id=created["id"])
    assert entry.facts == {
        "changed": ["name", "archived", "reasons"],
        "archived": True,
        "version": 2,
    }
