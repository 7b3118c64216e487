"""Decisions: States and moves, Journey; Settled after use, Journeys."""

from collections.abc import Awaitable, Callable
from typing import Any

from core import journeys
from core.foundation.errors import ServiceError
from core.journeys import Journey
from core.journeys.models import JourneyStatus
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.journeys import a_journey


def being(status: JourneyStatus) -> Callable[[World], Awaitable[str]]:
    async def state(world: World) -> str:
        id = str((await a_journey(world.caller))["id"])
        await Journey.filter(id=id).update(status=status)
        return id

    return state


def by(use_case: Callable[..., Awaitable[Any]]) -> Callable[[World, str], Awaitable[object]]:
    """It is done to the journey, or refused."""

    async def cause(world: World, id: str) -> None:
        try:
            await use_case(world.caller, id)
        except ServiceError as refusal:
            world.notes["effect"] = str(refusal.meta["code"])

    return cause


async def state_of(world: World, id: str) -> str:
    found = await Journey.get_or_none(id=id)
    return found.status.value if found else "gone"


async def effects_of(world: World, id: str) -> list[str]:
    return [world.notes["effect"]] if "effect" in world.notes else []


MACHINES = [
    Machine(
        name="Journey",
        states={status.value: being(status) for status in JourneyStatus},
        causes={
            "activated": by(journeys.activate_journey),
            "paused": by(journeys.pause_journey),
            "resumed": by(journeys.resume_journey),
            "entries ended": by(journeys.end_entries),
            "archived": by(journeys.archive_journey),
            "deleted": by(journeys.delete_journey),
        },
        moves=[
            Move(start="rascunho", cause="activated", end="ativa"),
            Move(start="ativa", cause="activated", end="ativa", effects="JORNADA_ATIVA"),
            Move(start="pausada", cause="activated", end="pausada", effects="STATUS_NAO_PERMITE"),
            Move(start="ativa", cause="paused", end="pausada"),
            Move(start="pausada", cause="resumed", end="ativa"),
            *(
                Move(start="rascunho", cause=cause, end="rascunho", effects="STATUS_NAO_PERMITE")
                for cause in ("paused", "resumed", "entries ended")
            ),
            *(
                Move(start="arquivada", cause=cause, end="arquivada", effects="JORNADA_ARQUIVADA")
                for cause in ("activated", "paused", "resumed", "entries ended")
            ),
            *(
                Move(start=status, cause="archived", end="arquivada")
                for status in ("rascunho", "ativa", "pausada")
            ),
            Move(start="rascunho", cause="deleted", end="gone"),
            *(
                Move(start=status, cause="deleted", end=status, effects="STATUS_NAO_PERMITE")
                for status in ("ativa", "pausada", "arquivada")
            ),
        ],
        state_of=state_of,
        effects_of=effects_of,
    )
]
