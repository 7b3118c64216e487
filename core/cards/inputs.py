"""What callers may say about a card."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

from core.cards.models import CardOrder, CardOrigin, CardStatus
from core.contacts.attributes import Attributes
from core.contacts.inputs import ExternalId, Tags
from core.foundation.clock import now
from core.foundation.database.pages import MAX_SKIP
from core.foundation.validation.currencies import Currency
from core.foundation.validation.inputs import (
    CURSOR,
    Changes,
    Day,
    Input,
    KeptWhenLeftOut,
    QueryInput,
    UtcTime,
    at_most_decimals,
)
from core.foundation.validation.names import NameText
from core.foundation.validation.validation_errors import across

MAX_PEOPLE = 20
MAX_BATCH_SIZE = 200
MAX_VALUE = 10**12

AHEAD = timedelta(minutes=5)
"""How far the caller's clock may run before ours."""


def _not_ahead(at: UtcTime) -> UtcTime:
    if at > now() + AHEAD:
        raise PydanticCustomError("in_the_future", "This lies in the future; send when it happened")
    return at


def _once_each(people: "list[Person]") -> "list[Person]":
    if len({person.contact_id for person in people}) < len(people):
        raise PydanticCustomError("repeated", "Every contact is on a card once")
    if sum(person.principal for person in people) > 1:
        raise PydanticCustomError("repeated", "At most one contact of a card is the principal one")
    return people


def _use_mover(_: object) -> object:
    raise PydanticCustomError(
        "USE_MOVER", "A card changes its stage, and with it its status, with /cards/{id}/mover"
    )


MAX_TITLE_LENGTH = 160
Title = Annotated[str, NameText(MAX_TITLE_LENGTH), Field(description="What the deal is called")]
Value = Annotated[
    float,
    Field(
        ge=0,
        le=MAX_VALUE,
        allow_inf_nan=False,
        description="In units of the currency, with up to two decimals",
    ),
    at_most_decimals(2),
]
Bound = Annotated[float, Field(ge=0, le=MAX_VALUE, allow_inf_nan=False)]
Probability = Annotated[
    int, Field(ge=0, le=100, description="Percent; without one, that of the stage counts")
]
Note = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=1000),
    Field(description="A note on why the deal was lost"),
]
Expected = Annotated[date, Field(description="The day on which the deal is expected to be won")]
ContactId = Annotated[str, Field(description="The contact that the deal is about")]
CompanyId = Annotated[str, Field(description="The company that the deal is made with")]
OwnerId = Annotated[str, Field(description="The account that is responsible, an active one")]
ReasonId = Annotated[
    str, Field(description="The reason why the deal is lost, one of the pipeline's")
]
PEOPLE = "Who else is on the card, in their order"
ATTRIBUTES = "Free data about the deal, flat"
TAGS = "Words to group deals by"
FILLING = "Values to fill on the way"
Past = Annotated[UtcTime, AfterValidator(_not_ahead)]
NotHere = SkipJsonSchema[Annotated[Any, BeforeValidator(_use_mover)]]


class Person(Input):
    """A contact on a card, and the part that it plays."""

    contact_id: str = Field(alias="contatoId", description="The contact")
    role: Annotated[str, NameText(60)] | None = Field(
        default=None, alias="papel", description="The part that the person plays in the deal"
    )
    principal: bool = Field(default=False, description="True for the one contact that comes first")


People = Annotated[list[Person], Field(max_length=MAX_PEOPLE), AfterValidator(_once_each)]


