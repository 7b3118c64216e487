"""Decisions: States and moves, RCS; sandbox endings."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from core import messaging, rcs
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.providers.contracts import Answer, DeliveryReport, Failed, MessageFound, Unknown
from rest_api.support.problems import status_of
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.rcs import FALLBACK, an_rcs
from tests.support.money import keys_of, moved_for, the_message

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)

State = Callable[[World], Awaitable[str]]
Cause = Callable[[World, str], Awaitable[object]]


async def send(world: World, **changes: Any) -> str:
    """Send; note the status that the entry point would answer, and answer the message's id."""
    try:
        id: str = (await an_rcs(world.caller, key="k", **changes))["id"]
    except ServiceError as refusal:
        world.notes["answer"] = str(status_of(refusal))
        return str(refusal.meta["messageId"])
    world.notes["answer"] = "201"
    return id


async def report(
    world: World, id: str, status: str, reason: str | None, *, of_fallback: bool = False
) -> None:
    channel = "SMS" if of_fallback else "RCS"
    shown = {
        "id": "gw_1",
        "type": "api_message",
        "to": "+5511987650001",
        "status": "X",
        "channel": channel,
    }
    receipt = DeliveryReport(id, None, status, reason, now(), shown, of_fallback)  # type: ignore[arg-type]
    await messaging.receive_reports(world.caller.organization_id, "gateway", [receipt], at=now())


def sent_when(answer: Answer | None = None, *told: tuple[str, str | None], **changes: Any) -> State:
    """A live message that met this answer, and then these reports."""

    async def state(world: World) -> str:
        if answer is not None:
            world.provider.will(answer)
        id = await send(world, **changes)
        for status, reason in told:
            await report(world, id, status, reason)
        return id

    return state


def as_sms(*told: tuple[str, str | None]) -> State:
    """A live message whose SMS left in its stead, and then these reports on that."""

    async def state(world: World) -> str:
        id = await sent_when(None, ("failed", "no_rcs"), fallback=FALLBACK)(world)
        await rcs.reconcile(at=now())
        for status, reason in told:
            await report(world, id, status, reason, of_fallback=True)
        return id

    return state


async def given_up(world: World) -> str:
    id = await sent_when(Unknown())(world)
    await rcs.reconcile(at=now() + 11 * MINUTE)
    return id


def reported(status: str, reason: str | None = None, *, of_fallback: bool = False) -> Cause:
    async def come_in(world: World, id: str) -> None:
        await report(world, id, status, reason, of_fallback=of_fallback)

    return come_in


async def the_provider_has_it(world: World, id: str) -> None:
    world.provider.knows[id] = MessageFound("gw_found", "sent")
    await rcs.reconcile(at=now() + MINUTE)


def time_passes(span: timedelta) -> Cause:
    async def pass_by(world: World, id: str) -> None:
        await rcs.reconcile(at=now() + span)

    return pass_by


async def state_of(world: World, id: str) -> str:
    row = await the_message(id)
    state = row["status"] if row["reason"] is None else f"{row['status']}: {row['reason']}"
    return f"{state} (sms)" if row["path"] == "sms" else str(state)


async def effects_of(world: World, id: str) -> list[str]:
    rows = await db.fetch(
        "SELECT type, data FROM webhook_events WHERE organization_id = $1 AND type LIKE 'rcs.%' "
        "ORDER BY occurred_at, id",
        world.caller.organization_id,
    )
    moved = [f"{kind} {coins}" for kind, coins in await moved_for(id)]
    return moved + [row["type"] for row in rows if row["data"]["id"] == id]


