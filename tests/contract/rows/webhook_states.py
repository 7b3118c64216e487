"""Interface: States and transitions, Webhook subscription."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

from core import organizations, webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.foundation.http_client import PostResult
from core.webhooks import WebhookSubscription
from core.webhooks.delivery.attempt import outcome_of
from core.webhooks.delivery.claim import claim_probes
from core.webhooks.delivery.save_outcomes import save_outcomes
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.webhooks import a_subscription, an_event
from tests.support.claims import claim_due
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


def under_way(*statuses: int, minutes: int = 0) -> Callable[[World, str], Awaitable[object]]:
    """Attempts that had begun end with these statuses, so many minutes apart."""

    async def end(world: World, id: str) -> None:
        was = (await WebhookSubscription.get(id=id)).status
        await WebhookSubscription.filter(id=id).update(status="active", consecutive_failures=0)
        await an_event(world.caller)
        (due,) = await claim_due(at=now(), limit=1)
        at = now()
        await WebhookSubscription.filter(id=id).update(status=was)
        for number, status in enumerate(statuses):
            outcome = outcome_of(
                replace(due, attempts=number),
                PostResult(status, 5),
                at=at + number * timedelta(minutes=minutes),
            )
            await save_outcomes([outcome])

    return end


def probed(status: int) -> Callable[[World, str], Awaitable[object]]:
    async def probe(world: World, id: str) -> None:
        await an_event(world.caller)
        await WebhookSubscription.filter(id=id).update(probe_at=now(), failing_since=now())
        for due in await claim_probes(at=now(), limit=1):
            await save_outcomes([outcome_of(due, PostResult(status, 5), at=now())])

    return probe


def swept_after(hours: int) -> Callable[[World, str], Awaitable[object]]:
    async def sweep(world: World, id: str) -> None:
        await WebhookSubscription.filter(id=id).update(probe_at=now(), failing_since=now())
        await webhooks.revoke_unrecoverable(at=now() + timedelta(hours=hours))

    return sweep


async def suspended(world: World, id: str) -> None:
    await db.execute(
        "UPDATE organizations SET status = 'suspended' WHERE id = $1", world.caller.organization_id
    )
    await organizations.revoke_unrecoverable_webhooks(at=now())


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
    return [
        f"secret {found.secret_version}",
        f"failures {found.consecutive_failures}",
        *pings,
        *refused,
    ]


STATES = ("active", "paused", "failing", "revoked")

MACHINES = [
    Machine(
        name="webhook subscription",
        states={status: a_subscription_that_is(status) for status in STATES},
        causes={
            "PATCH paused": patched("paused"),
            "PATCH active": patched("active"),
            "PATCH active, endpoint out of order": patched("active", answers=500),
            "five failures within 15 minutes": under_way(500, 500, 500, 500, 500, minutes=1),
            "five failures within 20 minutes": under_way(500, 500, 500, 500, 500, minutes=5),
            "410 Gone": under_way(410),
            "a success": under_way(200),
            "a probe that fails": probed(500),
            "a probe that succeeds": probed(200),
            "119 hours of failing": swept_after(119),
            "121 hours of failing": swept_after(121),
            "organization suspended": suspended,
            "POST rotate-secret": rotated,
            "DELETE": deleted,
        },
        moves=[
            Move(start="active", cause="PATCH paused", end="paused"),
            Move(start="failing", cause="PATCH paused", end="paused"),
            Move(
                start="revoked",
                cause="PATCH paused",
                end="revoked",
                effects="refused VALIDATION_ERROR",
            ),
            # Who resumes starts afresh; a revoked one has to answer first.
            Move(start="paused", cause="PATCH active", end="active", effects="failures 0"),
            Move(
                start="paused",
                cause="PATCH active, endpoint out of order",
                end="active",
                effects="failures 0",
            ),
            Move(start="failing", cause="PATCH active", end="active", effects="failures 0"),
            Move(
                start="failing",
                cause="PATCH active, endpoint out of order",
                end="active",
                effects="failures 0",
            ),
            Move(start="revoked", cause="PATCH active", end="active", effects="failures 0, ping 1"),
            Move(
                start="revoked",
                cause="PATCH active, endpoint out of order",
                end="revoked",
                effects="ping 1, refused VALIDATION_ERROR",
            ),
            # What was under way is counted in every state; only an active one turns failing by it.
            *(
                Move(
                    start=state,
                    cause=f"five failures within {minutes} minutes",
                    end="failing" if (state, minutes) == ("active", 20) else state,
                    effects="failures 5",
                )
                for state in STATES
                for minutes in (15, 20)
            ),
            *(
                Move(
                    start=state,
                    cause="a success",
                    end="active" if state == "failing" else state,
                    effects="failures 0",
                )
                for state in STATES
            ),
            *(
                Move(start=state, cause="410 Gone", end="revoked", effects="failures 1")
                for state in STATES
            ),
            Move(start="failing", cause="a probe that fails", end="failing", effects="failures 8"),
            Move(
                start="failing", cause="a probe that succeeds", end="active", effects="failures 0"
            ),
            Move(start="failing", cause="119 hours of failing", end="failing"),
            Move(start="failing", cause="121 hours of failing", end="revoked"),
            *(Move(start=state, cause="organization suspended", end="revoked") for state in STATES),
            *(
                Move(start=state, cause="POST rotate-secret", end=state, effects="secret 2")
                for state in STATES
            ),
            *(Move(start=state, cause="DELETE", end="gone") for state in STATES),
        ],
        state_of=state_of,
        effects_of=effects_of,
    )
]
