"""The trace of a decision as the interface spells it."""

from typing import Annotated, Any, NotRequired, TypedDict

from core.foundation.channels import ChannelSet
from core.foundation.described_enum import DescribedEnum
from core.foundation.records import Doc, Id, Instant, UncountedPage, named
from core.foundation.rules import Rule


class Verdict(DescribedEnum, rest="Verdict", graphql="DecisionVerdict"):
    """What became of a send."""

    SENT = "enviada", "It left, or is leaving"
    REFUSED = "recusada", "A rule stopped it, and nothing left"
    SKIPPED = "pulada", "It was left out of what else was sent"
    POSTPONED = "adiada", "It waits, and leaves by itself"


class DecisionChannel(ChannelSet, of=lambda facts: facts.decision):
    """A channel that decides about sends."""


class RuleOutcome(DescribedEnum):
    """What a rule said."""

    PASSED = "passou", "The rule let it pass"
    STOPPED = "parou", "The rule stopped it"
    POSTPONED = "adiou", "The rule lets it wait"
    NOT_ASKED = "nao_se_aplica", "The rule does not concern it, or was not reached"


class RuleResult(TypedDict):
    """What one rule said of a send."""

    regra: Annotated[Rule, Doc("The rule")]
    resultado: Annotated[RuleOutcome, Doc("What it said")]
    porque: NotRequired[Annotated[str, Doc("Why, in a sentence; absent where it was not asked")]]
    entradas: NotRequired[
        Annotated[
            dict[str, Any],
            Doc(
                "What it looked at. That of `saldo` and `preco` is shown to who holds `wallet:read`"
            ),
        ]
    ]


class DecisionStep(TypedDict):
    """Something that happened to a message."""

    em: Annotated[Instant, Doc("When")]
    evento: Annotated[str, Doc("What happened, such as `enviada`")]


@named(rest="Decision", graphql="Decision")
class DecisionRecord(TypedDict):
    """Why a message was sent, or why not: its rules in the order in which they were asked."""

    id: Annotated[
        Id, Doc("Names the decision: `dec_…` of a refused send, the message's own of a message")
    ]
    veredito: Annotated[Verdict, Doc("What became of it")]
    em: Annotated[Instant, Doc("When it was decided")]
    canal: Annotated[DecisionChannel, Doc("The channel")]
    frase: Annotated[str, Doc("The decision in a sentence, in the language asked for")]
    regras: Annotated[list[RuleResult], Doc("The rules of the channel, in their order")]
    linha: Annotated[list[DecisionStep], Doc("What happened to it since, the oldest first")]
    regra: NotRequired[Annotated[Rule, Doc("The rule that stopped it, or lets it wait")]]
    oQueFazer: NotRequired[Annotated[str, Doc("What to do about it")]]
    codigo: NotRequired[
        Annotated[str, Doc("The code of the refusal, or the reason of the failure")]
    ]
    messageId: NotRequired[Annotated[Id, Doc("The message, where one is stored")]]
    contactId: NotRequired[Annotated[Id, Doc("The contact that it was for, where one is known")]]
    parteDe: NotRequired[
        Annotated[
            Id, Doc("The batch, the notification or the journey that passed over it, where one did")
        ]
    ]
    requestId: NotRequired[Annotated[str, Doc("The `X-Request-Id` of the request")]]


class DecisionPage(UncountedPage[DecisionRecord]):
    """A page of refused sends, newest first."""


@named(rest="SendExplanation", graphql="SendExplanation")
class ExplanationRecord(TypedDict):
    """What would become of a send, rule by rule; nothing of it is done."""

    veredito: Annotated[Verdict, Doc("What would become of it")]
    em: Annotated[Instant, Doc("The instant that was asked about")]
    canal: Annotated[DecisionChannel, Doc("The channel")]
    frase: Annotated[str, Doc("The decision in a sentence, in the language asked for")]
    regras: Annotated[list[RuleResult], Doc("The rules of the channel, in their order")]
    regra: NotRequired[Annotated[Rule, Doc("The rule that would stop it, or let it wait")]]
    oQueFazer: NotRequired[Annotated[str, Doc("What to do about it")]]
    codigo: NotRequired[Annotated[str, Doc("The code of the refusal")]]
    podeEm: NotRequired[
        Annotated[
            Instant,
            Doc(
                "When it could leave, within seven days; absent where something other than "
                "time has "
                "to change"
            ),
        ]
    ]
