"""An activity as the interface spells it."""

from typing import Annotated, NotRequired, TypedDict

from core.cards.models import ActivityKind
from core.foundation.database.rows import HasColumns
from core.foundation.records import Column, Doc, Id, Instant, PassedOver, Record, named


@named(rest="ActivityOut", graphql="Activity")
class ActivityRecord(TypedDict):
    """Something done, or to be done, about a deal."""

    id: Annotated[Id, Doc("Names the activity")]
    cardId: Annotated[Id, Doc("The card that it is about")]
    tipo: Annotated[ActivityKind, Column("kind"), Doc("What it is")]
    titulo: NotRequired[Annotated[str, Column("title"), Doc("What it is called")]]
    texto: NotRequired[Annotated[str, Column("text"), Doc("What there is to say of it")]]
    venceEm: NotRequired[Annotated[Instant, Column("due_at"), Doc("When it is due")]]
    concluidaEm: NotRequired[
        Annotated[Instant, Column("done_at"), Doc("When it was done; absent while it is open")]
    ]
    responsavelId: NotRequired[
        Annotated[Id, Column("owner_id"), Doc("The account that is responsible")]
    ]
    messageId: NotRequired[Annotated[Id, Doc("The message that it is about")]]
    createdById: Annotated[Id, Doc("The account or the key that made it")]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[Instant, Doc("When something of it last became different")]


ACTIVITY = Record(ActivityRecord)


class ActivityPage(TypedDict):
    """A page of a card's activities: open ones by when they are due, then done ones, the latest
    first.
    """

    items: Annotated[list[ActivityRecord], Doc("The activities of this page")]
    total: Annotated[int, Doc("How many there are on all pages together")]
    warnings: NotRequired[PassedOver]


def activity_record(row: HasColumns) -> ActivityRecord:
    """The record of a row, or of a model's `vars`."""
    return ACTIVITY.make(row, unmasked=True)
