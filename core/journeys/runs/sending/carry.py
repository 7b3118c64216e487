"""Carrying messages over a channel: through its own set-based acceptance, with all its rules."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Generic, Protocol, TypeAlias, TypeVar
from uuid import UUID

from core import conversations, email, messaging, push, rcs, sms, wallet
from core.conversations.models import ConversationType
from core.email.inputs import NewEmail
from core.foundation.database.transactions import after_commit
from core.foundation.errors import ServiceError
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import Input
from core.journeys.models import JourneyChannel
from core.journeys.quoted import QuoteInUse
from core.journeys.runs.batch import VersionPaused
from core.journeys.runs.sending.contents import ChannelContent
from core.journeys.runs.sending.people import JourneyContact
from core.messaging import AcceptedSend, AcceptOutcome, MessagePriority, SendSchedule, SentByJourney
from core.messaging.opt_out import opted_out_among

KEY_ROUTE = "journeys"
"""Sends of journeys are none of requests. Of their keys nothing is kept: effects of runs tell what was sent."""

A_PHONE, AN_ADDRESS = "+5511999999999", "a@example.com"
"""What stands in a message that is checked once, before each has its own recipient."""

LOOK_AGAIN = timedelta(minutes=5)
"""When to try again where nobody carries a channel at the moment."""


@dataclass(slots=True)  # frozen, it would take four times as long to make
class RunRecipient:
    """Whom a message is for: a person, by a run on its step. `key`: names this try of this run."""

    person: JourneyContact
    run: UUID
    step: int
    key: str

    @property
    def journey(self) -> SentByJourney:
        """What the message keeps of it."""
        return SentByJourney(self.run, self.step)


@dataclass(slots=True)
class CarriedMessage:
    """The message, or the dispatch, that was accepted. `settled`: there is nothing to wait for."""

    ref: str
    settled: bool = False


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
Carry = Callable[
    [Caller, ChannelContent, JourneySender, Sequence[RunRecipient], datetime],
    Awaitable[Sequence[Carried]],
]

NO_ADDRESS = OmittedSend("sem_canal", Rule.BODY)
OPTED_OUT = OmittedSend("opt_out", Rule.CONSENT)
SUPPRESSED = OmittedSend("suprimido", Rule.SUPPRESSION)

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


def _read(outcome: AcceptOutcome | Exception, *, at: datetime) -> Carried:
    """What the acceptance of a queued message says."""
    if isinstance(outcome, Exception):
        return refused(outcome, at=at)
    if isinstance(outcome, AcceptedSend):
        answer = outcome.record
        return SUPPRESSED if answer["status"] == "failed" else CarriedMessage(answer["id"])
    return PostponedSend(at + LOOK_AGAIN)


New = TypeVar("New", bound=Input)
Request = TypeVar("Request")
New_contra = TypeVar("New_contra", bound=Input, contravariant=True)
Request_co = TypeVar("Request_co", covariant=True)
Queue = Callable[[Sequence[Request]], Awaitable[Sequence[AcceptOutcome | Exception]]]


class MakeRequest(Protocol[New_contra, Request_co]):
    """Makes the command to send a message later."""

    def __call__(
        self,
        caller: Caller,
        new: New_contra,
        *,
        key: str,
        later: SendSchedule,
        key_route: str,
    ) -> Request_co: ...


@dataclass(frozen=True, slots=True)
class QueueCarrier(Generic[New, Request]):
    """A channel whose messages wait in the queue. `draft`: what all of a step have in common, valid
    for one of its contacts. `address`: where a person gets it. `segments`: what each of them takes.
    """

    draft: Callable[[ChannelContent, JourneySender, str], New]
    address: Callable[[JourneyContact], str | None]
    request: MakeRequest[New, Request]
    queue: Queue[Request]
    queue_quoted: Queue[Request]
    segments: Callable[[New], int] = lambda _: 1

    async def carry(
        self,
        caller: Caller,
        content: ChannelContent,
        sender: JourneySender,
        to: Sequence[RunRecipient],
        at: datetime,
    ) -> list[Carried]:
        """Put the messages into the queue of their channel: the first of them by the quote, as far
        as it goes.
        """
        new = self.draft(content, sender, to[0].person.id)
        reached = [one for one in to if self.address(one.person) is not None]

        def request(one: RunRecipient, quote_id: str | None) -> Request:
            told = {
                "to": self.address(one.person),
                "contact_id": one.person.id,
                "quote_id": quote_id,
            }
            return self.request(
                caller,
                new.model_copy(update=told),
                key=one.key,
                later=SendSchedule(at, priority=MessagePriority.BULK, journey=one.journey),
                key_route=KEY_ROUTE,
            )

        quoted, segments, covered = sender.quote, self.segments(new), 0
        outcomes: list[AcceptOutcome | Exception] = []
        if quoted is not None and (
            covered := quoted.fitting(content.channel, segments, len(reached))
        ):
            outcomes += await self.queue_quoted(
                [request(one, quoted.id) for one in reached[:covered]]
            )
            taken = sum(isinstance(_read(outcome, at=at), CarriedMessage) for outcome in outcomes)
            quoted.use(content.channel, taken * segments)
        if covered < len(reached):
            outcomes += await self.queue([request(one, None) for one in reached[covered:]])
        carried = {
            one.key: _read(outcome, at=at) for one, outcome in zip(reached, outcomes, strict=True)
        }
        return [carried.get(one.key, NO_ADDRESS) for one in to]


def _sms(content: ChannelContent, sender: JourneySender, contact_id: str) -> sms.NewSms:
    return sms.NewSms(
        to=A_PHONE, body=content.text or "", route=sms.SmsRoute.PREMIUM, contact_id=contact_id
    )


def _rcs(content: ChannelContent, sender: JourneySender, contact_id: str) -> rcs.NewRcs:
    return rcs.NewRcs(
        to=A_PHONE,
        content=rcs.NewRcsContent(text=content.text),
        route=rcs.RcsRoute.EASY_RCS,
        contact_id=contact_id,
    )


def _email(content: ChannelContent, sender: JourneySender, contact_id: str) -> NewEmail:
    return NewEmail.model_validate(
        {
            "to": AN_ADDRESS,
            "subject": content.subject or sender.name,
            "text": content.text,
            "categoria": "marketing",
            "contactId": contact_id,
        }
    )


BY_SMS = QueueCarrier(
    draft=_sms,
    address=lambda person: person.phone,
    request=sms.queued_sms,
    queue=sms.queue_messages,
    queue_quoted=sms.queue_quoted_messages,
    segments=lambda new: sms.encode_sms(new.body).segments,
)
BY_RCS = QueueCarrier(
    draft=_rcs,
    address=lambda person: person.phone,
    request=rcs.queued_rcs,
    queue=rcs.queue_messages,
    queue_quoted=rcs.queue_quoted_messages,
)
BY_EMAIL = QueueCarrier(
    draft=_email,
    address=lambda person: person.email,
    request=email.queued_email,
    queue=email.queue_messages,
    queue_quoted=email.queue_quoted_messages,
)


async def _by_whatsapp(
    caller: Caller,
    content: ChannelContent,
    sender: JourneySender,
    to: Sequence[RunRecipient],
    at: datetime,
) -> list[Carried]:
    """Whoever said no gets no template either that is none of marketing: nobody asked for it."""
    hashes = {one.person.identity for one in to}
    denied = await opted_out_among(caller.organization_id, caller.env, content.channel, hashes)
    willing = [one for one in to if one.person.identity not in denied]
    covered, quote = 0, sender.quote
    if quote is not None and content.template_id is not None:
        covered = quote.fitting(content.channel, 1, len(willing))
    outcomes = await conversations.accept_messages(
        caller,
        [
            conversations.ConversationRequest(
                number_id=content.number_id,
                type=ConversationType.TEXT
                if content.template_id is None
                else ConversationType.TEMPLATE,
                payload={} if content.text is None else {"text": content.text},
                to=one.person.phone,
                contact_id=one.person.id,
                template_id=content.template_id,
                template_vars=content.variables,
                priority=MessagePriority.BULK,
                journey=one.journey,
                quote_id=quote.id if quote is not None and place < covered else None,
            )
            for place, one in enumerate(willing)
        ],
        at=at,
    )
    carried = {
        one.key: CarriedMessage(outcome.id)
        if isinstance(outcome, conversations.AcceptedMessage)
        else refused(outcome, at=at)
        for one, outcome in zip(willing, outcomes, strict=True)
    }
    return [carried.get(one.key, OPTED_OUT) for one in to]


async def _by_push(
    caller: Caller,
    content: ChannelContent,
    sender: JourneySender,
    to: Sequence[RunRecipient],
    at: datetime,
) -> list[Carried]:
    """One dispatch to the devices of all of them. What became of it is told by its figures."""
    quote = sender.quote
    try:
        pushed = await push.push_to_contacts(
            caller,
            [one.person.id for one in to],
            title=content.subject or sender.name,
            body=content.text or "",
            at=at,
            quote_id=quote.id if quote is not None and quote.left.get(content.channel) else None,
        )
    except wallet.InsufficientBalance:
        return [UnpaidSend()] * len(to)
    hashes = {one.person.identity for one in to if one.person.id not in pushed.contact_ids}
    denied = await opted_out_among(caller.organization_id, caller.env, content.channel, hashes)
    return [
        CarriedMessage(pushed.dispatch_id or "", settled=True)
        if one.person.id in pushed.contact_ids
        else OPTED_OUT
        if one.person.identity in denied
        else NO_ADDRESS
        for one in to
    ]


CARRIERS: Mapping[JourneyChannel, Carry] = {
    JourneyChannel.SMS: BY_SMS.carry,
    JourneyChannel.RCS: BY_RCS.carry,
    JourneyChannel.EMAIL: BY_EMAIL.carry,
    JourneyChannel.WHATSAPP: _by_whatsapp,
    JourneyChannel.PUSH: _by_push,
}


async def carry(
    caller: Caller,
    content: ChannelContent,
    sender: JourneySender,
    to: Sequence[RunRecipient],
    *,
    at: datetime,
) -> Sequence[Carried]:
    """Hand messages to their channel, in the transaction that moves their runs: what became of
    each, in their order.
    """
    if not to:
        return []
    carried = await CARRIERS[content.channel](caller, content, sender, to, at)
    if content.channel is not JourneyChannel.WHATSAPP:  # which counts its own
        taken = sum(isinstance(one, CarriedMessage) for one in carried)
        await after_commit(partial(_count, content.channel, caller.env, taken))
    return carried


async def _count(channel: str, env: str, taken: int) -> None:
    if taken:
        messaging.count_send(channel, env, "queued", sends=taken)
