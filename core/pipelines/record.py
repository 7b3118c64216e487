"""Pipelines, their stages and their reasons for losing, as the interface spells them."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import Column, Doc, Id, Instant, PassedOver, Record, named
from core.pipelines.board import Board
from core.pipelines.models import Outcome, PipelineKind, Stage, StageRequirement


@named(rest="Stage", graphql="Stage")
class StageRecord(TypedDict):
    """A column of the board. Deals that enter one with the outcome `ganho` are won, with `perda`
    lost.
    """

    id: Annotated[Id, Doc("Names the stage")]
    pipelineId: Annotated[Id, Doc("The pipeline that it belongs to")]
    nome: Annotated[str, Column("name"), Doc("What the stage is called")]
    posicao: Annotated[int, Column("position"), Doc("Its place on the pipeline, from 0")]
    resultado: Annotated[Outcome, Column("outcome"), Doc("What becomes of deals that enter it")]
    probabilidade: NotRequired[
        Annotated[
            int,
            Column("probability"),
            Doc("How probable it is that a deal in it will be won, in per cent"),
        ]
    ]
    tempoMaximoDias: NotRequired[
        Annotated[
            int,
            Column("max_days"),
            Doc("Days after which a card in the stage is late; without it, none is"),
        ]
    ]
    camposObrigatorios: Annotated[
        list[StageRequirement], Column("required_fields"), Doc("What a deal needs to enter it")
    ]
    cor: NotRequired[Annotated[str, Column("color"), Doc("The colour that it is shown in")]]


@named(rest="LostReason", graphql="LostReason")
class LostReasonRecord(TypedDict):
    """Why deals are lost. An inactive one cannot be given any more."""

    id: Annotated[Id, Doc("Names the reason")]
    texto: Annotated[str, Column("text"), Doc("The reason, in the words of the organization")]
    ativo: Annotated[bool, Column("active"), Doc("Whether deals can still be lost for it")]
    exigeObservacao: Annotated[
        bool, Column("needs_note"), Doc("Whether whoever gives it has to add a note")
    ]


@named(rest="Pipeline", graphql="Pipeline")
class PipelineRecord(TypedDict):
    """A way that deals go, stage by stage."""

    id: Annotated[Id, Doc("Names the pipeline")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    nome: Annotated[str, Column("name"), Doc("What the pipeline is called")]
    tipo: Annotated[PipelineKind, Column("kind"), Doc("What it is for; it never changes")]
    descricao: NotRequired[Annotated[str, Column("description"), Doc("What is to be known of it")]]
    moeda: Annotated[
        str, Column("currency"), Doc("The currency of its deals unless they tell another, ISO 4217")
    ]
    posicao: Annotated[int, Column("position"), Doc("Its place among the pipelines, from 0")]
    arquivado: Annotated[bool, Column("archived"), Doc("Whether it is archived")]
    etapas: Annotated[list[StageRecord], Column("stages"), Doc("Its stages in their order")]
    motivos: Annotated[
        list[LostReasonRecord],
        Column("reasons"),
        Doc("Its reasons for losing a deal, in their order"),
    ]
    versao: Annotated[
        int,
        Column("version"),
        Doc("Counts the changes, those of its stages and reasons among them"),
    ]
    createdById: Annotated[Id, Doc("The account or the key that made it")]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[Instant, Doc("When something of it last became different")]


PIPELINE = Record(PipelineRecord)
STAGE = Record(StageRecord)
LOST_REASON = Record(LostReasonRecord)

PARTS = frozenset({"etapas", "motivos"})
"""Keys of a pipeline that are rows of their own."""


class PipelinePage(TypedDict):
    """Pipelines by their position. The counts are by pipeline id, and there only when asked for."""

    items: Annotated[list[PipelineRecord], Doc("The pipelines of this page, by their position")]
    total: Annotated[int, Doc("How many there are on all pages together")]
    cardCounts: NotRequired[
        Annotated[dict[str, int], Doc("How many cards lie on each pipeline of the page")]
    ]
    openStageCounts: NotRequired[
        Annotated[dict[str, int], Doc("How many open stages each pipeline of the page has")]
    ]
    warnings: NotRequired[PassedOver]


def pipeline_record(board: Board) -> PipelineRecord:
    """The record of a pipeline with its stages and reasons, in their order."""
    parts = {
        "stages": [stage_record(stage) for stage in board.stages],
        "reasons": [LOST_REASON.make(vars(reason), unmasked=True) for reason in board.reasons],
    }
    return PIPELINE.make({**vars(board.pipeline), **parts}, unmasked=True)


def stage_record(stage: Stage) -> StageRecord:
    """The record of a stage."""
    return STAGE.make(vars(stage), unmasked=True)