class NewCard(Input):
    """A deal. Without `etapaId` it starts in the pipeline's first open stage; the currency is the
    pipeline's.
    """

    title: Title = Field(alias="titulo")
    pipeline_id: str = Field(description="The pipeline that it comes onto")
    stage_id: str | None = Field(
        default=None, alias="etapaId", description="The stage that it starts in"
    )
    value: Value | None = Field(default=None, alias="valor")
    currency: Currency | None = Field(
        default=None, alias="moeda", description="The currency, by its code of ISO 4217"
    )
    expected_on: Expected | None = Field(default=None, alias="dataPrevista")
    probability: Probability | None = Field(default=None, alias="probabilidade")
    contact_id: ContactId | None = Field(default=None, alias="contatoId")
    people: People = Field(default=[], alias="contatos", description=PEOPLE)
    company_id: CompanyId | None = None
    owner_id: str | None = Field(
        default=None, alias="responsavelId", description="An active account"
    )
    lost_reason_id: str | None = Field(
        default=None, alias="motivoPerdaId", description="In a stage of lost deals"
    )
    lost_note: Note | None = Field(
        default=None, alias="observacaoPerda", description="In a stage of lost deals"
    )
    attributes: Attributes = Field(default={}, alias="atributos", description=ATTRIBUTES)
    tags: Tags = Field(default=[], description=TAGS)
    origin: CardOrigin | None = Field(
        default=None, alias="origem", description="api for keys, manual for people"
    )
    origin_message_id: str | None = Field(
        default=None,
        alias="origemMessageId",
        description="The message that the deal began with",
    )
    external_id: ExternalId | None = None


class CardChanges(Changes):
    """What to change; null clears. `contatos`, `atributos` and `tags` replace what is stored."""

    title: KeptWhenLeftOut[Title] = Field(default=None, alias="titulo")
    value: Value | None = Field(default=None, alias="valor")
    currency: KeptWhenLeftOut[Currency] = Field(
        default=None, alias="moeda", description="The currency, by its code of ISO 4217"
    )
    expected_on: Expected | None = Field(default=None, alias="dataPrevista")
    probability: Probability | None = Field(default=None, alias="probabilidade")
    contact_id: ContactId | None = Field(default=None, alias="contatoId")
    people: People | None = Field(default=None, alias="contatos", description=PEOPLE)
    company_id: CompanyId | None = None
    owner_id: OwnerId | None = Field(default=None, alias="responsavelId")
    attributes: Attributes | None = Field(default=None, alias="atributos", description=ATTRIBUTES)
    tags: Tags | None = Field(default=None, description=TAGS)
    external_id: ExternalId | None = None
    version: KeptWhenLeftOut[int] = Field(
        default=None, alias="versao", description="Refuse if it is another by now"
    )
    stage_id: NotHere = Field(default=None, alias="etapaId")
    status: NotHere = None


class Filling(Input):
    """Values to fill on the way, so that a card has what its next stage demands."""

    value: KeptWhenLeftOut[Value] = Field(default=None, alias="valor")
    expected_on: KeptWhenLeftOut[Expected] = Field(default=None, alias="dataPrevista")
    contact_id: KeptWhenLeftOut[ContactId] = Field(default=None, alias="contatoId")
    owner_id: KeptWhenLeftOut[OwnerId] = Field(default=None, alias="responsavelId")

    def columns(self) -> dict[str, object]:
        """The columns that were sent."""
        sent = {name: getattr(self, name) for name in self.model_fields_set}
        return {**sent, "value": amount(sent["value"])} if "value" in sent else sent


class CardMove(Input):
    """Into which stage of its pipeline, and where in it: behind all others unless told."""

    stage_id: str = Field(alias="etapaId", description="The stage that it comes into")
    before: KeptWhenLeftOut[str] = Field(
        default=None, alias="antesDe", description="The card of that stage before which it is put"
    )
    after: KeptWhenLeftOut[str] = Field(
        default=None, alias="depoisDe", description="The card of that stage behind which it is put"
    )
    filling: Filling = Field(default=Filling(), alias="campos", description=FILLING)
    lost_reason_id: ReasonId | None = Field(default=None, alias="motivoPerdaId")
    lost_note: Note | None = Field(default=None, alias="observacaoPerda")
    version: KeptWhenLeftOut[int] = Field(
        default=None, alias="versao", description="Refuse if it is another by now"
    )

    @across("before", "after")
    @staticmethod
    def _one_place(before: str | None, _: str) -> None:
        if before is not None:
            raise PydanticCustomError("not_allowed", "Send antesDe or depoisDe, not both")


