"""Decisions: the import of contacts."""

from collections.abc import Awaitable, Callable

from core import lists
from core.foundation.security.caller import Caller
from tests.contract.table import Before, Endpoint, Limit, Refusal
from tests.contract.world import World
from tests.factories.organizations import a_caller

ENDPOINTS = [
    Endpoint(
        address="POST /contacts/import",
        scope="contacts:write",
        errors="400 401 403 422",
        fields="contatos[]! chave seExistir listId simular silencioso",
        body={"contatos": [{"phone": "<phone>"}]},
        body_limit=50_000_000,
    )
]

IMPORT = "POST /contacts/import"


async def another_organization(world: World) -> Caller:
    return await a_caller(world.caller.env)


async def the_other_environment(world: World) -> Caller:
    return world.in_the_other_environment()


def a_list_of(whose: Callable[[World], Awaitable[Caller]]) -> Before:
    """The list that is named is one of somebody else's."""

    async def made(world: World) -> None:
        stored = await lists.create_list(await whose(world), lists.NewList(name="VIP"))
        world.records["list"] = stored["id"]

    return made


REFUSALS = [
    Refusal(
        status=422,
        address=IMPORT,
        before=a_list_of(whose),
        change={"listId": "<list>"},
        meta={"code": "VINCULO_INVALIDO"},
        wrong={"/listId": "VINCULO_INVALIDO"},
    )
    for whose in (another_organization, the_other_environment)
]

LIMITS = [
    # Lines are judged one by one, so the largest import may be all faults.
    Limit(
        address=IMPORT,
        field="/contatos",
        takes=[[{}], [{}] * 10_000],
        refuses=[
            ([], "too_few"),
            ([{}] * 10_001, "too_many"),
            ([{"phone": "+5511987654321", "name": "a\x00"}], "nul", "/0/name"),
        ],
    ),
    Limit(
        address=IMPORT,
        field="/chave",
        takes=["phone", "externalId"],
        refuses=[("email", "not_allowed")],
    ),
    Limit(
        address=IMPORT,
        field="/simular",
        takes=[True, False],
        refuses=[(1, "wrong_type"), ("true", "wrong_type")],
    ),
    Limit(
        address=IMPORT,
        field="/seExistir",
        takes=["atualizar", "ignorar", "erro"],
        refuses=[("apagar", "not_allowed")],
    ),
]
