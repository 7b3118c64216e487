"""What callers may say about a pipeline, its stages and its reasons for losing."""

from typing import Annotated

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError

from core.foundation.database.pages import CEILING, MAX_SKIP
from core.foundation.validation.currencies import Currency
from core.foundation.validation.inputs import (
    MAX_INTEGER,
    Changes,
    Input,
    KeptWhenLeftOut,
    OfShape,
    QueryInput,
    UtcTime,
)
from core.foundation.validation.names import NameText, one_line
from core.pipelines.models import Outcome, PipelineKind, StageRequirement

MAX_STAGES = 30
MAX_REASONS = 50

REQUIRABLE = tuple(one.value for one in StageRequirement)
"""What a stage may demand of the deals in it."""


def _known_field(name: str) -> StageRequirement:
    if name not in REQUIRABLE:
        raise PydanticCustomError(
            "CAMPO_DESCONHECIDO", "A stage can demand valor, dataPrevista, contato, responsavel"
        )
    return StageRequirement(name)


def _once_each(values: list[StageRequirement]) -> list[StageRequirement]:
    return list(dict.fromkeys(values))


def _some_text(text: str) -> str:
    if not text:
        raise PydanticCustomError(
            "MOTIVO_VAZIO", "A reason has a text; leave the entry out instead"
        )
    return text


def _reason(value: object) -> object:
    """A bare text is a reason with nothing else to say."""
    return {"texto": value} if isinstance(value, str) else value


def _available(kind: PipelineKind) -> PipelineKind:
    if kind is not PipelineKind.SALES:
        raise PydanticCustomError(
            "TIPO_AINDA_NAO_DISPONIVEL", "Pipelines of this kind are not available yet"
        )
    return kind


Kind = Annotated[PipelineKind, AfterValidator(_available), Field(description="What it is for")]
PipelineName = Annotated[str, NameText(80), Field(description="What the pipeline is called")]
Description = Annotated[
    str,
    StringConstraints(max_length=500),
    Field(description="What is to be known of the pipeline"),
]
StageName = Annotated[str, NameText(60), Field(description="What the stage is called")]
StageResult = Annotated[Outcome, Field(description="What becomes of deals that enter the stage")]
Probability = Annotated[
    int, Field(ge=0, le=100, description="Percent; a won stage has 100 and a lost one 0")
]
MaxDays = Annotated[
    int, Field(ge=1, le=365, description="Days after which a deal in it is late; open stages only")
]
RequiredFields = Annotated[
    list[
        Annotated[
            str,
            AfterValidator(_known_field),
            Field(json_schema_extra={"enum": list(REQUIRABLE)}),
            OfShape(StageRequirement),
        ],
    ],
    Field(max_length=20, description="What a deal needs to enter"),
    AfterValidator(_once_each),
]
Color = Annotated[
    str,
    StringConstraints(min_length=1, max_length=20),
    Field(description="The colour that the stage is shown in"),
]
Place = Annotated[
    int, Field(ge=0, le=MAX_INTEGER, description="Counted from 0; what stands there moves back")
]


class NewStage(Input):
    """A stage. Those of an outcome other than `aberta` close the deals that enter them."""

    name: StageName = Field(alias="nome")
    outcome: StageResult = Field(default=Outcome.OPEN, alias="resultado")
    probability: Probability | None = Field(default=None, alias="probabilidade")
    max_days: MaxDays | None = Field(default=None, alias="tempoMaximoDias")
    required_fields: RequiredFields = Field(default=[], alias="camposObrigatorios")
    color: Color | None = Field(default=None, alias="cor")

    @field_validator("max_days")
    @classmethod
    def _only_open_ones_have_a_time(cls, days: int | None, others: ValidationInfo) -> int | None:
        if days is not None and others.data.get("outcome") in (Outcome.WON, Outcome.LOST):
            raise PydanticCustomError(
                "not_allowed", "Only a stage with the outcome aberta has tempoMaximoDias"
            )
        return days


class AddedStage(NewStage):
    """A stage to add, in front of won and lost unless `posicao` says where."""

    place: Place | None = Field(default=None, alias="posicao")


class StageChanges(Changes):
    """What changes of a stage; null clears what is optional. The outcome changes only while no deal
    is in it.
    """

    name: KeptWhenLeftOut[StageName] = Field(default=None, alias="nome")
    outcome: KeptWhenLeftOut[StageResult] = Field(default=None, alias="resultado")
    probability: Probability | None = Field(default=None, alias="probabilidade")
    max_days: MaxDays | None = Field(default=None, alias="tempoMaximoDias")
    required_fields: KeptWhenLeftOut[RequiredFields] = Field(
        default=None, alias="camposObrigatorios"
    )
    color: Color | None = Field(default=None, alias="cor")


class StageOrder(Input):
    """Every stage of the pipeline exactly once, in the order to be."""

    stage_ids: Annotated[list[str], Field(min_length=1, max_length=100)] = Field(
        alias="etapaIds", description="The ids of all stages, in the order to be"
    )


