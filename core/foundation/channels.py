"""Every channel on which people are reached, declared once; the sets of channels are made of it."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import EnumMeta
from typing import Any, Literal, TypeVar

from core.foundation.described_enum import DescribedEnum
from core.foundation.rules import Rule
from core.foundation.security.caller import Scope

Member = TypeVar("Member")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFacts:
    """What all packages know of a channel.

    `word`: how it is called on the wire and in stored values. `read` and `send`: who reads what
    went over it, and who sends. `rules`: those that it asks about a send, each only where those
    before it have passed. `address`: the column of a contact that it writes to; None where a
    contact has none. `journey_route`: the route or kind of price of what journeys send; whoever
    opted out is not sent to. `shortens_links`: whether its messages carry short links.
    `holds_objects`: they are stored as the objects that were sent, and not as a text alone.
    `has_templates`: a number may send templates over it.

    The others say what it is in each set that it belongs to; without a sentence it is not in it.
    `message`: its messages are stored in `messages`. `conversation`: people write back and forth.
    `opt_out`: people may close it by itself. `decision`: it keeps why a send was refused. `quote`:
    its prices are promised. `journey`: steps of journeys send over it. `attribution`: events are
    attributed to its messages. `segment`: contacts are found by having been reached on it.
    """

    word: str
    read: Scope
    send: Scope
    rules: tuple[Rule, ...]
    address: Literal["phone", "email"] | None = None
    journey_route: str = ""
    shortens_links: bool = False
    holds_objects: bool = False
    has_templates: bool = False
    message: str | None = None
    conversation: str | None = None
    opt_out: str | None = None
    decision: str | None = None
    quote: str | None = None
    journey: str | None = None
    attribution: str | None = None
    segment: str | None = None


class DeclaredChannel(ChannelFacts):
    """A channel among the declarations."""

    def __get__(self, instance: object, owner: type[Member]) -> Member:
        """For type checkers: of a set, its own member. Only a set without the channel comes here."""
        raise AttributeError(self.word)


_FIRST = (Rule.SCOPE, Rule.BODY, Rule.IDEMPOTENCY)
_LAST = (Rule.BALANCE, Rule.PRICE, Rule.ANSWER, Rule.RECEIPT)
_OF_CONVERSATIONS = (
    *_FIRST,
    Rule.PROVIDER,
    Rule.SENDER,
    Rule.TEMPLATE,
    Rule.WINDOW,
    Rule.CONSENT,
    Rule.BALANCE,
    Rule.PRICE,
    Rule.QUIET_HOURS,
    Rule.PACING,
    Rule.ANSWER,
    Rule.RECEIPT,
)


class Channels(EnumMeta):
    """The channels, in the order in which they are told. A new one is declared here.

    It is the kind of class that sets of channels are, so that type checkers know their members.
    """

    SMS = DeclaredChannel(
        word="sms",
        read=Scope.SMS_READ,
        send=Scope.SMS_SEND,
        rules=(*_FIRST, Rule.CEILING, Rule.ROUTE, Rule.PROVIDER, Rule.CONSENT, *_LAST),
        address="phone",
        journey_route="premium",
        shortens_links=True,
        message="By SMS",
        opt_out="SMS",
        decision="Text messages",
        quote="Text messages, by the segment",
        journey="A text message",
        attribution="SMS",
        segment="SMS",
    )
    RCS = DeclaredChannel(
        word="rcs",
        read=Scope.RCS_READ,
        send=Scope.RCS_SEND,
        rules=(*_FIRST, Rule.ROUTE, Rule.PROVIDER, Rule.CONSENT, *_LAST),
        address="phone",
        journey_route="easy_rcs",
        shortens_links=True,
        holds_objects=True,
        message="By RCS, or as the SMS that stands in for it",
        opt_out="RCS",
        decision="Rich messages, with an SMS in their stead where one is given",
        quote="RCS messages, by the message",
        journey="An RCS message",
        attribution="RCS",
        segment="RCS",
    )
    EMAIL = DeclaredChannel(
        word="email",
        read=Scope.EMAIL_READ,
        send=Scope.EMAIL_SEND,
        rules=(*_FIRST, Rule.PROVIDER, Rule.SENDER, Rule.CONSENT, Rule.SUPPRESSION, *_LAST),
        address="email",
        journey_route="marketing",
        shortens_links=True,
        message="By e-mail",
        opt_out="E-mail",
        decision="E-mail",
        quote="E-mails, by the letter",
        journey="An e-mail",
        attribution="E-mail",
        segment="E-mail",
    )
    WHATSAPP = DeclaredChannel(
        word="whatsapp",
        read=Scope.MESSAGES_READ,
        send=Scope.MESSAGES_SEND,
        rules=_OF_CONVERSATIONS,
        address="phone",
        journey_route="template",
        holds_objects=True,
        has_templates=True,
        message="In a conversation on WhatsApp",
        conversation="With a number of WhatsApp",
        opt_out="Conversations on the messaging platform",
        decision="Conversations by phone number",
        quote="Templates on WhatsApp, by the message",
        journey="The conversational channel, by a template",
        attribution="Conversations on the messaging platform",
        segment="Conversations with a number of WhatsApp",
    )
    INSTAGRAM = DeclaredChannel(
        word="instagram",
        read=Scope.MESSAGES_READ,
        send=Scope.MESSAGES_SEND,
        rules=_OF_CONVERSATIONS,
        holds_objects=True,
        message="In a conversation on Instagram",
        conversation="With an account of Instagram",
        decision="Conversations by Instagram account",
        attribution="Conversations on Instagram",
        segment="Conversations with an account of Instagram",
    )
    PUSH = DeclaredChannel(
        word="push",
        read=Scope.PUSH_READ,
        send=Scope.PUSH_SEND,
        rules=(*_FIRST, Rule.BALANCE, Rule.PRICE, Rule.QUIET_HOURS, Rule.ANSWER),
        journey_route="simple",
        opt_out="Push notifications",
        decision="Notifications to devices",
        quote="Notifications, by the device",
        journey="A notification to the contact's devices",
        attribution="Push notifications",
        segment="Push notifications",
    )

    def __new__(
        cls,
        name: str,
        bases: tuple[type, ...],
        body: Any,
        *,
        of: Callable[[ChannelFacts], str | None] | None = None,
        besides: Mapping[str, tuple[str, str]] | None = None,
        first: Collection[str] = (),
        last: Collection[str] = (),
        **options: Any,
    ) -> Any:
        """A set of the channels of which `of` says something. `besides`: members that are none,
        before them. `first` and `last`: channels that have always been told before, or behind, the
        others.
        """
        body.update(besides or {})
        for key in sorted(declared(), key=lambda key: (key in last) - (key in first)):
            facts = declared()[key]
            if of is not None and (said := of(facts)) is not None:
                body[key] = (facts.word, said)
        return super().__new__(cls, name, bases, body, **options)


def declared() -> dict[str, ChannelFacts]:
    """The channels by their names in code."""
    found = vars(Channels).items()
    return {name: facts for name, facts in found if isinstance(facts, DeclaredChannel)}


class ChannelSet(DescribedEnum, metaclass=Channels):
    """A set of channels: `class QuoteChannel(ChannelSet, of=lambda facts: facts.quote)`."""

    @property
    def facts(self) -> ChannelFacts:
        """What is known of the channel."""
        return declared()[self.name]


class AnyChannel(ChannelSet, of=lambda facts: facts.word):
    """Every channel, whatever set it belongs to."""


def those(which: Callable[[ChannelFacts], object]) -> tuple[str, ...]:
    """The channels of which something is so, as they are stored."""
    return tuple(channel.value for channel in AnyChannel if which(channel.facts))


def in_sql(channels: Iterable[str]) -> str:
    """Channels as SQL lists them: `('sms', 'rcs')`."""
    return "({})".format(", ".join(f"'{channel}'" for channel in channels))


BY_EMAIL = those(lambda facts: facts.address == "email")
"""The channels that write to the e-mail address of a contact."""