REPORTS: dict[str, Cause] = {
    "report: delivered": reported("delivered"),
    "report: read": reported("read"),
    "report: rejected": reported("failed", "rejected"),
    "report: expired": reported("failed", "expired"),
    "report: media_error": reported("failed", "media_error"),
    "report: no_rcs": reported("failed", "no_rcs"),
    "SMS: delivered": reported("delivered", of_fallback=True),
    "SMS: read": reported("read", of_fallback=True),
    "SMS: failed": reported("failed", "invalid_number", of_fallback=True),
}
ENDS = {
    "report: delivered": ("delivered", "captura 1200, rcs.delivered"),
    "report: read": ("read", "captura 1200, rcs.read"),
    "report: rejected": ("failed: rejected", "captura 1200, rcs.failed"),
    "report: expired": ("failed: expired", "captura 1200, rcs.failed"),
    "report: media_error": ("failed: media_error", "captura 1200, rcs.failed"),
    "report: no_rcs": ("failed: no_rcs", "liberacao 1200, rcs.failed"),
}

LIFE = Machine(
    name="RCS",
    env="live",
    states={
        "queued": sent_when(Unknown()),
        "sent": sent_when(),
        "delivered": sent_when(None, ("delivered", None)),
        "read": sent_when(None, ("read", None)),
        "failed: rejected": sent_when(None, ("failed", "rejected")),
        "failed: expired": sent_when(None, ("failed", "expired")),
        "failed: no_rcs": sent_when(None, ("failed", "no_rcs")),
        "failed: indeterminate": given_up,
        "failed": sent_when(Failed()),
    },
    causes={
        **{name: cause for name, cause in REPORTS.items() if name.startswith("report")},
        "the provider has it": the_provider_has_it,
        "ten minutes without a word": time_passes(11 * MINUTE),
        "three days without a word": time_passes(80 * HOUR),
    },
    moves=[
        # An early report tells that the message was taken.
        *(
            Move(start="queued", cause=cause, end=end, effects=effects)
            for cause, (end, effects) in ENDS.items()
        ),
        Move(start="queued", cause="the provider has it", end="sent", effects=""),
        Move(
            start="queued",
            cause="ten minutes without a word",
            end="failed: indeterminate",
            effects="rcs.failed",
        ),
        Move(
            start="queued",
            cause="three days without a word",
            end="failed: indeterminate",
            effects="rcs.failed",
        ),
        *(
            Move(start="sent", cause=cause, end=end, effects=effects)
            for cause, (end, effects) in ENDS.items()
        ),
        Move(start="sent", cause="three days without a word", end="sent", effects="captura 1200"),
        Move(start="delivered", cause="report: read", end="read", effects="rcs.read"),
        Move(start="failed: expired", cause="report: read", end="read", effects="rcs.read"),
        Move(
            start="failed: indeterminate",
            cause="report: read",
            end="read",
            effects="captura 1200, rcs.read",
        ),
        Move(
            start="failed: expired",
            cause="report: delivered",
            end="delivered",
            effects="rcs.delivered",
        ),
        Move(
            start="failed: indeterminate",
            cause="report: delivered",
            end="delivered",
            effects="captura 1200, rcs.delivered",
        ),
        Move(
            start="failed: indeterminate",
            cause="three days without a word",
            end="failed: indeterminate",
            effects="liberacao 1200",
        ),
    ],
    state_of=state_of,
    effects_of=effects_of,
)

