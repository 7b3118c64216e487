"""Sending the messages of a batch: who sleeps, who is capped, who cannot be reached, and the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from core import organizations
from core.decisions import SkippedSend, keep_skipped
from core.foundation.database import db
from core.foundation.rules import Rule
from core.journeys.models import JourneyAtCap
from core.journeys.quoted import lock_quote
from core.journeys.runs.batch import (
    RunAtStep,
    RunBatch,
    StepOutcome,
    VersionPaused,
    go_on,
    skip,
    wait,
)
from core.journeys.runs.sending.caps import OF_ALL, Cap, give_back, take_places
from core.journeys.runs.sending.carry import (
    NO_ADDRESS,
    Carried,
    JourneySender,
    OmittedSend,
    PostponedSend,
    UnpaidSend,
    carry,
)
from core.journeys.runs.sending.contents import Plan
from core.journeys.runs.sending.effects import NewEffect, write_effects
from core.journeys.runs.sending.follow import Turn, next_look
from core.journeys.runs.sending.people import JourneyContact, find_people
from core.journeys.runs.sending.silence import QuietWindows, spread
from core.messaging.by_journey import CarriedMessage

CAPPED = "teto"
SILENT = "silencio"
NO_MONEY = "saldo"

Turns = Mapping[int, Turn]
"""By the number of the run in its batch."""


@dataclass(slots=True)
class Sending:
    """The sending of one batch, with what it has come to so far."""

    batch: RunBatch
    plan: Plan
    people: Mapping[str, JourneyContact]
    sender: JourneySender
    is_capped: bool = False
    outcomes: dict[int, StepOutcome] = field(default_factory=dict)
    effects: list[NewEffect] = field(default_factory=list)
    skipped: list[SkippedSend] = field(default_factory=list)
    unpaid: list[int] = field(default_factory=list)

    def run(self, number: int) -> RunAtStep:
        """A run of the batch."""
        return self.batch.runs[number]

    def skip(self, number: int, place: int, reason: str, rule: Rule) -> None:
        """Leave a run out, and keep why."""
        run, program = self.run(number), self.batch.program
        self.outcomes[number] = skip(reason)
        self.skipped.append(
            SkippedSend(
                program.organization_id,
                program.env,
                self.plan.contents[place].channel,
                rule,
                reason,
                run.contact_id,
                {"journeyId": program.version_id, "stepId": self.batch.step.id},
            )
        )


async def send(batch: RunBatch, plan: Plan, turns: Turns) -> dict[int, StepOutcome]:
    """Send to those whose turn it is: what became of each, by its number in the batch.

    Raises VersionPaused where nobody could be sent to: for want of money, or by what the step
    names.
    """
    if not turns:
        return {}
    ids = {batch.runs[number].contact_id for number in turns}
    people = await find_people(batch.caller, ids)
    sending = Sending(batch, plan, people, await _sender(batch))
    awake = await _without_asleep(sending, turns)
    caps = await _caps(batch)
    sending.is_capped = bool(caps)
    left = await _without_capped(sending, awake, caps)
    counted = [number for number, turn in left.items() if turn.is_first]
    while left:
        left = await _send_round(sending, left)
    await _return_places(sending, caps, counted)
    await write_effects(batch.caller, sending.effects)
    await keep_skipped(sending.skipped, at=batch.at)
    _refuse_unpaid(sending)
    return sending.outcomes


async def _sender(batch: RunBatch) -> JourneySender:
    """Locks the quote, before any wallet is locked."""
    row = await db.fetch_one(
        "SELECT name, quote_id FROM journeys WHERE id = $1", batch.program.version_id
    )
    quoted, at = row["quote_id"], batch.at
    quote = None if quoted is None else await lock_quote(batch.caller, quoted, at=at)
    return JourneySender(row["name"], quote)


async def _without_asleep(sending: Sending, turns: Turns) -> dict[int, Turn]:
    """Let those wait whose silence it is; their turn comes some minutes after its end."""
    hours = await organizations.find_quiet_hours(sending.batch.caller)
    silence = QuietWindows.of(sending.batch.program.quiet, hours)
    if silence.is_never:
        return dict(turns)
    ends: dict[tuple[str, bool], datetime | None] = {}
    awake: dict[int, Turn] = {}
    for number, turn in turns.items():
        run = sending.run(number)
        until = None
        if (person := sending.people.get(run.contact_id)) is not None:
            zone, told = person.zone
            if (zone.key, told) not in ends:
                ends[zone.key, told] = silence.ends_after(sending.batch.at, zone=zone, told=told)
            until = ends[zone.key, told]
        if until is None:
            awake[number] = turn
        else:
            sending.outcomes[number] = wait(until + spread(run.id), facts={"espera": SILENT})
    return awake


async def _caps(batch: RunBatch) -> list[Cap]:
    """The journey's own cap, and that of all journeys: they are asked in this order."""
    of_all = await db.fetchval(
        "SELECT cap FROM journey_settings WHERE organization_id = $1 AND env = $2",
        batch.program.organization_id,
        batch.program.env,
    )
    own = Cap.read(batch.program.lineage_id, batch.program.frequency_cap)
    return [*own, *Cap.read(OF_ALL, of_all)]