class StageDeletion(QueryInput):
    """What becomes of the deals in a stage that is deleted."""

    move_to: str | None = Field(
        default=None,
        alias="moverPara",
        description="The stage of the same pipeline that takes its deals",
    )


class Reason(Input):
    """A reason for losing a deal. `id` names one that exists; without it, one of the same text goes
    on.
    """

    id: str | None = Field(default=None, description="The reason that goes on, if it is not new")
    text: Annotated[
        str,
        StringConstraints(strip_whitespace=True, max_length=200),
        AfterValidator(_some_text),
        AfterValidator(one_line),
    ] = Field(alias="texto", description="The reason, in your own words")
    active: bool = Field(
        default=True, alias="ativo", description="Whether deals can still be lost for it"
    )
    needs_note: bool = Field(
        default=False,
        alias="exigeObservacao",
        description="Whether whoever gives it has to add a note",
    )


def _each_reason_once(reasons: list[Reason]) -> list[Reason]:
    ids = [reason.id for reason in reasons if reason.id is not None]
    if len({reason.text for reason in reasons}) < len(reasons) or len(set(ids)) < len(ids):
        raise PydanticCustomError("repeated", "Every reason stands once, by its text and by its id")
    return reasons


Reasons = Annotated[
    list[Annotated[Reason, BeforeValidator(_reason, json_schema_input_type=str | Reason)]],
    Field(max_length=MAX_REASONS, description="Reasons for losing a deal: texts, or objects"),
    AfterValidator(_each_reason_once),
]


def _each_name_once(stages: list[NewStage]) -> list[NewStage]:
    if len({stage.name for stage in stages}) < len(stages):
        raise PydanticCustomError("repeated", "The stages of a pipeline have different names")
    return stages


def _one_open(stages: list[NewStage]) -> list[NewStage]:
    if not any(stage.outcome is Outcome.OPEN for stage in stages):
        raise PydanticCustomError(
            "required", "A pipeline has at least one stage with the outcome aberta"
        )
    return stages


class NewPipeline(Input):
    """A pipeline to create, behind those that there are. Without `etapas` it gets six usual ones."""

    name: PipelineName = Field(alias="nome")
    kind: Kind = Field(default=PipelineKind.SALES, alias="tipo")
    description: Description | None = Field(default=None, alias="descricao")
    currency: Currency = Field(
        default="BRL",
        alias="moeda",
        description="The currency of its deals unless they tell another, ISO 4217",
    )
    stages: (
        Annotated[
            list[NewStage],
            Field(min_length=1, max_length=MAX_STAGES),
            AfterValidator(_each_name_once),
            AfterValidator(_one_open),
        ]
        | None
    ) = Field(default=None, alias="etapas", description="Its stages in their order")
    reasons: Reasons = Field(default=[], alias="motivos")


class PipelineChanges(Changes):
    """What changes of a pipeline. `motivos` replaces all reasons; one that was used is only made
    inactive.
    """

    name: KeptWhenLeftOut[PipelineName] = Field(default=None, alias="nome")
    kind: KeptWhenLeftOut[str] = Field(
        default=None, alias="tipo", description="May be sent back; it never changes"
    )
    description: Description | None = Field(default=None, alias="descricao")
    place: KeptWhenLeftOut[Place] = Field(default=None, alias="posicao")
    reasons: KeptWhenLeftOut[Reasons] = Field(default=None, alias="motivos")
    archived: KeptWhenLeftOut[bool] = Field(
        default=None, alias="arquivado", description="Whether it is archived"
    )
    force: bool = Field(
        default=False, alias="forcar", description="Archive it although open deals lie on it"
    )
    version: KeptWhenLeftOut[int] = Field(
        default=None, alias="versao", description="Refuse if it is another by now"
    )


class PipelineFilter(QueryInput):
    """Which pipelines to list, and whether to count what is on them."""

    counted: bool = Field(
        default=False, alias="contagem", description="Adds `cardCounts` and `openStageCounts`"
    )
    include_archived: bool = Field(default=False, description="Also those that were archived")
    limit: Annotated[int, Field(ge=1)] | None = Field(
        default=None,
        description=f"How many at most: {CEILING} unless told, which is also the ceiling",
    )
    skip: Annotated[int, Field(ge=0, le=MAX_SKIP)] = Field(
        default=0, description="How many to leave out first"
    )


class SummaryFilter(QueryInput):
    """Which deals of a pipeline to sum up: those created in a period, of everybody or of one
    person.
    """

    since: UtcTime | None = Field(
        default=None, alias="de", description="Created at or after; 90 days before `ate`"
    )
    until: UtcTime | None = Field(
        default=None, alias="ate", description="Created at or before; now unless told"
    )
    owner_id: str | None = Field(
        default=None,
        alias="responsavelId",
        description="The deals of this account; everybody's unless told",
    )
