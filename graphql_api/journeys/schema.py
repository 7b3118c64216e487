"""Journeys."""

from typing import get_args

import strawberry
from strawberry import UNSET

from core import journeys
from core.foundation.security.caller import Scope
from core.journeys.inputs import FrequencyCap, Goal, Quiet, Reentry, Trigger
from core.journeys.models import JourneyStatus as Status
from core.read_models.journeys import JOURNEY
from graphql_api.connections import Connection, connection_field, node_field
from graphql_api.enums import wire_enum
from graphql_api.inputs import name_input, register_enum, register_field_enums
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.nodes.schema import Node
from graphql_api.scalars import JSON, DateTime

JourneyStatus = wire_enum("JourneyStatus", Status)
JourneyReentry = wire_enum("JourneyReentry", get_args(Reentry))

register_enum(Reentry, JourneyReentry)
for model in (Trigger, Quiet, FrequencyCap, Goal):
    name_input(model, f"Journey{model.__name__}Input")
register_field_enums(Trigger, kind="JourneyTriggerType")


@strawberry.input(
    description="Conditions that all hold; without a status those that are not archived."
)
class JourneyFilter:
    status: JourneyStatus | None = UNSET


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


@strawberry.type
class JourneyQueries:
    journey: Journey | None = node_field(JOURNEY)
    journeys: Connection[Journey] | None = connection_field(
        JOURNEY, filter=JourneyFilter, description="Newest first"
    )


WRITE = Scope.CAMPAIGNS_WRITE


@mutation_type
class JourneyMutations:
    create_journey: Journey | None = mutation_field(
        journeys.create_journey, journeys.NewJourney, scope=WRITE, answers=JOURNEY
    )
    archive_journey: Journey | None = mutation_field(
        journeys.archive_journey, scope=WRITE, answers=JOURNEY, ids=("id",)
    )
    delete_journey: Deleted | None = mutation_field(
        journeys.delete_journey,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description="Only a draft.",
    )