FALLEN_BACK = Machine(
    name="RCS, the SMS that stands in",
    env="live",
    states={
        "sent": sent_when(fallback=FALLBACK),
        "sent: no_rcs": sent_when(None, ("failed", "no_rcs"), fallback=FALLBACK),
        "sent (sms)": as_sms(),
        "delivered (sms)": as_sms(("delivered", None)),
        "failed: rejected (sms)": as_sms(("failed", "rejected")),
    },
    causes={
        **{
            name: REPORTS[name]
            for name in (
                "report: no_rcs",
                "report: read",
                "SMS: delivered",
                "SMS: read",
                "SMS: failed",
            )
        },
        "the worker looks": time_passes(0 * MINUTE),
    },
    moves=[
        Move(start="sent", cause="report: no_rcs", end="sent: no_rcs", effects=""),
        Move(start="sent", cause="report: read", end="read", effects="captura 1200, rcs.read"),
        Move(
            start="sent: no_rcs", cause="report: read", end="read", effects="captura 1200, rcs.read"
        ),
        Move(
            start="sent: no_rcs",
            cause="the worker looks",
            end="sent (sms)",
            effects="captura 800, liberacao 400",
        ),
        # Whatever is said of the SMS tells that it left; nobody reads one.
        *(
            Move(
                start=start,
                cause="SMS: read",
                end="sent (sms)",
                effects="captura 800, liberacao 400",
            )
            for start in ("sent", "sent: no_rcs")
        ),
        *(
            Move(
                start=start,
                cause="SMS: delivered",
                end="delivered (sms)",
                effects=f"{paid}rcs.delivered",
            )
            for start, paid in (
                ("sent", "captura 800, liberacao 400, "),
                ("sent: no_rcs", "captura 800, liberacao 400, "),
                ("sent (sms)", ""),
            )
        ),
        *(
            Move(
                start=start,
                cause="SMS: failed",
                end="failed: rejected (sms)",
                effects=f"{paid}rcs.failed",
            )
            for start, paid in (
                ("sent", "captura 800, liberacao 400, "),
                ("sent: no_rcs", "captura 800, liberacao 400, "),
                ("sent (sms)", ""),
            )
        ),
    ],
    state_of=state_of,
    effects_of=effects_of,
)


async def nothing_yet(world: World) -> str:
    return ""


async def last_message(world: World) -> str | None:
    id: str | None = await db.fetchval(
        "SELECT id FROM messages WHERE organization_id = $1", world.caller.organization_id
    )
    return id


async def state_of_last(world: World, id: str) -> str:
    last = await last_message(world)
    return "new" if last is None else await state_of(world, last)


async def effects_of_last(world: World, id: str) -> list[str]:
    last = await last_message(world)
    if last is None:
        return []
    kept = "key kept" if "k" in await keys_of(world.caller) else "key free"
    return [world.notes["answer"], kept, *await effects_of(world, last)]


def an_ending(digits: str, **changes: Any) -> Cause:
    async def send_and_wait(world: World, id: str) -> None:
        await send(world, to=f"+551198765{digits}", **changes)
        assert await rcs.apply_due_reports(at=now() + timedelta(seconds=2)) == 0, (
            "reports come after three seconds"
        )
        await rcs.apply_due_reports(at=now() + timedelta(seconds=4))
        await rcs.apply_due_reports(at=now() + timedelta(seconds=8))

    return send_and_wait


PAID = "201, key kept, reserva 1200, captura 1200"

SANDBOX = Machine(
    name="RCS, sandbox endings",
    states={"new": nothing_yet},
    causes={
        **{
            digits: an_ending(digits)
            for digits in ("0005", "0006", "0008", "0013", "0099", "0114", "4321")
        },
        "0006 with a fallback": an_ending("0006", fallback=FALLBACK),
    },
    moves=[
        Move(start="new", cause="0005", end="read", effects=f"{PAID}, rcs.delivered, rcs.read"),
        Move(
            start="new",
            cause="0006",
            end="failed: no_rcs",
            effects="201, key kept, reserva 1200, liberacao 1200, rcs.failed",
        ),
        Move(
            start="new",
            cause="0006 with a fallback",
            end="delivered (sms)",
            effects="201, key kept, reserva 1200, captura 800, liberacao 400, rcs.delivered",
        ),
        Move(start="new", cause="0008", end="failed: rejected", effects=f"{PAID}, rcs.failed"),
        Move(start="new", cause="0013", end="failed: expired", effects=f"{PAID}, rcs.failed"),
        Move(start="new", cause="0099", end="sent", effects="201, key kept, reserva 1200"),
        Move(start="new", cause="0114", end="failed", effects="503, key free"),
        Move(start="new", cause="4321", end="delivered", effects=f"{PAID}, rcs.delivered"),
    ],
    state_of=state_of_last,
    effects_of=effects_of_last,
)

MACHINES = [LIFE, FALLEN_BACK, SANDBOX]
