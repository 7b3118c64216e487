"""Journeys."""

import strawberry

from graphql_api.journeys.enums import JourneyReentry, JourneyStatus
from graphql_api.nodes.types import Node
from graphql_api.scalars import JSON, DateTime


@strawberry.type(description="Who enters: exactly one of the three sources.")
class JourneyTrigger:
    tipo: str | None
    list_id: strawberry.ID | None
    nome: str | None = strawberry.field(description="The name of a customer event")
    segment_id: strawberry.ID | None


@strawberry.type(description="How many contacts are on their way, and how the others ended.")
class JourneyRuns:
    ativa: int
    concluida: int
    cancelada: int
    erro: int


@strawberry.type(description="Why and where the service paused the journey.")
class JourneyPause:
    motivo: str
    passo: str
    em: DateTime
    rotulo: str | None


@strawberry.type(description="Hours of the day without messages.")
class JourneyQuiet:
    inicio: str
    fim: str


@strawberry.type(description="At most so many messages within so many days.")
class JourneyFrequencyCap:
    mensagens: int
    dias: int


@strawberry.type(description="The customer event that the journey is there for.")
class JourneyGoal:
    evento: str


@strawberry.type(description="The list that it begins with.")
class JourneyList:
    nome: str
    tamanho: int


@strawberry.type(description="The segment that it begins with.")
class JourneySegment:
    nome: str


@strawberry.type(description="What is to happen to a contact, step by step.")
class Journey(Node):
    name: str
    status: JourneyStatus
    gatilho: JourneyTrigger
    reentrada: JourneyReentry
    intervalo_reentrada_horas: int | None
    execucoes: JourneyRuns
    pausada_por: JourneyPause | None
    ativada_em: DateTime | None
    silencio: JourneyQuiet | None
    teto_de_frequencia: JourneyFrequencyCap | None
    meta: JourneyGoal | None
    versao: int
    versao_de: strawberry.ID | None
    substituida_por: strawberry.ID | None
    entradas_encerradas: bool | None
    created_at: DateTime
    updated_at: DateTime
    canais: list[str] = strawberry.field(
        description="The channels that it sends on, in the order of a run"
    )
    fluxo: list[str] = strawberry.field(description="The kinds of its steps, in the order of a run")
    meta_evento: str | None
    lista: JourneyList | None
    segmento: JourneySegment | None
    passos: JSON
    entrada_passo: str | None
    metricas_por_passo: JSON
