"""Interface and decisions: States and transitions, SMS."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta

from core import messaging, sms
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.providers.contracts import (
    Answer,
    Failed,
    MessageFound,
    OutOfCredit,
    RefusalReason,
    Refused,
    Throttled,
    Unknown,
)
from core.sms.queue.dispatcher import QUEUE
from rest_api.support.problems import status_of
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.contacts import a_denial
from tests.factories.live import a_delivery_report
from tests.factories.queue import due_at, hand_over_here
from tests.factories.sms import a_send
from tests.support.money import keys_of, moved_for, the_message, told

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)

State = Callable[[World], Awaitable[str]]
Cause = Callable[[World, str], Awaitable[object]]


async def send(world: World, *, to: str = "+5511987650005") -> str:
    """Send; note the status that the entry point would answer, and answer the message's id."""
    try:
        id: str = (await a_send(world.caller, key="k", to=to))["id"]
    except ServiceError as refusal:
        world.notes["answer"] = str(status_of(refusal))
        return str(refusal.meta["messageId"])
    world.notes["answer"] = "201"
    return id


def sent_when(answer: Answer | None = None, *receipts: tuple[str, str | None]) -> State:
    """A live message that met this answer, and then these reports."""

    async def state(world: World) -> str:
        if answer is not None:
            world.provider.will(answer)
        id = await send(world)
        for status, reason in receipts:
            await report(world, id, status, reason)
        return id

    return state


async def given_up(world: World) -> str:
    id = await sent_when(Unknown())(world)
    await sms.reconcile(at=now() + 10 * MINUTE)
    return id


async def report(world: World, id: str, status: str, reason: str | None) -> None:
    receipt = a_delivery_report(id, status, reason)
    await sms.receive_reports(world.caller.organization_id, "gateway", [receipt], at=receipt.at)


def reported(status: str, reason: str | None = None) -> Cause:
    async def come_in(world: World, id: str) -> None:
        await report(world, id, status, reason)

    return come_in


async def the_provider_has_it(world: World, id: str) -> None:
    world.provider.knows[id] = MessageFound("gw_found", "sent")
    await sms.reconcile(at=now() + MINUTE)


def time_passes(span: timedelta) -> Cause:
    async def pass_by(world: World, id: str) -> None:
        await sms.reconcile(at=now() + span)

    return pass_by


async def state_of(world: World, id: str) -> str:
    row = await the_message(id)
    return row["status"] if row["reason"] is None else f"{row['status']}: {row['reason']}"


async def effects_of(world: World, id: str) -> list[str]:
    moved = [f"{kind} {coins}" for kind, coins in await moved_for(id)]
    return moved + [event for event, data in await told(world.caller) if data["id"] == id]


RECEIPTS: dict[str, Cause] = {
    "report: delivered": reported("delivered"),
    "report: undelivered": reported("undelivered", "carrier_rejected"),
    "report: invalid_number": reported("failed", "invalid_number"),
    "report: expired": reported("failed", "expired"),
    "report: blacklisted": reported("failed", "blacklisted"),
}
ENDS = {
    "report: delivered": ("delivered", "sms.delivered"),
    "report: undelivered": ("undelivered: carrier_rejected", "sms.undelivered"),
    "report: invalid_number": ("failed: invalid_number", "sms.failed"),
    "report: expired": ("failed: expired", "sms.failed"),
    "report: blacklisted": ("failed: blacklisted", "sms.failed"),
}

