"""Decisions: States and moves, Email."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from core import email
from core.foundation.clock import now
from core.foundation.database import db
from core.providers import registry
from core.providers.email import (
    Begin,
    EmailAccepted,
    EmailDeferred,
    EmailOutcomeUnknown,
    EmailRefused,
    Feedback,
    HandedOver,
    OutgoingEmail,
)
from core.providers.smtp import PROVIDER
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.factories.emails import SENDER, an_email
from tests.support.mail import outbox_of, told
from tests.support.money import moved_for, the_message

State = Callable[[World], Awaitable[str]]
Cause = Callable[[World, str], Awaitable[object]]


class ScriptedRelay:
    """Who carries e-mails, and does with each as it was told."""

    name = PROVIDER
    lines = 1

    def __init__(self) -> None:
        self.next: HandedOver = EmailAccepted()

    async def hand_over(self, _: OutgoingEmail, begin: Begin) -> HandedOver:
        """As told."""
        if not isinstance(self.next, EmailDeferred):
            assert await begin()
        return self.next


async def queued(world: World) -> str:
    relay = ScriptedRelay()
    registry.carry_mail_by(relay)
    world.notes["relay"] = relay
    world.stays.callback(registry.carry_mail_by, None)
    await email.verify_sender(world.caller, email.NewSender(address=SENDER))
    return str((await an_email(world.caller, key="k"))["id"])


def handed_over(outcome: HandedOver) -> Cause:
    async def hand_over(world: World, id: str) -> None:
        world.notes["relay"].next = outcome
        await email.hand_over_due(at=now())

    return hand_over


def after(outcome: HandedOver, *reports: tuple[str, str | None]) -> State:
    """A live e-mail that met this, and then these reports."""

    async def state(world: World) -> str:
        id = await queued(world)
        await handed_over(outcome)(world, id)
        for status, reason in reports:
            await report(world, id, status, reason)
        return id

    return state


async def report(world: World, id: str, status: str, reason: str | None) -> None:
    feedback = Feedback(id, status, reason, now(), "test")  # type: ignore[arg-type]
    await email.receive_feedback(world.caller.organization_id, [feedback], at=now())


def reported(status: str, reason: str | None = None) -> Cause:
    async def come_in(world: World, id: str) -> None:
        await report(world, id, status, reason)

    return come_in


async def a_day_passes(world: World, id: str) -> None:
    world.notes["relay"].next = EmailDeferred("mailbox_full")
    await email.hand_over_due(at=now() + timedelta(hours=25))


async def state_of(world: World, id: str) -> str:
    row = await the_message(id)
    return row["status"] if row["reason"] is None else f"{row['status']}: {row['reason']}"


async def effects_of(world: World, id: str) -> list[str]:
    moved = [f"{kind} {coins}" for kind, coins in await moved_for(id)]
    events = [event for event, data in await told(world.caller) if data["id"] == id]
    suppressed = await db.fetch("SELECT reason FROM email_suppressions WHERE message_id = $1", id)
    kept = ["letter kept"] if id in await outbox_of(world.caller) else ["letter gone"]
    return [*moved, *events, *(f"suppressed {row['reason']}" for row in suppressed), *kept]


REPORTS: dict[str, Cause] = {
    "report: delivered": reported("delivered"),
    "report: hard bounce": reported("bounced", "invalid_address"),
    "report: soft bounce": reported("bounced", "mailbox_full"),
    "report: complaint": reported("complained", "complaint"),
}
ENDS = {
    "report: delivered": ("delivered", "email.delivered"),
    "report: hard bounce": (
        "bounced: invalid_address",
        "email.bounced, suppressed invalid_address",
    ),
    "report: soft bounce": ("bounced: mailbox_full", "email.bounced"),
    "report: complaint": ("complained: complaint", "email.complained, suppressed complaint"),
}
LEAVES: dict[str, HandedOver] = {"taken": EmailAccepted(), "the line breaks": EmailOutcomeUnknown()}
REFUSED: dict[str, HandedOver] = {
    f"refused: {reason}": EmailRefused(reason)
    for reason in ("mailbox_full", "content_rejected", "provider_error", "no_verified_sender")
}

LIFE = Machine(
    name="e-mail",
    env="live",
    states={
        "queued": queued,
        "sent": after(EmailAccepted()),
        "delivered": after(EmailAccepted(), ("delivered", None)),
        "bounced: invalid_address": after(EmailAccepted(), ("bounced", "invalid_address")),
        "bounced: mailbox_full": after(EmailAccepted(), ("bounced", "mailbox_full")),
        "complained: complaint": after(
            EmailAccepted(), ("delivered", None), ("complained", "complaint")
        ),
        "failed: content_rejected": after(EmailRefused("content_rejected")),
    },
    causes={
        **{cause: handed_over(outcome) for cause, outcome in (LEAVES | REFUSED).items()},
        "refused: invalid_address": handed_over(EmailRefused("invalid_address")),
        "put off": handed_over(EmailDeferred("provider_error")),
        "put off for a day": a_day_passes,
        **REPORTS,
    },
    moves=[
        *(
            Move(start="queued", cause=cause, end="sent", effects="captura 10, letter gone")
            for cause in LEAVES
        ),
        *(
            Move(
                start="queued",
                cause=cause,
                end=f"failed: {cause.removeprefix('refused: ')}",
                effects="liberacao 10, email.bounced, letter gone",
            )
            for cause in REFUSED
        ),
        Move(
            start="queued",
            cause="refused: invalid_address",
            end="failed: invalid_address",
            effects="liberacao 10, email.bounced, suppressed invalid_address, letter gone",
        ),
        Move(start="queued", cause="put off", end="queued"),
        Move(
            start="queued",
            cause="put off for a day",
            end="failed: mailbox_full",
            effects="liberacao 10, email.bounced, letter gone",
        ),
        # A report on an e-mail proves that it left.
        *(
            Move(
                start="queued", cause=cause, end=end, effects=f"captura 10, {effects}, letter gone"
            )
            for cause, (end, effects) in ENDS.items()
        ),
        *(
            Move(start="sent", cause=cause, end=end, effects=effects)
            for cause, (end, effects) in ENDS.items()
        ),
        # A late bounce, and a complaint, follow on a delivery; nothing follows on them.
        *(
            Move(start="delivered", cause=cause, end=end, effects=effects)
            for cause, (end, effects) in ENDS.items()
            if end != "delivered"
        ),
    ],
    state_of=state_of,
    effects_of=effects_of,
)


# The sandbox --------------------------------------------------------------------------------------


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
    return [] if last is None else await effects_of(world, last)


def an_ending(local: str) -> Cause:
    async def send_and_wait(world: World, id: str) -> None:
        await an_email(world.caller, to=f"{local}@example.org")
        at = now()
        await email.hand_over_due(at=at)
        assert await email.apply_due_reports(at=at + timedelta(seconds=2)) == 0, (
            "reports come after three seconds"
        )
        for _ in range(4):
            at += timedelta(seconds=4)
            await email.apply_due_reports(at=at)

    return send_and_wait


PAID = "reserva 10, captura 10"
GONE = "letter gone"

SANDBOX = Machine(
    name="e-mail, sandbox endings",
    states={"new": nothing_yet},
    causes={
        local: an_ending(local)
        for local in (
            "bounce",
            "bounce+1",
            "bouncer",
            "complaint+1",
            "complaint",
            "open",
            "open+1",
            "click",
            "ana",
        )
    },
    moves=[
        *(
            Move(
                start="new",
                cause=local,
                end="bounced: invalid_address",
                effects=f"{PAID}, email.bounced, suppressed invalid_address, {GONE}",
            )
            for local in ("bounce", "bounce+1")
        ),
        *(
            Move(
                start="new",
                cause=local,
                end="complained: complaint",
                effects=f"{PAID}, email.delivered, email.complained, suppressed complaint, {GONE}",
            )
            for local in ("complaint", "complaint+1")
        ),
        *(
            Move(
                start="new",
                cause=local,
                end="delivered",
                effects=f"{PAID}, email.delivered, email.opened, {GONE}",
            )
            for local in ("open", "open+1")
        ),
        Move(
            start="new",
            cause="click",
            end="delivered",
            effects=f"{PAID}, email.delivered, email.opened, email.clicked, {GONE}",
        ),
        *(
            Move(
                start="new",
                cause=local,
                end="delivered",
                effects=f"{PAID}, email.delivered, {GONE}",
            )
            for local in ("ana", "bouncer")
        ),
    ],
    state_of=state_of_last,
    effects_of=effects_of_last,
)

MACHINES = [LIFE, SANDBOX]
