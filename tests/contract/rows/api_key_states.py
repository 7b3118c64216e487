"""Decisions: the life of an API key."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

from core import organizations
from core.foundation.clock import now
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller, Scope
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.keys import an_issued_key
from tests.support.told import audited, events

Do = Callable[[Caller, str], Awaitable[object]]


def admin(world: World) -> Caller:
    return replace(world.caller, scopes=frozenset(Scope))


def a_key_that(**columns: object) -> Callable[[World], Awaitable[str]]:
    async def state(world: World) -> str:
        id = str((await an_issued_key(admin(world)))["id"])
        if columns:
            await organizations.ApiKey.filter(id=id).update(**columns)
        return id

    return state


def tried(do: Do) -> Callable[[World, str], Awaitable[object]]:
    async def cause(world: World, id: str) -> None:
        try:
            await do(admin(world), id)
        except ServiceError as refusal:
            world.notes["refused"] = f"refused {refusal.meta['code']}"

    return cause


async def state_of(world: World, id: str) -> str:
    return str((await organizations.get_key(admin(world), id))["status"])


async def effects_of(world: World, id: str) -> list[str]:
    organization = world.caller.organization_id
    recorded = [
        entry["action"]
        for entry in await audited(organization, "apikey.")
        if entry["subject_id"] == id
    ]
    told = [f"event {event['type']}" for event in await events(organization, "apikey.rotated")]
    return [*recorded, *told, *([world.notes["refused"]] if "refused" in world.notes else [])]


PAST = now() - timedelta(days=1)

MACHINES = [
    Machine(
        name="API key",
        states={
            "ativa": a_key_that(),
            "expirada": a_key_that(expires_at=PAST),
            "revogada": a_key_that(revoked_at=PAST),
        },
        causes={
            "PATCH": tried(
                lambda who, key: organizations.change_key(
                    who, key, organizations.KeyChanges(name="other")
                )
            ),
            "rotate": tried(
                lambda who, key: organizations.rotate_key(who, key, organizations.KeyRotation())
            ),
            "rotate at once": tried(
                lambda who, key: organizations.rotate_key(
                    who, key, organizations.KeyRotation(overlap_hours=0)
                )
            ),
            "DELETE": tried(organizations.revoke_key),
        },
        moves=[
            Move(start="ativa", cause="PATCH", end="ativa", effects="apikey.changed"),
            Move(
                start="ativa",
                cause="rotate",
                end="ativa",
                effects="apikey.rotated, event apikey.rotated",
            ),
            Move(
                start="ativa",
                cause="rotate at once",
                end="expirada",
                effects="apikey.rotated, event apikey.rotated",
            ),
            Move(start="ativa", cause="DELETE", end="revogada", effects="apikey.revoked"),
            Move(start="expirada", cause="DELETE", end="revogada", effects="apikey.revoked"),
            *(
                Move(start=state, cause=cause, end=state, effects=f"refused {code}")
                for state, code in (("expirada", "CHAVE_EXPIRADA"), ("revogada", "CHAVE_REVOGADA"))
                for cause in ("PATCH", "rotate", "rotate at once")
            ),
        ],
        state_of=state_of,
        effects_of=effects_of,
    )
]
