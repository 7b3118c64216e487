"""Decisions: States and moves, Flow."""

from collections.abc import Awaitable, Callable
from typing import Any

from core import flows
from core.flows import Flow, FlowChanges
from core.foundation.clock import now
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller
from core.numbers import Number
from core.providers.platform import FlowNotice
from tests.contract.rows.flows import a_flow_in
from tests.contract.table import Machine, Move
from tests.contract.world import World

Cause = Callable[[World, str], Awaitable[object]]

STATES = {
    "draft": a_flow_in("draft", None),
    "active": a_flow_in("active"),
    "paused": a_flow_in("paused"),
    "deprecated": a_flow_in("deprecated", "DEPRECATED"),
    "archived": a_flow_in("archived", None),
}


def made_by(make: Callable[[Caller], Awaitable[str]]) -> Callable[[World], Awaitable[str]]:
    async def state(world: World) -> str:
        return await make(world.caller)

    return state


def by(use_case: Callable[..., Awaitable[Any]], *more: Any) -> Cause:
    """Something is done to it, or refused."""

    async def cause(world: World, id: str) -> None:
        try:
            record = await use_case(world.caller, id, *more)
        except ServiceError as refusal:
            world.notes["effect"] = str(refusal.meta["code"])
        else:
            if record is not None and "versaoDe" in record:
                world.notes["effect"] = f"version {record['version']} beside it"

    return cause


def noticed(status: str) -> Cause:
    """The platform tells it by itself."""

    async def cause(world: World, id: str) -> None:
        number = await Number.get(id=(await Flow.get(id=id)).number_id)
        await flows.apply_notices([FlowNotice(number.waba_id, "9", status, now())], now())

    return cause


async def state_of(world: World, id: str) -> str:
    found = await Flow.get_or_none(id=id)
    return found.status.value if found else "gone"


async def effects_of(world: World, id: str) -> list[str]:
    found = await Flow.get_or_none(id=id)
    held_back = found is not None and found.meta_status in ("BLOCKED", "THROTTLED")
    return ([str(found.meta_status)] if found and held_back else []) + (
        [world.notes["effect"]] if "effect" in world.notes else []
    )


MOVES = {
    "published": {"draft": "active"},
    "paused": {"active": "paused"},
    "resumed": {"paused": "active"},
    "deprecated": {"active": "deprecated", "paused": "deprecated"},
    "archived": {"draft": "archived", "deprecated": "archived"},
    "deleted": {"draft": "gone"},
}

MACHINES = [
    Machine(
        name="Flow",
        states={name: made_by(make) for name, make in STATES.items()},
        causes={
            "published": by(flows.publish_flow),
            "paused": by(flows.pause_flow),
            "resumed": by(flows.resume_flow),
            "deprecated": by(flows.deprecate_flow),
            "archived": by(flows.archive_flow),
            "deleted": by(flows.delete_flow),
            "changed": by(flows.change_flow, FlowChanges(name="Outra")),
            "blocked there": noticed("BLOCKED"),
            "throttled there": noticed("THROTTLED"),
            "deprecated there": noticed("DEPRECATED"),
        },
        moves=[
            *(
                Move(start=state, cause=cause, end=moves[state])
                if state in moves
                else Move(start=state, cause=cause, end=state, effects="STATUS_NAO_PERMITE")
                for cause, moves in MOVES.items()
                for state in STATES
            ),
            *(
                Move(start=state, cause="changed", end=state, effects="version 2 beside it")
                for state in ("active", "paused")
            ),
            *(
                Move(start=state, cause="changed", end=state, effects="STATUS_NAO_PERMITE")
                for state in ("deprecated", "archived")
            ),
            *(
                Move(start=state, cause=f"{word.lower()} there", end=state, effects=word)
                for word in ("BLOCKED", "THROTTLED")
                for state in ("active", "paused")
            ),
            *(
                Move(start=state, cause="deprecated there", end="deprecated")
                for state in ("active", "paused")
            ),
        ],
        state_of=state_of,
        effects_of=effects_of,
    )
]
