"""Interface: States and transitions, Webhook subscription."""

from collections.abc import Awaitable, Callable

from core import webhooks
from core.foundation.errors import ServiceError
from core.webhooks import WebhookSubscription
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.webhooks import a_subscription
from tests.support.receiver import a_receiver
from tests.support.subscriptions import changed, make


def a_subscription_that_is(status: str) -> Callable[[World], Awaitable[str]]:
    async def state(world: World) -> str:
        receiver = await world.stays.enter_async_context(a_receiver())
        world.notes["receiver"] = receiver
        id: str = (await a_subscription(world.caller, receiver.url))["webhook"]["id"]
        await make(id, status, failures=7)
        return id

    return state


def patched(status: str, *, answers: int = 200) -> Callable[[World, str], Awaitable[object]]:
    async def patch(world: World, id: str) -> None:
        world.notes["receiver"].answer = lambda _: answers
        try:
            await changed(world.caller, id, status=status)
        except ServiceError as refusal:
            world.notes["refused"] = f"refused {refusal.code}"

    return patch


async def rotated(world: World, id: str) -> None:
    await webhooks.rotate_secret(world.caller, id, webhooks.SecretRotation())


async def deleted(world: World, id: str) -> None:
    await webhooks.unsubscribe(world.caller, id)


async def state_of(world: World, id: str) -> str:
    found = await WebhookSubscription.get_or_none(id=id)
    return "gone" if found is None else found.status.value


async def effects_of(world: World, id: str) -> list[str]:
    found = await WebhookSubscription.get_or_none(id=id)
    refused = [world.notes["refused"]] if "refused" in world.notes else []
    pings = [f"ping {number + 1}" for number in range(len(world.notes["receiver"].arrivals))]
    if found is None:
        return refused + pings
    return [f"secret {found.secret_version}", f"failures {found.consecutive_failures}", *pings, *refused]


STATES = ("active", "paused", "failing", "revoked")

MACHINES = [
    Machine(
        name="webhook subscription",
        states={status: a_subscription_that_is(status) for status in STATES},
        causes={
            "PATCH paused": patched("paused"),
            "PATCH active": patched("active"),
            "PATCH active, endpoint out of order": patched("active", answers=500),
            "POST rotate-secret": rotated,
            "DELETE": deleted,
        },
        moves=[
            Move(start="active", cause="PATCH paused", end="paused"),
            Move(start="failing", cause="PATCH paused", end="paused"),
            Move(start="revoked", cause="PATCH paused", end="revoked", effects="refused VALIDATION_ERROR"),
            # Who resumes starts afresh; a revoked one has to answer first.
            Move(start="paused", cause="PATCH active", end="active", effects="failures 0"),
            Move(start="paused", cause="PATCH active, endpoint out of order", end="active", effects="failures 0"),
            Move(start="failing", cause="PATCH active", end="active", effects="failures 0"),
            Move(start="failing", cause="PATCH active, endpoint out of order", end="active", effects="failures 0"),
            Move(start="revoked", cause="PATCH active", end="active", effects="failures 0, ping 1"),
            Move(
                start="revoked",
                cause="PATCH active, endpoint out of order",
                end="revoked",
                effects="ping 1, refused VALIDATION_ERROR",
            ),
            *(Move(start=state, cause="POST rotate-secret", end=state, effects="secret 2") for state in STATES),
            *(Move(start=state, cause="DELETE", end="gone") for state in STATES),
        ],
        state_of=state_of,
        effects_of=effects_of,
    )
]