class CardTransfer(Input):
    """Into which other pipeline; its first open stage unless told."""

    pipeline_id: str = Field(description="The pipeline that it comes onto")
    stage_id: str | None = Field(default=None, alias="etapaId", description="An open stage")
    filling: Filling = Field(default=Filling(), alias="campos", description=FILLING)


class CardWin(Input):
    """How a deal was won; now unless told."""

    value: KeptWhenLeftOut[Value] = Field(default=None, alias="valor")
    won_at: KeptWhenLeftOut[Past] = Field(
        default=None, alias="ganhoEm", description="At most five minutes ahead"
    )
    filling: Filling = Field(default=Filling(), alias="campos", description=FILLING)


class CardLoss(Input):
    """Why a deal was lost; now unless told."""

    lost_reason_id: ReasonId | None = Field(default=None, alias="motivoPerdaId")
    lost_note: Note | None = Field(default=None, alias="observacaoPerda")
    lost_at: KeptWhenLeftOut[Past] = Field(
        default=None, alias="perdidoEm", description="At most five minutes ahead"
    )


class CardReopening(Input):
    """Into which open stage; the last one that the card was in unless told."""

    stage_id: str | None = Field(default=None, alias="etapaId", description="An open stage")


class CardBatch(Input):
    """Cards to put into a stage of their pipeline, behind all others, in this order."""

    card_ids: Annotated[list[str], Field(min_length=1, max_length=MAX_BATCH_SIZE)] = Field(
        description="The cards, in the order in which they are put there"
    )
    stage_id: str = Field(alias="etapaId", description="The stage that it comes into")
    filling: Filling = Field(default=Filling(), alias="campos", description=FILLING)


class CardFilter(QueryInput):
    """Which cards to list."""

    pipeline_id: str | None = Field(default=None, description="Cards on this pipeline only")
    stage_id: str | None = Field(
        default=None, alias="etapaId", description="Cards in this stage only"
    )
    status: CardStatus | None = Field(default=None, description="Open, won or lost deals")
    owner_id: str | None = Field(
        default=None,
        alias="responsavelId",
        description="The account that is responsible for the deal",
    )
    contact_id: str | None = Field(
        default=None, alias="contatoId", description="On the card in any part"
    )
    company_id: str | None = Field(
        default=None, description="The company that the deal is made with"
    )
    late: bool | None = Field(
        default=None, alias="atrasado", description="Longer in their stage than it allows"
    )
    value_min: Bound | None = Field(
        default=None,
        alias="valorMin",
        description="Worth at least this much, in whichever currency the deal has",
    )
    value_max: Bound | None = Field(
        default=None,
        alias="valorMax",
        description="Worth at most this much, in whichever currency the deal has",
    )
    expected_from: Day | None = Field(
        default=None, alias="previstoDe", description="Expected on this day or later"
    )
    expected_to: Day | None = Field(
        default=None, alias="previstoAte", description="Expected on this day or earlier"
    )
    external_id: str | None = Field(default=None, description="The whole id in your own system")
    q: str | None = Field(
        default=None, description="A part of the title, in any case, with or without accents"
    )
    order: CardOrder | None = Field(
        default=None,
        alias="ordenarPor",
        description="`-` turns it round; ordem in one stage, else -createdAt, unless told. "
        "Without a value: last",
    )
    limit: Annotated[int, Field(ge=1, le=100)] = Field(default=25, description="How many at most")
    skip: Annotated[int, Field(ge=0, le=MAX_SKIP)] = Field(
        default=0, description="How many to leave out first"
    )
    cursor: str | None = Field(default=None, description=CURSOR)


def amount(value: float | None) -> Decimal | None:
    """A Value as it is stored."""
    return None if value is None else Decimal(str(value))
