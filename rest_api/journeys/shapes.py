"""The journey shapes."""

from typing import Annotated, Any

from pydantic import WithJsonSchema

from core.journeys.models import JourneyStatus
from rest_api.support.shapes import Listed, Out, Timestamp


class JourneyTrigger(Out):
    """Who enters: exactly one of the three sources."""

    tipo: str | None = None
    list_id: str | None = None
    nome: str | None = None
    segment_id: str | None = None


class JourneyRuns(Out):
    """How many contacts are on their way, and how the others ended."""

    ativa: int
    concluida: int
    cancelada: int
    erro: int


class JourneyPause(Out):
    """Why and where the service paused the journey."""

    motivo: str
    passo: str
    em: Timestamp
    rotulo: str | None = None


class JourneyQuiet(Out):
    """Hours of the day without messages."""

    inicio: str
    fim: str


class JourneyFrequencyCap(Out):
    """At most so many messages within so many days."""

    mensagens: int
    dias: int


class JourneyGoal(Out):
    """The customer event that the journey is there for."""

    evento: str


class JourneyList(Out):
    """The list that it begins with."""

    nome: str
    tamanho: int


class JourneySegment(Out):
    """The segment that it begins with."""

    nome: str


class JourneyListItem(Out):
    """A journey without its graph. `canais` and `fluxo` are read from the steps, in the order of a
    run.
    """

    id: str
    name: str
    status: JourneyStatus
    gatilho: JourneyTrigger
    reentrada: str
    intervalo_reentrada_horas: int | None = None
    execucoes: JourneyRuns | None = None
    pausada_por: JourneyPause | None = None
    ativada_em: Timestamp | None = None
    silencio: JourneyQuiet | None = None
    teto_de_frequencia: JourneyFrequencyCap | None = None
    meta: JourneyGoal | None = None
    versao: int | None = None
    versao_de: str | None = None
    substituida_por: str | None = None
    entradas_encerradas: bool | None = None
    created_at: Timestamp
    updated_at: Timestamp
    canais: list[str]
    fluxo: list[str]
    meta_evento: str | None = None
    lista: JourneyList | None = None
    segmento: JourneySegment | None = None


class JourneyPage(Listed):
    """All journeys in use, newest first."""

    items: list[JourneyListItem]
    next_cursor: str | None = None


class StepMetrics(Out):
    """How many contacts came to a step, wait in it, left it, and failed in it."""

    entraram: int
    aguardando: int
    concluiram: int
    erros: int


STEP_SCHEMA = {
    "x-name": "StoredJourneyStep",
    "type": "object",
    "required": ["id", "tipo", "config"],
    "properties": {
        "id": {"type": "string"},
        "tipo": {"type": "string"},
        "rotulo": {"type": "string"},
        "proximo": {"type": "string"},
        "config": {"type": "object"},
    },
}


class JourneyRecord(JourneyListItem):
    """A journey with its graph of steps."""

    passos: list[Annotated[dict[str, Any], WithJsonSchema(STEP_SCHEMA)]]
    entrada_passo: str | None = None
    metricas_por_passo: dict[str, StepMetrics]
