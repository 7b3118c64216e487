"""The pipeline shapes."""

from typing import Annotated

from pydantic import Field

from core.pipelines import Outcome
from core.pipelines.inputs import REQUIRABLE, PipelineKind
from rest_api.support.shapes import Listed, Out, Timestamp

Month = Annotated[str, Field(json_schema_extra={"pattern": r"^\d{4}-\d{2}$"})]
RequiredField = Annotated[str, Field(json_schema_extra={"enum": list(REQUIRABLE)})]


class Stage(Out):
    """A column of the board. Deals that enter one with the outcome `ganho` are won, with `perda`
    lost.
    """

    id: str
    pipeline_id: str
    nome: str
    posicao: int
    resultado: Outcome
    probabilidade: int | None = None
    tempo_maximo_dias: int | None = None
    campos_obrigatorios: list[RequiredField]
    cor: str | None = None


class LostReason(Out):
    """Why deals are lost. An inactive one cannot be given any more."""

    id: str
    texto: str
    ativo: bool
    exige_observacao: bool


class Pipeline(Out):
    """A way that deals go, stage by stage. `versao` counts its changes, those of stages and reasons
    included.
    """

    id: str
    organization_id: str
    nome: str
    tipo: PipelineKind
    descricao: str | None = None
    moeda: str
    posicao: int
    arquivado: bool
    etapas: list[Stage]
    motivos: list[LostReason]
    versao: int
    created_by_id: str
    created_at: Timestamp
    updated_at: Timestamp


class PipelinePage(Listed):
    """Pipelines by their position. The counts are by pipeline id, and there only when asked for."""

    items: list[Pipeline]
    total: int
    card_counts: dict[str, int] | None = None
    open_stage_counts: dict[str, int] | None = None


class Period(Out):
    """Both ends belong to it."""

    de: Timestamp
    ate: Timestamp


class StageValue(Out):
    """What the deals of a stage are worth, in one currency."""

    moeda: str
    valor: float
    valor_ponderado: float


class StageFigures(Out):
    """One stage. Cards count once in `entraram` and `avancaram`, however often they passed."""

    etapa_id: str
    nome: str
    quantidade: int
    atrasados: int
    valores: list[StageValue]
    tempo_medio_segundos: int | None = Field(default=None, description="Of the stays that ended")
    entraram: int
    avancaram: int = Field(description="Of these, how many stood further on later, or were won")
    taxa_avanco: float | None = Field(
        default=None, description="avancaram / entraram; open stages only"
    )


class TotalValue(Out):
    """What the deals are worth, in one currency."""

    moeda: str
    aberto: float
    ponderado: float
    ganho: float
    perdido: float


class Totals(Out):
    """All stages together."""

    abertos: int
    ganhos: int
    perdidos: int
    taxa_ganho: float | None = Field(default=None, description="ganhos / (ganhos + perdidos)")
    ciclo_medio_segundos: int | None = Field(default=None, description="From creation to the win")
    valores: list[TotalValue]


class ReasonValue(Out):
    """What was lost, in one currency."""

    moeda: str
    valor: float


class ReasonFigures(Out):
    """How much was lost for one reason."""

    motivo_id: str
    texto: str
    quantidade: int
    valores: list[ReasonValue]


class Forecast(Out):
    """What open deals are expected to bring in a month, in one currency."""

    mes: Month
    moeda: str
    ponderado: float


class PipelineSummary(Listed):
    """The deals of a pipeline that were created in a period. What cannot be computed is absent."""

    pipeline_id: str
    periodo: Period
    etapas: list[StageFigures]
    totais: Totals
    motivos: list[ReasonFigures]
    previsao: list[Forecast]
