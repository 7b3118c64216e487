"""Decisions: States and moves, Opt-in."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import orjson

from core import contacts
from core.contacts import Contact
from core.foundation.clock import now, wire_time
from core.foundation.errors import ServiceError
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.contacts import a_contact, a_denial
from tests.support.told import audited, events

Cause = Callable[[World, str], Awaitable[object]]


def a_contact_that(status: str) -> Callable[[World], Awaitable[str]]:
    async def state(world: World) -> str:
        return str((await a_contact(world.caller, optIn={"status": status}))["id"])

    return state


def patched(**opt_in: Any) -> Cause:
    async def patch(world: World, id: str) -> None:
        changes = contacts.ContactChanges.model_validate_json(orjson.dumps({"optIn": opt_in}))
        try:
            await contacts.change_contact(world.caller, id, changes)
        except ServiceError as refusal:
            world.notes["refused"] = f"refused {refusal.meta['code']}"

    return patch


async def granted_later(world: World, id: str) -> None:
    await patched(status="granted", source="site", at=wire_time(now() + timedelta(minutes=2)))(
        world, id
    )


async def opted_out(world: World, id: str) -> None:
    await a_denial(world.caller, (await Contact.get(id=id)).phone)


async def opted_out_of_sms(world: World, id: str) -> None:
    await a_denial(world.caller, (await Contact.get(id=id)).phone, "sms")


async def state_of(world: World, id: str) -> str:
    return str((await contacts.get_contact(world.caller, id))["optIn"]["status"])


async def effects_of(world: World, id: str) -> list[str]:
    organization = world.caller.organization_id
    recorded = [entry["action"] for entry in await audited(organization, "contact.consent_changed")]
    told = [event["type"] for event in await events(organization, "contact.opted_out")]
    return [*recorded, *told, *([world.notes["refused"]] if "refused" in world.notes else [])]


RECORDED = "contact.consent_changed"
TOLD = f"{RECORDED}, contact.opted_out"
FORGOTTEN = "refused MOVIMENTO_DE_CONSENTIMENTO_INVALIDO"
TOO_OLD = "refused CONSENTIMENTO_ANTERIOR_A_REVOGACAO"

MACHINES = [
    Machine(
        name="consent",
        states={status: a_contact_that(status) for status in ("unknown", "granted", "denied")},
        causes={
            "granted": patched(status="granted"),
            "granted later, with its source": granted_later,
            "granted before": patched(status="granted", source="site", at="2020-01-01T00:00:00Z"),
            "denied": patched(status="denied"),
            "unknown": patched(status="unknown"),
            "opt-out": opted_out,
            "opt-out of one channel": opted_out_of_sms,
        },
        moves=[
            *(
                Move(start="unknown", cause=cause, end="granted", effects=RECORDED)
                for cause in ("granted", "granted later, with its source", "granted before")
            ),
            Move(start="unknown", cause="denied", end="denied", effects=TOLD),
            Move(start="unknown", cause="opt-out", end="denied", effects=TOLD),
            Move(start="granted", cause="denied", end="denied", effects=TOLD),
            Move(start="granted", cause="opt-out", end="denied", effects=TOLD),
            Move(start="granted", cause="unknown", end="granted", effects=FORGOTTEN),
            Move(
                start="denied",
                cause="granted later, with its source",
                end="granted",
                effects=RECORDED,
            ),
            Move(start="denied", cause="granted", end="denied", effects=TOO_OLD),
            Move(start="denied", cause="granted before", end="denied", effects=TOO_OLD),
            Move(start="denied", cause="unknown", end="denied", effects=FORGOTTEN),
            # Only one channel is closed: the consent itself stands, and whoever listens is told.
            *(
                Move(start=state, cause="opt-out of one channel", end=state, effects=TOLD)
                for state in ("unknown", "granted")
            ),
        ],
        state_of=state_of,
        effects_of=effects_of,
    )
]