LIFE = Machine(
    name="SMS",
    env="live",
    states={
        "sending": sent_when(Unknown()),
        "sent": sent_when(),
        "delivered": sent_when(None, ("delivered", None)),
        "undelivered: carrier_rejected": sent_when(None, ("undelivered", "carrier_rejected")),
        "failed: invalid_number": sent_when(None, ("failed", "invalid_number")),
        "failed: expired": sent_when(None, ("failed", "expired")),
        "failed: blacklisted": sent_when(None, ("failed", "blacklisted")),
        "failed: indeterminate": given_up,
        "failed": sent_when(Failed()),
    },
    causes={
        **RECEIPTS,
        "the provider has it": the_provider_has_it,
        "ten minutes without a word": time_passes(10 * MINUTE),
        "three days without a word": time_passes(73 * HOUR),
    },
    moves=[
        # An early report tells that the message was taken: it is charged.
        *(
            Move(start="sending", cause=cause, end=end, effects=f"captura 800, {event}")
            for cause, (end, event) in ENDS.items()
        ),
        Move(start="sending", cause="the provider has it", end="sent", effects="captura 800"),
        Move(
            start="sending",
            cause="ten minutes without a word",
            end="failed: indeterminate",
            effects="sms.failed",
        ),
        Move(
            start="sending",
            cause="three days without a word",
            end="failed: indeterminate",
            effects="sms.failed",
        ),
        # What was taken is billable: no end gives money back.
        *(
            Move(start="sent", cause=cause, end=end, effects=event)
            for cause, (end, event) in ENDS.items()
        ),
        # The two ends that are not final.
        Move(
            start="failed: expired",
            cause="report: delivered",
            end="delivered",
            effects="sms.delivered",
        ),
        Move(
            start="failed: indeterminate",
            cause="report: delivered",
            end="delivered",
            effects="captura 800, sms.delivered",
        ),
        Move(
            start="failed: indeterminate",
            cause="three days without a word",
            end="failed: indeterminate",
            effects="liberacao 800",
        ),
    ],
    state_of=state_of,
    effects_of=effects_of,
)


# Intake -------------------------------------------------------------------------------------------


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


def a_send_that_meets(answer: Answer | None) -> Cause:
    async def meet(world: World, id: str) -> None:
        await sent_when(answer)(world)

    return meet


HELD_AND_BACK = "reserva 800, liberacao 800"
PAID = "reserva 800, captura 800"
REFUSALS_OF_RECIPIENTS: tuple[RefusalReason, ...] = (
    "invalid_number",
    "carrier_rejected",
    "blacklisted",
)

INTAKE = Machine(
    name="SMS, hand-over",
    env="live",
    states={"new": nothing_yet},
    causes={
        "accepted": a_send_that_meets(None),
        **{
            f"recipient refused: {reason}": a_send_that_meets(Refused(reason))
            for reason in REFUSALS_OF_RECIPIENTS
        },
        "throttled": a_send_that_meets(Throttled(5)),
        "out of credit": a_send_that_meets(OutOfCredit()),
        "provider fails": a_send_that_meets(Failed()),
        "no answer": a_send_that_meets(Unknown()),
    },
    moves=[
        Move(start="new", cause="accepted", end="sent", effects=f"201, key kept, {PAID}"),
        *(
            Move(
                start="new",
                cause=f"recipient refused: {reason}",
                end=f"failed: {reason}",
                effects=f"201, key kept, {HELD_AND_BACK}, sms.failed",
            )
            for reason in REFUSALS_OF_RECIPIENTS
        ),
        Move(
            start="new", cause="throttled", end="failed", effects=f"429, key free, {HELD_AND_BACK}"
        ),
        Move(
            start="new",
            cause="out of credit",
            end="failed",
            effects=f"503, key free, {HELD_AND_BACK}",
        ),
        Move(
            start="new",
            cause="provider fails",
            end="failed",
            effects=f"502, key free, {HELD_AND_BACK}",
        ),
        Move(start="new", cause="no answer", end="sending", effects="502, key kept, reserva 800"),
    ],
    state_of=state_of_last,
    effects_of=effects_of_last,
)


# The sandbox --------------------------------------------------------------------------------------


def an_ending(digits: str) -> Cause:
    async def send_and_wait(world: World, id: str) -> None:
        await send(world, to=f"+551198765{digits}")
        assert await sms.apply_due_reports(at=now() + timedelta(seconds=2)) == 0, (
            "reports come after three seconds"
        )
        await sms.apply_due_reports(at=now() + timedelta(seconds=4))

    return send_and_wait


