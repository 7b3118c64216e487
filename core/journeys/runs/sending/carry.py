"""Carrying messages over a channel: through its own set-based acceptance, with all its rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias

from core import messaging
from core.foundation.database.transactions import after_commit
from core.foundation.errors import ServiceError
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller
from core.journeys.quoted import QuoteInUse
from core.journeys.runs.batch import VersionPaused
from core.journeys.runs.sending.contents import ChannelContent
from core.journeys.ways import WAYS
from core.messaging import by_journey
from core.messaging.by_journey import CarriedMessage, JourneyMessage, JourneyRecipient, NotSent

LOOK_AGAIN = timedelta(minutes=5)
"""When to try again where nobody carries a channel at the moment."""


@dataclass(frozen=True, slots=True)
class OmittedSend:
    """Left out, for this reason of the step, by this rule."""

    reason: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class PostponedSend:
    """Nothing is wrong with the message: it may be tried again then."""

    at: datetime


@dataclass(frozen=True, slots=True)
class UnpaidSend:
    """The balance did not cover it."""


@dataclass(frozen=True, slots=True)
class JourneySender:
    """What all messages of a version have in common: `name` of the journey, which is the subject
    where a step names none, and the quote that it was activated with, while it is locked.
    """

    name: str
    quote: QuoteInUse | None


Carried: TypeAlias = CarriedMessage | OmittedSend | PostponedSend | UnpaidSend

NO_ADDRESS = OmittedSend("sem_canal", Rule.BODY)

OMITS: Mapping[NotSent, OmittedSend] = {
    NotSent.NO_ADDRESS: NO_ADDRESS,
    NotSent.OPTED_OUT: OmittedSend("opt_out", Rule.CONSENT),
    NotSent.SUPPRESSED: OmittedSend("suprimido", Rule.SUPPRESSION),
}

PAUSES: Mapping[Rule, str] = {
    Rule.TEMPLATE: "template_indisponivel",
    Rule.SENDER: "numero_indisponivel",
}
"""What pauses the whole version, by the rule that refused: it would refuse everybody."""

SKIPS: Mapping[Rule, str] = {
    Rule.CONSENT: "opt_out",
    Rule.WINDOW: "janela",
    Rule.SUPPRESSION: "suprimido",
}
POSTPONES = (Rule.PROVIDER, Rule.ROUTE, Rule.PRICE, Rule.CEILING)


async def carry(
    caller: Caller,
    content: ChannelContent,
    sender: JourneySender,
    to: Sequence[JourneyRecipient],
    *,
    at: datetime,
) -> Sequence[Carried]:
    """Hand messages to their channel, in the transaction that moves their runs: what became of
    each, in their order.
    """
    if not to:
        return []
    way, quote = WAYS[content.channel], sender.quote
    message = JourneyMessage(
        content.text,
        content.subject or sender.name,
        content.template_id,
        content.number_id,
        content.variables,
    )
    quoted = None if quote is None else quote.on(content.channel)
    told = await way.carry(caller, message, quoted, to, at)
    carried = [_read(one, at=at) for one in told]
    if not way.counts:
        taken = sum(isinstance(one, CarriedMessage) for one in carried)
        await after_commit(partial(_count, content.channel, caller.env, taken))
    return carried


async def _count(channel: str, env: str, taken: int) -> None:
    if taken:
        messaging.count_send(channel, env, "queued", sends=taken)


def _read(told: by_journey.Carried, *, at: datetime) -> Carried:
    """What the channel's word means for its run."""
    match told:
        case CarriedMessage():
            return told
        case NotSent.NOT_NOW:
            return PostponedSend(at + LOOK_AGAIN)
        case NotSent():
            return OMITS[told]
    return refused(told, at=at)


def refused(error: Exception, *, at: datetime) -> Carried:
    """What a refusal means for its run. Raises what is nobody's refusal, and VersionPaused."""
    if not isinstance(error, ServiceError):
        raise error
    rule = error.rule or Rule.BODY
    if rule in PAUSES:
        raise VersionPaused(PAUSES[rule])
    if rule in SKIPS:
        return OmittedSend(SKIPS[rule], rule)
    if rule in POSTPONES:
        return PostponedSend(at + LOOK_AGAIN)
    return UnpaidSend() if rule is Rule.BALANCE else NO_ADDRESS
