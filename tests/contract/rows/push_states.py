"""Interface and decisions: States, Push device and dispatch."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from core import push
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.push.sandbox_sender import ANSWER_TIMEOUT
from tests.contract.rows.push import always_quiet
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.push import a_device, a_dispatch, opt_out

DAY = timedelta(days=1)


def a_push(
    *tokens: str, later: bool = False, quiet: bool = False, started: bool = False
) -> Callable[[World], Awaitable[str]]:
    """A dispatch to devices of these tokens."""

    async def state(world: World) -> str:
        for token in tokens:
            await a_device(world.caller, token)
        if quiet:
            await always_quiet(world)
        id = str(
            (
                await a_dispatch(
                    world.caller, **({"scheduledAt": (now() + DAY).isoformat()} if later else {})
                )
            )["id"]
        )
        if quiet:
            await push.put_settings(world.caller, push.PushSettings(janela_silencio=None))
        if started:
            await the_worker_runs(world, id)
        return id

    return state


async def the_worker_runs(world: World, id: str) -> None:
    await run(0 * DAY)


async def the_time_comes(world: World, id: str) -> None:
    await push.start_due(at=now() + 2 * DAY)


async def run(span: timedelta) -> None:
    while await push.start_due(at=now() + span):
        pass
    while await push.drain_sandbox(at=now() + span):
        pass


async def it_is_canceled(world: World, id: str) -> None:
    try:
        await push.cancel_push(world.caller, id)
    except ServiceError as refusal:
        world.notes["refused"] = str(refusal.meta["code"])


async def the_time_comes_and_it_is_quiet(world: World, id: str) -> None:
    await always_quiet(world)
    await push.start_due(at=now())


async def silence_ends(world: World, id: str) -> None:
    await push.drain_sandbox(at=now() + ANSWER_TIMEOUT)


async def state_of(world: World, id: str) -> str:
    row = await db.fetchrow("SELECT status, started_at FROM push_dispatches WHERE id = $1", id)
    assert row is not None
    return str(row["status"])


async def effects_of(world: World, id: str) -> list[str]:
    moved = await db.fetch(
        "SELECT kind, coins FROM wallet_transfers WHERE origin = $1 OR origin LIKE $1 || ':%'", id
    )
    refused = [world.notes["refused"]] if "refused" in world.notes else []
    return [f"{row['kind']} {row['coins']}" for row in moved] + refused


TOO_LATE = "ENVIO_JA_INICIADO"

LIFE = Machine(
    name="Push dispatch",
    states={
        "scheduled": a_push("t1", later=True),
        "deferred": a_push("t1", quiet=True),
        "queued": a_push("t1"),
        "sending": a_push("t1", "t2:silent", started=True),
        "sent": a_push("t1", "t2:fail", started=True),
        "failed": a_push("t1:fail", started=True),
    },
    causes={
        "the worker runs": the_worker_runs,
        "its time comes": the_time_comes,
        "it is quiet when its time comes": the_time_comes_and_it_is_quiet,
        "the last device is given up": silence_ends,
        "canceled": it_is_canceled,
    },
    moves=[
        Move(start="queued", cause="the worker runs", end="sent", effects="captura 20"),
        Move(start="scheduled", cause="its time comes", end="queued"),
        Move(start="deferred", cause="its time comes", end="queued"),
        Move(start="queued", cause="it is quiet when its time comes", end="deferred"),
        Move(
            start="sending", cause="the last device is given up", end="sent", effects="liberacao 20"
        ),
        Move(start="scheduled", cause="canceled", end="canceled", effects="liberacao 20"),
        Move(start="deferred", cause="canceled", end="canceled", effects="liberacao 20"),
        *(
            Move(start=state, cause="canceled", end=state, effects=TOO_LATE)
            for state in ("queued", "sending", "sent", "failed")
        ),
    ],
    state_of=state_of,
    effects_of=effects_of,
)


async def registered(world: World) -> str:
    return str((await a_device(world.caller, "t1"))["id"])


async def opted_out(world: World) -> str:
    id = await registered(world)
    await opt_out(world.caller, "t1")
    return id


async def gone(world: World) -> str:
    id = await registered(world)
    await db.execute("UPDATE push_devices SET deactivated_at = now() WHERE id = $1", id)
    return id


def opens_with(**fields: bool) -> Callable[[World, str], Awaitable[object]]:
    async def opens(world: World, id: str) -> None:
        await a_device(world.caller, "t1", **fields)

    return opens


async def turns_off(world: World, id: str) -> None:
    await opt_out(world.caller, "t1")


async def state_of_device(world: World, id: str) -> str:
    row = await db.fetchrow("SELECT opted_in, deactivated_at FROM push_devices WHERE id = $1", id)
    assert row is not None
    if not row["opted_in"]:
        return "opted out"
    return "opted in" if row["deactivated_at"] is None else "gone"


async def devices(world: World, id: str) -> list[str]:
    return ["another device"] * (await db.fetchval("SELECT count(*) - 1 FROM push_devices"))


DEVICE = Machine(
    name="Push device",
    states={"opted in": registered, "opted out": opted_out, "gone": gone},
    causes={
        "opt-out": turns_off,
        "registered again": opens_with(),
        "registered again with optedIn": opens_with(optedIn=True),
        "registered again without optedIn": opens_with(optedIn=False),
    },
    moves=[
        Move(start="opted in", cause="opt-out", end="opted out"),
        Move(start="gone", cause="opt-out", end="opted out"),
        Move(start="gone", cause="registered again", end="opted in"),
        Move(start="opted out", cause="registered again with optedIn", end="opted in"),
        Move(start="gone", cause="registered again with optedIn", end="opted in"),
        Move(start="opted in", cause="registered again without optedIn", end="opted out"),
        Move(start="gone", cause="registered again without optedIn", end="opted out"),
    ],
    state_of=state_of_device,
    effects_of=devices,
)

MACHINES = [LIFE, DEVICE]
