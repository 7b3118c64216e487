"""Decisions: States and moves, Template."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from core import conversations, templates
from core.foundation.clock import now
from core.foundation.errors import ServiceError
from core.numbers import Number
from core.providers.platform import TemplateNotice
from core.templates import Template, TemplateChanges
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.templates import a_template
from tests.support.told import events

Cause = Callable[[World, str], Awaitable[object]]
OTHER = TemplateChanges.model_validate(
    {"components": [{"type": "BODY", "payload": {"text": "Até logo."}}]}
)
STATUSES = ("draft", "submitted", "pending", "approved", "rejected", "paused", "disabled")


def a_template_in(status: str) -> Callable[[World], Awaitable[str]]:
    async def state(world: World) -> str:
        id = str((await a_template(world.caller))["id"])
        due_at = now() if status == "submitted" else None
        await Template.filter(id=id).update(status=status, meta_template_id="711", due_at=due_at)
        return id

    return state


def noticed(status: str) -> Cause:
    """The platform tells it by itself."""

    async def cause(world: World, id: str) -> None:
        number = await Number.get(id=(await Template.get(id=id)).number_id)
        await templates.apply_notices(
            [TemplateNotice(number.waba_id, "711", status, None, now())], now()
        )

    return cause


async def submitted(world: World, id: str) -> None:
    try:
        await templates.submit_template(world.caller, id)
    except ServiceError as refusal:
        world.notes["effect"] = str(refusal.meta["code"])


async def changed(world: World, id: str) -> None:
    try:
        record = await templates.change_template(world.caller, id, OTHER)
    except ServiceError as refusal:
        world.notes["effect"] = str(refusal.meta["code"])
    else:
        world.notes["effect"] = f"version {record['version']}" + (
            " beside it" if "versaoDe" in record else ""
        )


async def deleted(world: World, id: str) -> None:
    try:
        await conversations.delete_template(world.caller, id)
    except ServiceError as refusal:
        world.notes["effect"] = str(refusal.meta["code"])


async def the_delay_passes(world: World, id: str) -> None:
    await templates.review_templates(at=now() + timedelta(hours=1))


async def state_of(world: World, id: str) -> str:
    found = await Template.get_or_none(id=id)
    return found.status.value if found else "gone"


async def effects_of(world: World, id: str) -> list[str]:
    told = [event["type"] for event in await events(world.caller.organization_id, "template.")]
    return told + ([world.notes["effect"]] if "effect" in world.notes else [])


REFUSED = "STATUS_NAO_PERMITE"
APPROVED, REJECTED = "template.approved", "template.rejected"

MACHINES = [
    Machine(
        name="Template",
        states={status: a_template_in(status) for status in STATUSES},
        causes={
            "submitted": submitted,
            "changed": changed,
            "deleted": deleted,
            "the sandbox's delay passes": the_delay_passes,
            "acknowledged": noticed("pending"),
            "approved": noticed("approved"),
            "rejected": noticed("rejected"),
            "paused": noticed("paused"),
            "disabled": noticed("disabled"),
        },
        moves=[
            Move(start="draft", cause="submitted", end="submitted"),
            *(
                Move(start=status, cause="submitted", end=status, effects=REFUSED)
                for status in STATUSES
                if status != "draft"
            ),
            Move(start="draft", cause="changed", end="draft", effects="version 1"),
            Move(start="rejected", cause="changed", end="draft", effects="version 2"),
            Move(start="approved", cause="changed", end="approved", effects="version 2 beside it"),
            Move(start="paused", cause="changed", end="paused", effects="version 2 beside it"),
            *(
                Move(start=status, cause="changed", end=status, effects=REFUSED)
                for status in ("submitted", "pending", "disabled")
            ),
            *(
                Move(start=status, cause="deleted", end=status, effects=REFUSED)
                for status in ("submitted", "pending")
            ),
            *(
                Move(start=status, cause="deleted", end="gone")
                for status in ("draft", "approved", "rejected", "paused", "disabled")
            ),
            Move(
                start="submitted",
                cause="the sandbox's delay passes",
                end="approved",
                effects=APPROVED,
            ),
            Move(start="submitted", cause="acknowledged", end="pending"),
            *(
                Move(start=status, cause="approved", end="approved", effects=APPROVED)
                for status in ("submitted", "pending", "paused")
            ),
            *(
                Move(start=status, cause="rejected", end="rejected", effects=REJECTED)
                for status in ("submitted", "pending")
            ),
            Move(start="approved", cause="rejected", end="paused"),
            Move(start="approved", cause="paused", end="paused"),
            *(
                Move(start=status, cause="disabled", end="disabled")
                for status in ("approved", "paused")
            ),
        ],
        state_of=state_of,
        effects_of=effects_of,
    )
]