SANDBOX = Machine(
    name="SMS, sandbox endings",
    states={"new": nothing_yet},
    causes={
        digits: an_ending(digits)
        for digits in ("0005", "0006", "0008", "0013", "0018", "0099", "0114", "4321")
    },
    moves=[
        Move(
            start="new",
            cause="0005",
            end="delivered",
            effects=f"201, key kept, {PAID}, sms.delivered",
        ),
        Move(
            start="new",
            cause="0006",
            end="undelivered: carrier_rejected",
            effects=f"201, key kept, {PAID}, sms.undelivered",
        ),
        Move(
            start="new",
            cause="0008",
            end="failed: invalid_number",
            effects=f"201, key kept, {PAID}, sms.failed",
        ),
        Move(
            start="new",
            cause="0013",
            end="failed: expired",
            effects=f"201, key kept, {PAID}, sms.failed",
        ),
        Move(
            start="new",
            cause="0018",
            end="failed: blacklisted",
            effects=f"201, key kept, {PAID}, sms.failed",
        ),
        Move(start="new", cause="0099", end="sent", effects=f"201, key kept, {PAID}"),
        Move(start="new", cause="0114", end="failed", effects="503, key free"),
        Move(
            start="new",
            cause="4321",
            end="delivered",
            effects=f"201, key kept, {PAID}, sms.delivered",
        ),
    ],
    state_of=state_of_last,
    effects_of=effects_of_last,
)

# Sent later ---------------------------------------------------------------------------------------


async def queued(world: World) -> str:
    """A live message whose time has come."""
    id: str = (await a_send(world.caller, key="k", scheduledAt=now()))["id"]
    return id


def handed_over(answer: Answer | None = None) -> Cause:
    """A worker takes it, a minute later; its provider answers this."""

    async def take(world: World, id: str) -> None:
        if answer is not None:
            world.provider.will(answer)
        await hand_over_here(QUEUE, at=now() + MINUTE)

    return take


def queued_and_then(*causes: Cause) -> State:
    async def state(world: World) -> str:
        id = await queued(world)
        for cause in causes:
            await cause(world, id)
        return id

    return state


async def its_validity_is_over(world: World, id: str) -> None:
    await messaging.end_expired(at=now() + 5 * HOUR)


async def cancel(world: World, id: str) -> None:
    with suppress(messaging.MessageNotCancelable):
        await sms.cancel_message(world.caller, id)


async def the_recipient_says_no(world: World, id: str) -> None:
    """And a worker takes it."""
    await a_denial(world.caller, "+5511987650005")
    await handed_over()(world, id)


async def state_in_queue(world: World, id: str) -> str:
    """A message that was put off is not due yet."""
    due = await due_at(id)
    return "put off" if due is not None and due > now() else await state_of(world, id)


LATER = Machine(
    name="SMS, sent later",
    env="live",
    states={
        "queued": queued,
        "put off": queued_and_then(handed_over(Throttled(5))),
        "sending": queued_and_then(handed_over(Unknown())),
        "sent": queued_and_then(handed_over()),
        "failed: canceled": queued_and_then(cancel),
        "failed: abandoned": queued_and_then(its_validity_is_over),
    },
    causes={
        "taken": handed_over(),
        "recipient refused": handed_over(Refused("invalid_number")),
        "throttled": handed_over(Throttled(500)),
        "out of credit": handed_over(OutOfCredit()),
        "provider fails": handed_over(Failed()),
        "no answer": handed_over(Unknown()),
        "its validity is over": its_validity_is_over,
        "cancel": cancel,
        "opt-out": the_recipient_says_no,
    },
    moves=[
        move
        for start in ("queued", "put off")
        for move in (
            Move(start=start, cause="taken", end="sent", effects="captura 800"),
            Move(
                start=start,
                cause="recipient refused",
                end="failed: invalid_number",
                effects="liberacao 800, sms.failed",
            ),
            *(
                Move(start=start, cause=cause, end="put off")
                for cause in ("throttled", "out of credit", "provider fails")
            ),
            Move(start=start, cause="no answer", end="sending"),
            *(
                Move(
                    start=start,
                    cause=cause,
                    end=f"failed: {reason}",
                    effects="liberacao 800, sms.failed",
                )
                for cause, reason in (
                    ("its validity is over", "abandoned"),
                    ("cancel", "canceled"),
                    ("opt-out", "opt_out"),
                )
            ),
        )
    ],
    state_of=state_in_queue,
    effects_of=effects_of,
)

MACHINES = [LIFE, INTAKE, SANDBOX, LATER]
