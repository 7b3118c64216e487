"""Decisions: States and moves, Conversational."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from core import conversations
from core.conversations.delivery_reports.receive import ReceivedReport, receive_reports
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import Conflict
from core.foundation.security import rate_limit
from core.foundation.security.rate_limit import LocalBuckets
from core.providers.platform import (
    PlatformAcceptance,
    Rejection,
    SendReply,
    StatusReport,
    TemporaryFailure,
    UnknownOutcome,
)
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.batches import a_desk
from tests.factories.conversations import a_message, hand_over_here
from tests.fakes.platform import NAME, ScriptedPlatform, conversing_by
from tests.support.money import moved_for, the_message

State = Callable[[World], Awaitable[str]]
Cause = Callable[[World, str], Awaitable[object]]

TAKEN, DECLINED, UNCLEAR = (
    PlatformAcceptance("wamid.1"),
    Rejection("100", "Not this one."),
    UnknownOutcome(),
)
PUT_OFF = TemporaryFailure("130429", "The platform takes no more for now.")


async def queued(world: World) -> str:
    """A paid template, live."""
    rate_limit.use_buckets(LocalBuckets())
    platform = ScriptedPlatform()
    world.notes["platform"] = platform
    world.stays.enter_context(conversing_by(platform))
    desk = await a_desk(world.caller)
    sent = await a_message(
        world.caller,
        desk.number_id,
        type="template",
        payload=...,
        templateId=desk.template_id,
        templateVars=["Ana"],
    )
    return str(sent["id"])


def handed_over(reply: SendReply) -> Cause:
    async def hand_over(world: World, id: str) -> None:
        world.notes["platform"].replies.append(reply)
        # TemporaryFailure each time, so that the pause after an earlier try is over.
        world.notes["minutes"] = minutes = world.notes.get("minutes", 0) + 1
        await hand_over_here(at=now() + timedelta(minutes=minutes))

    return hand_over


def reported(status: str) -> Cause:
    async def come_in(world: World, id: str) -> None:
        failed = {"code": "131026", "error": "Not there."} if status == "failed" else {}
        report = StatusReport("1", id, "wamid.1", status, now(), **failed)  # type: ignore[arg-type]
        async with transaction():
            await receive_reports(
                [ReceivedReport(world.caller.organization_id, "live", NAME, report)], at=now()
            )

    return come_in


def after(*causes: Cause) -> State:
    """A live message to which this happened."""

    async def state(world: World) -> str:
        id = await queued(world)
        for cause in causes:
            await cause(world, id)
        return id

    return state


def time_passes(span: timedelta) -> Cause:
    async def pass_by(world: World, id: str) -> None:
        await conversations.reconcile(at=now() + span)

    return pass_by


def asked_for(use_case: Callable[..., Awaitable[object]]) -> Cause:
    async def ask(world: World, id: str) -> None:
        try:
            await use_case(world.caller, id)
        except Conflict:
            world.notes["refused"] = True

    return ask


async def state_of(world: World, id: str) -> str:
    row = await the_message(id)
    if row["status"] == "queued" and row["attempts"]:
        return "queued again"
    return f"failed: {row['reason']}" if row["status"] == "failed" else str(row["status"])


async def effects_of(world: World, id: str) -> list[str]:
    rows = await db.fetch(
        "SELECT type, data FROM webhook_events WHERE organization_id = $1 AND type LIKE 'message.%' "
        "ORDER BY created_at, id",
        world.caller.organization_id,
    )
    moved = [f"{kind} {coins}" for kind, coins in await moved_for(id)]
    told = [row["type"] for row in rows if row["data"]["id"] == id]
    return [
        *moved,
        *sorted(
            told, key=("message.sent", "message.delivered", "message.read", "message.failed").index
        ),
    ]


TEN_MINUTES = time_passes(timedelta(minutes=20))
CANCEL, ARCHIVE = asked_for(conversations.cancel_message), asked_for(conversations.archive_message)
SENT, LOST = "captura 400, message.sent", "ten minutes without a report"

MACHINES = [
    Machine(
        name="conversational message",
        env="live",
        states={
            "queued": queued,
            "queued again": after(handed_over(PUT_OFF)),
            "sending": after(handed_over(UNCLEAR)),
            "sent": after(handed_over(TAKEN)),
            "delivered": after(handed_over(TAKEN), reported("delivered")),
            "read": after(handed_over(TAKEN), reported("read")),
            "failed: rejected": after(handed_over(DECLINED)),
            "failed: not_on_channel": after(handed_over(TAKEN), reported("failed")),
            "failed: indeterminate": after(handed_over(UNCLEAR), TEN_MINUTES),
            "failed: canceled": after(CANCEL),
            "archived": after(handed_over(TAKEN), reported("read"), ARCHIVE),
        },
        causes={
            "handed over: taken": handed_over(TAKEN),
            "handed over: declined": handed_over(DECLINED),
            "handed over: put off": handed_over(PUT_OFF),
            "handed over: no answer": handed_over(UNCLEAR),
            "report: sent": reported("sent"),
            "report: delivered": reported("delivered"),
            "report: read": reported("read"),
            "report: failed": reported("failed"),
            LOST: TEN_MINUTES,
            "three days without a report": time_passes(timedelta(days=4)),
            "cancel": CANCEL,
            "archive": ARCHIVE,
        },
        moves=[
            *(
                move
                for start in ("queued", "queued again")
                for move in (
                    Move(start=start, cause="handed over: taken", end="sent", effects=SENT),
                    Move(
                        start=start,
                        cause="handed over: declined",
                        end="failed: rejected",
                        effects="liberacao 400, message.failed",
                    ),
                    Move(start=start, cause="handed over: put off", end="queued again"),
                    Move(start=start, cause="handed over: no answer", end="sending"),
                    Move(
                        start=start,
                        cause="cancel",
                        end="failed: canceled",
                        effects="liberacao 400, message.failed",
                    ),
                )
            ),
            # A report proves that it was taken, also where nobody had answered.
            *(
                move
                for start in ("queued again", "sending")
                for move in (
                    Move(start=start, cause="report: sent", end="sent", effects=SENT),
                    Move(
                        start=start,
                        cause="report: delivered",
                        end="delivered",
                        effects=f"{SENT}, message.delivered",
                    ),
                    Move(
                        start=start,
                        cause="report: read",
                        end="read",
                        effects=f"{SENT}, message.read",
                    ),
                    Move(
                        start=start,
                        cause="report: failed",
                        end="failed: not_on_channel",
                        effects=f"{SENT}, message.failed",
                    ),
                )
            ),
            Move(
                start="sending", cause=LOST, end="failed: indeterminate", effects="message.failed"
            ),
            Move(
                start="sending",
                cause="three days without a report",
                end="failed: indeterminate",
                effects="message.failed",
            ),
            Move(
                start="sent",
                cause="report: delivered",
                end="delivered",
                effects="message.delivered",
            ),
            Move(start="sent", cause="report: read", end="read", effects="message.read"),
            Move(
                start="sent",
                cause="report: failed",
                end="failed: not_on_channel",
                effects="message.failed",
            ),
            Move(start="delivered", cause="report: read", end="read", effects="message.read"),
            Move(start="failed: indeterminate", cause="report: sent", end="sent", effects=SENT),
            Move(
                start="failed: indeterminate",
                cause="report: delivered",
                end="delivered",
                effects=f"{SENT}, message.delivered",
            ),
            Move(
                start="failed: indeterminate",
                cause="report: read",
                end="read",
                effects=f"{SENT}, message.read",
            ),
            Move(
                start="failed: indeterminate",
                cause="three days without a report",
                end="failed: indeterminate",
                effects="liberacao 400",
            ),
            *(
                Move(start=start, cause="archive", end="archived")
                for start in (
                    "delivered",
                    "read",
                    "failed: rejected",
                    "failed: not_on_channel",
                    "failed: indeterminate",
                    "failed: canceled",
                )
            ),
        ],
        state_of=state_of,
        effects_of=effects_of,
    )
]