async def _without_capped(
    sending: Sending, turns: dict[int, Turn], caps: Sequence[Cap]
) -> dict[int, Turn]:
    """Leave those out, or let them wait, who got as many messages as they may."""
    firsts = [number for number, turn in turns.items() if turn.is_first]
    if not caps or not firsts:
        return turns
    batch = sending.batch
    asked = [sending.run(number).contact_id for number in firsts]
    without = await take_places(batch.caller, caps, asked, at=batch.at)
    at_cap = (batch.program.frequency_cap or {}).get("aoTeto", JourneyAtCap.SKIP)
    for place, free_at in without.items():
        if at_cap == JourneyAtCap.WAIT:
            sending.outcomes[firsts[place]] = wait(free_at, facts={"espera": CAPPED})
        else:
            sending.skip(firsts[place], 0, CAPPED, Rule.FREQUENCY)
    return {number: turn for number, turn in turns.items() if number not in sending.outcomes}


async def _send_round(sending: Sending, turns: Turns) -> dict[int, Turn]:
    """Send to each by its channel. Answers whose turn it is by the next one."""
    again: dict[int, Turn] = {}
    for place in sorted({turn.place for turn in turns.values()}):
        here = {number: turn for number, turn in turns.items() if turn.place == place}
        for number, one in (await _carry(sending, place, here)).items():
            _note(sending, number, here[number], one, again)
    return again


async def _carry(sending: Sending, place: int, turns: Turns) -> dict[int, Carried]:
    """Hand the messages of these runs to the channel of this place."""
    batch = sending.batch
    recipients = {}
    for number, turn in turns.items():
        run = sending.run(number)
        if (person := sending.people.get(run.contact_id)) is not None:
            key = f"{run.id}:{run.seq}:{turn.place}.{turn.tries}"
            recipients[number] = person.recipient(run.id, batch.step.place, key)
    carried = await carry(
        batch.caller,
        sending.plan.contents[place],
        sending.sender,
        list(recipients.values()),
        at=batch.at,
    )
    told = dict(zip(recipients, carried, strict=True))
    return {number: told.get(number, NO_ADDRESS) for number in turns}


def _note(
    sending: Sending, number: int, turn: Turn, carried: Carried, again: dict[int, Turn]
) -> None:
    """Keep what became of one."""
    run, at = sending.run(number), sending.batch.at
    match carried:
        case CarriedMessage(ref=ref, settled=settled):
            capped_at = at if sending.is_capped and turn.is_first else None
            effect = NewEffect(run.id, run.seq, turn.place, turn.tries, ref, capped_at)
            sending.effects.append(effect)
            facts = {"messageId": ref}
            sending.outcomes[number] = (
                go_on(facts=facts) if settled else wait(next_look(at, at=at), facts=facts)
            )
        case OmittedSend(reason=reason, rule=rule):
            if sending.plan.has_next(turn.place):
                again[number] = Turn(turn.place + 1)
            else:
                sending.skip(number, turn.place, reason, rule)
        case PostponedSend(at=until):
            sending.outcomes[number] = wait(until)
        case UnpaidSend():
            sending.unpaid.append(number)
            sending.outcomes[number] = wait(at)


async def _return_places(sending: Sending, caps: Sequence[Cap], counted: Sequence[int]) -> None:
    """Give back the places of those who were sent nothing."""
    made = {effect.run for effect in sending.effects}
    nothing = [one.contact_id for number in counted if (one := sending.run(number)).id not in made]
    if nothing:
        for cap in caps:
            await give_back(cap.scope, nothing, at=sending.batch.at)


def _refuse_unpaid(sending: Sending) -> None:
    """Nobody is skipped for want of money: those that it covers go first, and where it covers none,
    the version pauses.
    """
    if sending.unpaid and not sending.effects:
        raise VersionPaused(NO_MONEY)
