"""A card as the interface spells it, and what its moves answer."""

from typing import Annotated, Any, NotRequired, TypedDict

from pydantic import WithJsonSchema

from core.cards.history import HistoryRecord
from core.cards.models import ActivityKind, CardOrigin, CardStatus
from core.contacts.attributes import ATTRIBUTES_SCHEMA
from core.foundation.database.rows import HasColumns
from core.foundation.records import Column, Day, Doc, Id, Instant, Page, Record, named


@named(rest="CardPerson", graphql="CardPerson")
class CardPersonRecord(TypedDict):
    """A contact on a card, and the part that it plays."""

    contatoId: Annotated[Id, Column("contact_id"), Doc("The contact")]
    papel: NotRequired[
        Annotated[str, Column("role"), Doc("The part that the person plays in the deal")]
    ]
    principal: Annotated[bool, Doc("True for the one contact that comes first")]


CARD_PERSON = Record(CardPersonRecord)


class NextActivity(TypedDict):
    """The open activity of a card that is due first."""

    id: Annotated[Id, Doc("Names the activity")]
    tipo: Annotated[ActivityKind, Doc("What it is")]
    titulo: NotRequired[Annotated[str, Doc("What it is called")]]
    venceEm: Annotated[Instant, Doc("When it is due")]


@named(rest="CardOut", graphql="Card")
class CardRecord(TypedDict):
    """A deal. `status` is that of its stage; `versao` counts its changes."""

    id: Annotated[Id, Doc("Names the card")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    pipelineId: Annotated[Id, Doc("The pipeline that it is on")]
    etapaId: Annotated[Id, Column("stage_id"), Doc("The stage that it is in")]
    titulo: Annotated[str, Column("title"), Doc("What the deal is called")]
    status: Annotated[CardStatus, Doc("What became of the deal: the outcome of its stage")]
    ordem: Annotated[
        str,
        Column("rank"),
        Doc("Its place in the stage; compared as bytes, and otherwise opaque"),
    ]
    versao: Annotated[int, Column("version"), Doc("Counts the changes")]
    valor: NotRequired[
        Annotated[float, Column("value"), Doc("What the deal is worth, in units of `moeda`")]
    ]
    moeda: Annotated[str, Column("currency"), Doc("The currency, by its code of ISO 4217")]
    dataPrevista: NotRequired[
        Annotated[
            Day, Column("expected_on"), Doc("The day on which the deal is expected to be won")
        ]
    ]
    probabilidade: NotRequired[
        Annotated[
            int,
            Column("shown_probability"),
            Doc("How probable that is, in per cent: its own, or the stage's"),
        ]
    ]
    etapaDesde: Annotated[Instant, Column("stage_since"), Doc("When it came into its stage")]
    diasNaEtapa: Annotated[int, Column("days_in_stage"), Doc("Whole days since `etapaDesde`")]
    atrasado: Annotated[bool, Column("is_late"), Doc("Longer in the stage than it allows")]
    proximaAtividade: NotRequired[
        Annotated[NextActivity, Column("next_activity"), Doc("Its open activity that is due first")]
    ]
    ganhoEm: NotRequired[Annotated[Instant, Column("won_at"), Doc("When the deal was won")]]
    perdidoEm: NotRequired[Annotated[Instant, Column("lost_at"), Doc("When it was lost")]]
    fechadoPorId: NotRequired[
        Annotated[Id, Column("closed_by_id"), Doc("The account or the key that won or lost it")]
    ]
    contatoId: NotRequired[
        Annotated[Id, Column("contact_id"), Doc("The contact that the deal is about")]
    ]
    contatos: Annotated[
        list[CardPersonRecord], Column("people"), Doc("Who else is on it, in their order")
    ]
    companyId: NotRequired[Annotated[Id, Doc("The company that the deal is made with")]]
    responsavelId: NotRequired[
        Annotated[Id, Column("owner_id"), Doc("The account that is responsible")]
    ]
    motivoPerdaId: NotRequired[
        Annotated[Id, Column("lost_reason_id"), Doc("The reason why the deal was lost")]
    ]
    observacaoPerda: NotRequired[
        Annotated[str, Column("lost_note"), Doc("A note on why the deal was lost")]
    ]
    atributos: Annotated[
        dict[str, Any],
        Column("attributes"),
        WithJsonSchema(ATTRIBUTES_SCHEMA),
        Doc("Free data about the deal, flat"),
    ]
    tags: Annotated[list[str], Doc("Words by which deals are grouped")]
    origem: Annotated[CardOrigin, Column("origin"), Doc("What made the card")]
    origemMessageId: NotRequired[
        Annotated[Id, Column("origin_message_id"), Doc("The message that the deal began with")]
    ]
    externalId: NotRequired[Annotated[str, Doc("The id in your own system")]]
    createdById: Annotated[Id, Doc("The account or the key that made it")]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[Instant, Doc("When something of it last became different")]


CARD = Record(CardRecord)


class CardPage(Page[CardRecord]):
    """A page of cards. Deep readers send `nextCursor` back as `cursor`."""


class CardMoved(TypedDict):
    """The card after the move."""

    card: Annotated[CardRecord, Doc("The card as it is now")]
    movimento: NotRequired[
        Annotated[HistoryRecord, Doc("The stay that began; absent when it stayed in its stage")]
    ]


class CardRefusal(TypedDict):
    """A card that did not move, and why."""

    cardId: Annotated[Id, Doc("The card")]
    codigo: Annotated[str, Doc("A refinement code, or the code of a refusal")]
    mensagem: Annotated[str, Doc("What kept it where it is, in one sentence")]


class CardBatchMoved(TypedDict):
    """How many cards came into the stage, and those that could not."""

    movidos: Annotated[int, Doc("How many came into the stage")]
    erros: Annotated[list[CardRefusal], Doc("Those that could not, each with the reason")]


def columns_at(at: str) -> str:
    """What a record is made of, from `cards c JOIN pipeline_stages s`, at an instant: the SQL of it."""
    days = f"floor(date_part('epoch', {at}::timestamptz - c.stage_since) / 86400)::int"
    return f"""c.*, coalesce(c.probability, s.probability) AS shown_probability,
        greatest({days}, 0) AS days_in_stage, coalesce({days} > s.max_days, false) AS is_late, (
        SELECT coalesce(jsonb_agg(jsonb_strip_nulls(
            jsonb_build_object('contatoId', p.contact_id, 'papel', p.role, 'principal', p.principal))
            ORDER BY p.position), '[]')
        FROM card_contacts p WHERE p.card_id = c.id AND p.organization_id = c.organization_id) AS people, (
        SELECT jsonb_strip_nulls(jsonb_build_object('id', a.id, 'tipo', a.kind, 'titulo', a.title,
            'venceEm', to_char(a.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
        FROM card_activities a
        WHERE a.card_id = c.id AND a.organization_id = c.organization_id
          AND a.done_at IS NULL AND a.due_at IS NOT NULL
        ORDER BY a.due_at LIMIT 1) AS next_activity"""


def card_record(row: HasColumns) -> CardRecord:
    """The record of a row with these columns."""
    return CARD.make(row, unmasked=True)
