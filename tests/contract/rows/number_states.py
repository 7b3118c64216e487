"""Decisions: States, Number; interface: partner marks."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from core import numbers
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.numbers import Number, apply_notices
from core.providers import registry
from core.providers.platform import NumberNotice, PlatformHealth
from core.webhooks import WebhookEvent
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.numbers import a_number
from tests.fakes.healthy_platform import HEALTHY, Answers

STATUSES = ("available", "connected", "disconnected", "flagged", "pending")
REMOVED = "connected, PARTNER_REMOVED"
UNINSTALLED = "connected, PARTNER_APP_UNINSTALLED"


def a_number_in(status: str, reason: str | None = None) -> Callable[[World], Awaitable[str]]:
    """A number whose rating is that of the healthy platform, or red where it is flagged."""
    mark = {"partner_removed_at": now(), "partner_removed_reason": reason} if reason else {}
    quality = "red" if status == "flagged" else "green"

    async def state(world: World) -> str:
        fields = {"status": status, "quality_rating": quality, "messaging_tier": "tier_10k", **mark}
        return (await a_number(world.caller, **fields)).id

    return state


def asked(answer: PlatformHealth) -> Callable[[World, str], Awaitable[object]]:
    async def cause(world: World, id: str) -> None:
        registry.converse_by(Answers(answer).as_platform())
        await numbers.get_health(world.caller, id)
        registry.converse_by(None)

    return cause


def told(kind: str, value: str | None = None) -> Callable[[World, str], Awaitable[object]]:
    async def cause(world: World, id: str) -> None:
        number, at = await Number.get(id=id), now()
        async with transaction():
            await apply_notices([NumberNotice(kind, number.phone_number_id, None, value, at)], at)

    return cause


async def state_of(world: World, id: str) -> str:
    """The status, and the mark where there is one."""
    number = await Number.get(id=id)
    assert (number.partner_removed_at is None) == (number.partner_removed_reason is None)
    return ", ".join(filter(None, (str(number.status), number.partner_removed_reason)))


async def effects_of(world: World, id: str) -> list[str]:
    return [event.type for event in await WebhookEvent.all()]


CHANGED = "number.quality_changed"


def moves(cause: str, *, effects: str = "", **ends: str) -> list[Move]:
    return [Move(start=start, cause=cause, end=end, effects=effects) for start, end in ends.items()]


HEALTHY_NOW, NOT_CONNECTED, FLAGGED_NOW = (
    f"the platform finds it {found}" for found in ("healthy", "not connected", "flagged")
)
BETTER = "quality better again"
TAKEN_OFF, GONE, BACK = "the service is removed", "the app is uninstalled", "the service is back"

NUMBER = Machine(
    name="Number",
    env="live",
    states={
        **{status: a_number_in(status) for status in STATUSES},
        REMOVED: a_number_in("connected", "PARTNER_REMOVED"),
        UNINSTALLED: a_number_in("connected", "PARTNER_APP_UNINSTALLED"),
    },
    causes={
        HEALTHY_NOW: asked(HEALTHY),
        NOT_CONNECTED: asked(replace(HEALTHY, connected=False, quality_rating=None)),
        FLAGGED_NOW: asked(replace(HEALTHY, flagged=True)),
        "quality red": told("quality", "red"),
        BETTER: told("quality", "yellow"),
        TAKEN_OFF: told("partner_removed"),
        GONE: told("app_uninstalled"),
        BACK: told("partner_restored"),
    },
    moves=[
        *moves(HEALTHY_NOW, available="connected", disconnected="connected", pending="connected"),
        *moves(HEALTHY_NOW, flagged="connected", effects=CHANGED),
        *moves(
            NOT_CONNECTED, connected="disconnected", flagged="disconnected", pending="available"
        ),
        *moves(
            FLAGGED_NOW,
            available="flagged",
            connected="flagged",
            disconnected="flagged",
            pending="flagged",
        ),
        *moves(FLAGGED_NOW, flagged="flagged", effects=CHANGED),
        *moves(
            "quality red",
            available="available",
            connected="flagged",
            disconnected="disconnected",
            pending="pending",
            effects=CHANGED,
        ),
        *moves(
            BETTER,
            **{status: status for status in STATUSES if status != "flagged"},
            effects=CHANGED,
        ),
        *moves(BETTER, flagged="connected", effects=CHANGED),
        *moves(
            TAKEN_OFF,
            **{status: f"{status}, PARTNER_REMOVED" for status in STATUSES},
            **{UNINSTALLED: REMOVED},
        ),
        *moves(
            GONE,
            **{status: f"{status}, PARTNER_APP_UNINSTALLED" for status in STATUSES},
            **{REMOVED: UNINSTALLED},
        ),
        *moves(BACK, **{REMOVED: "connected", UNINSTALLED: "connected"}),
        # A mark changes nothing of what else happens to the number.
        *(
            Move(start=f"connected, {mark}", cause=cause, end=f"{end}, {mark}", effects=effects)
            for mark in ("PARTNER_REMOVED", "PARTNER_APP_UNINSTALLED")
            for cause, end, effects in (
                (NOT_CONNECTED, "disconnected", ""),
                (FLAGGED_NOW, "flagged", ""),
                ("quality red", "flagged", CHANGED),
                (BETTER, "connected", CHANGED),
            )
        ),
    ],
    state_of=state_of,
    effects_of=effects_of,
)

MACHINES = [NUMBER]
