"""The shapes of cards."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from core.cards import CardStatus
from core.cards.activities.inputs import ActivityKind
from core.cards.history import HistoryKind
from core.cards.inputs import Origin
from core.contacts.attributes import ATTRIBUTES_SCHEMA
from rest_api.support.shapes import Listed, Out, Timestamp

Day = Annotated[str, Field(json_schema_extra={"format": "date"})]

AttributeValue = str | int | float | bool | list[str] | None


class CardPerson(Out):
    """A contact on a card, and the part that it plays."""

    contato_id: str
    papel: str | None = None
    principal: bool


class NextActivity(Out):
    """The open activity of a card that is due first."""

    id: str
    tipo: ActivityKind
    titulo: str | None = None
    vence_em: Timestamp


class CardOut(Out):
    """A deal. `status` is that of its stage; `versao` counts its changes."""

    id: str
    organization_id: str
    pipeline_id: str
    etapa_id: str
    titulo: str
    status: CardStatus
    ordem: str = Field(
        description="Its place in the stage; compared as bytes, and otherwise opaque"
    )
    versao: int
    valor: float | None = Field(default=None, description="In units of `moeda`")
    moeda: str
    data_prevista: Day | None = None
    probabilidade: int | None = Field(default=None, description="Its own, or the stage's")
    etapa_desde: Timestamp
    dias_na_etapa: int
    atrasado: bool = Field(description="Longer in the stage than it allows")
    proxima_atividade: NextActivity | None = None
    ganho_em: Timestamp | None = None
    perdido_em: Timestamp | None = None
    fechado_por_id: str | None = None
    contato_id: str | None = None
    contatos: list[CardPerson]
    company_id: str | None = None
    responsavel_id: str | None = None
    motivo_perda_id: str | None = None
    observacao_perda: str | None = None
    atributos: Annotated[dict[str, AttributeValue], WithJsonSchema(ATTRIBUTES_SCHEMA)]
    tags: list[str]
    origem: Origin
    origem_message_id: str | None = None
    external_id: str | None = None
    created_by_id: str
    created_at: Timestamp
    updated_at: Timestamp


class CardPage(Listed):
    """A page of cards. Deep readers send `nextCursor` back as `cursor`."""

    items: list[CardOut]
    total: int
    next_cursor: str | None = None


class StageOfTheTime(Out):
    """A stage by the name that it had then; it may be gone."""

    etapa_id: str
    nome: str


class CardHistoryEntry(Out):
    """A stay in a stage, which has no `saiuEm` as long as it lasts; or, with the kind `campo`, a
    field that changed.
    """

    id: str
    tipo: HistoryKind
    de: StageOfTheTime | None = None
    para: StageOfTheTime | None = None
    campo: str | None = None
    entrou_em: Timestamp | None = None
    saiu_em: Timestamp | None = None
    duracao_segundos: int | None = None
    motivo_perda_id: str | None = None
    por_id: str | None = None
    por_nome: str | None = None
    em: Timestamp


class CardHistoryPage(Listed):
    """A page of a card's history, newest first."""

    items: list[CardHistoryEntry]
    next_cursor: str | None = None


class CardMoved(Out):
    """The card after the move. `movimento` is the stay that began; absent when it stayed in its
    stage.
    """

    card: CardOut
    movimento: CardHistoryEntry | None = None


class CardRefusal(Out):
    """A card that did not move, and why: a refinement code, or the code of a refusal."""

    card_id: str
    codigo: str
    mensagem: str


class CardBatchMoved(Out):
    """How many cards came into the stage, and those that could not."""

    movidos: int
    erros: list[CardRefusal]


class ActivityOut(Out):
    """Something done, or to be done, about a deal."""

    id: str
    card_id: str
    tipo: ActivityKind
    titulo: str | None = None
    texto: str | None = None
    vence_em: Timestamp | None = None
    concluida_em: Timestamp | None = None
    responsavel_id: str | None = None
    message_id: str | None = None
    created_by_id: str
    created_at: Timestamp
    updated_at: Timestamp


class ActivityPage(Listed):
    """A page of a card's activities: open ones by when they are due, then done ones, the latest
    first.
    """

    items: list[ActivityOut]
    total: int
