"""What a rehearsal answers."""

from typing import Annotated, NotRequired, TypedDict

from core.decisions import ExplanationRecord
from core.foundation.records import Doc, Instant, LargeInt, named
from core.journeys.runs.record import TrailResult


class RehearsedStep(TypedDict):
    """What would become of the contact in a step."""

    passo: Annotated[str, Doc("The step")]
    em: Annotated[Instant, Doc("When it would come there")]
    ate: NotRequired[Annotated[Instant, Doc("Until when it would wait there")]]
    resultado: Annotated[TrailResult, Doc("What would become of it there")]
    caminho: NotRequired[
        Annotated[str, Doc("The way that it would take, such as `seSim` or `ramos.0`")]
    ]
    motivo: NotRequired[Annotated[str, Doc("Why it would be passed over, or why it ends")]]
    decisao: NotRequired[
        Annotated[
            ExplanationRecord,
            Doc("Whether its message could be sent, for whoever may read the channel"),
        ]
    ]


@named(rest="JourneyRehearsal", graphql="JourneyRehearsal")
class RehearsalRecord(TypedDict):
    """A contact's way through a journey, of which nothing is done."""

    passos: Annotated[list[RehearsedStep], Doc("The steps, in the order in which it comes to them")]
    coins: Annotated[LargeInt, Doc("What its messages would cost; 1 coin = 0.0001 BRL")]


class ExpectedAtStep(TypedDict):
    """How many are expected at a step."""

    passo: Annotated[str, Doc("The step")]
    pessoas: Annotated[int, Doc("How many of those who would enter, as the sample went")]


@named(rest="JourneyForecast", graphql="JourneyForecast")
class ForecastRecord(TypedDict):
    """What is expected of a journey, as a sample of those who would enter went through it."""

    publico: NotRequired[
        Annotated[
            int,
            Doc("How many would enter now; absent where counting them takes too long"),
        ]
    ]
    amostra: Annotated[int, Doc("How many were walked through it")]
    passos: Annotated[list[ExpectedAtStep], Doc("Its steps; without `publico` of the sample alone")]
    coins: Annotated[LargeInt, Doc("What all of it would cost; 1 coin = 0.0001 BRL")]
    termino: NotRequired[
        Annotated[Instant, Doc("When the last of them would be at the end, if all entered now")]
    ]
