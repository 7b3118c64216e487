"""The summary of a pipeline as the interface spells it."""

from typing import Annotated, NotRequired, TypedDict

from pydantic import WithJsonSchema

from core.foundation.records import Doc, Id, Instant, PassedOver

MONTH_SCHEMA = {"type": "string", "pattern": r"^\d{4}-\d{2}$"}
CURRENCY = "The currency, by its code of ISO 4217"
OF_CURRENCY = "in units of `moeda`"


class Period(TypedDict):
    """A stretch of time. Both ends belong to it."""

    de: Annotated[Instant, Doc("Its first moment")]
    ate: Annotated[Instant, Doc("Its last moment")]


class StageValue(TypedDict):
    """What the deals of a stage are worth, in one currency."""

    moeda: Annotated[str, Doc(CURRENCY)]
    valor: Annotated[float, Doc(f"What they are worth, {OF_CURRENCY}")]
    valorPonderado: Annotated[float, Doc(f"Each deal's worth times its probability, {OF_CURRENCY}")]


class StageFigures(TypedDict):
    """One stage. Cards count once in `entraram` and `avancaram`, however often they passed."""

    etapaId: Annotated[Id, Doc("The stage")]
    nome: Annotated[str, Doc("What the stage is called")]
    quantidade: Annotated[int, Doc("How many of the cards lie in it now")]
    atrasados: Annotated[int, Doc("How many of them have been in it for longer than it allows")]
    valores: Annotated[list[StageValue], Doc("What they are worth, by currency")]
    tempoMedioSegundos: NotRequired[
        Annotated[int, Doc("How long stays in it took on average, of the stays that ended")]
    ]
    entraram: Annotated[int, Doc("How many cards came into it")]
    avancaram: Annotated[int, Doc("Of these, how many stood further on later, or were won")]
    taxaAvanco: NotRequired[Annotated[float, Doc("avancaram / entraram; open stages only")]]


class TotalValue(TypedDict):
    """What the deals are worth, in one currency."""

    moeda: Annotated[str, Doc(CURRENCY)]
    aberto: Annotated[float, Doc(f"The open ones, {OF_CURRENCY}")]
    ponderado: Annotated[float, Doc(f"Each open deal's worth times its probability, {OF_CURRENCY}")]
    ganho: Annotated[float, Doc(f"The won ones, {OF_CURRENCY}")]
    perdido: Annotated[float, Doc(f"The lost ones, {OF_CURRENCY}")]


class Totals(TypedDict):
    """All stages together."""

    abertos: Annotated[int, Doc("How many deals are open")]
    ganhos: Annotated[int, Doc("How many were won")]
    perdidos: Annotated[int, Doc("How many were lost")]
    taxaGanho: NotRequired[Annotated[float, Doc("ganhos / (ganhos + perdidos)")]]
    cicloMedioSegundos: NotRequired[
        Annotated[int, Doc("From creation to the win, on average, of those that were won")]
    ]
    valores: Annotated[list[TotalValue], Doc("What the deals are worth, by currency")]


class ReasonValue(TypedDict):
    """What was lost, in one currency."""

    moeda: Annotated[str, Doc(CURRENCY)]
    valor: Annotated[float, Doc(f"What the deals were worth, {OF_CURRENCY}")]


class ReasonFigures(TypedDict):
    """How much was lost for one reason."""

    motivoId: Annotated[Id, Doc("The reason")]
    texto: Annotated[str, Doc("The reason, in the words of the organization")]
    quantidade: Annotated[int, Doc("How many deals were lost for it")]
    valores: Annotated[list[ReasonValue], Doc("What these were worth, by currency")]


class Forecast(TypedDict):
    """What open deals are expected to bring in a month, in one currency."""

    mes: Annotated[str, WithJsonSchema(MONTH_SCHEMA), Doc("A month, year first: `2026-11`")]
    moeda: Annotated[str, Doc(CURRENCY)]
    ponderado: Annotated[float, Doc(f"Each deal's worth times its probability, {OF_CURRENCY}")]


class PipelineSummary(TypedDict):
    """The deals of a pipeline that were created in a period. What cannot be computed is absent."""

    pipelineId: Annotated[Id, Doc("The pipeline")]
    periodo: Annotated[Period, Doc("The period that was asked for")]
    etapas: Annotated[list[StageFigures], Doc("Its stages in their order")]
    totais: Annotated[Totals, Doc("All stages together")]
    motivos: Annotated[
        list[ReasonFigures], Doc("The reasons that deals were lost for, the most frequent first")
    ]
    previsao: Annotated[list[Forecast], Doc("What open deals are expected to bring, by month")]
    warnings: NotRequired[PassedOver]
