"""What can be done with cards, their activities and their files."""

from typing import Any

import strawberry

from core import cards
from core.cards import files
from core.cards.activities.inputs import ActivityKind as Kind
from core.cards.inputs import Filling, Origin, Person
from core.dashboards.card_records import ACTIVITY
from core.dashboards.cards import CARD
from core.foundation.security.caller import Caller, Scope
from graphql_api.cards.inputs import ActivityKind
from graphql_api.cards.types import Activity, Card, CardOrigin
from graphql_api.inputs import call, spell
from graphql_api.mutations import Deleted, deeds, does

WRITE, DELETE = Scope.CRM_WRITE, Scope.CRM_DELETE

spell(Origin, CardOrigin)
spell(Kind, ActivityKind)
call(Person, "CardPersonInput")
call(Filling, "CardFillingInput")


@strawberry.type(
    description="A card that did not move, and why: a refinement code, or the code of a refusal."
)
class CardRefusal:
    card_id: strawberry.ID
    codigo: str
    mensagem: str


@strawberry.type(description="How many cards came into the stage, and those that could not.")
class CardBatchMoved:
    movidos: int
    erros: list[CardRefusal]


async def _move_card(caller: Caller, id: str, move: cards.CardMove) -> dict[str, Any]:
    moved = await cards.move_card(caller, id, move)
    card: dict[str, Any] = moved["card"]
    return card


@deeds
class CardMutations:
    create_card: Card | None = does(
        cards.create_card,
        cards.NewCard,
        scope=WRITE,
        answers=CARD,
        description="Without `etapaId` it starts in the pipeline's first open stage.",
    )
    update_card: Card | None = does(
        cards.change_card,
        cards.CardChanges,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        description="Only what is sent changes; null clears a field. Its stage changes with moveCard.",
    )
    move_card: Card | None = does(
        _move_card,
        cards.CardMove,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        description="Into a stage of its pipeline, behind all others unless told. `historico` begins with the move.",
    )
    move_cards: CardBatchMoved | None = does(
        cards.move_cards,
        cards.CardBatch,
        heavy=True,
        scope=WRITE,
        description="At most 200 cards of one pipeline; one that cannot move keeps no other out.",
    )
    transfer_card: Card | None = does(
        cards.transfer_card,
        cards.CardTransfer,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        description="Into another pipeline.",
    )
    win_card: Card | None = does(
        cards.win_card, cards.CardWin, scope=WRITE, answers=CARD, ids=("id",), optional=True
    )
    lose_card: Card | None = does(
        cards.lose_card, cards.CardLoss, scope=WRITE, answers=CARD, ids=("id",), optional=True
    )
    reopen_card: Card | None = does(
        cards.reopen_card,
        cards.CardReopening,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        optional=True,
        description="Into the open stage that it was in last, unless told.",
    )
    delete_card: Deleted | None = does(
        cards.delete_card, scope=DELETE, answers=Deleted, ids=("id",)
    )
    create_activity: Activity | None = does(
        cards.add_activity, cards.NewActivity, scope=WRITE, answers=ACTIVITY, ids=("cardId",)
    )
    update_activity: Activity | None = does(
        cards.change_activity, cards.ActivityChanges, scope=WRITE, answers=ACTIVITY, ids=("id",)
    )
    delete_activity: Deleted | None = does(
        cards.delete_activity, scope=DELETE, answers=Deleted, ids=("id",)
    )
    delete_card_file: Deleted | None = does(
        files.remove_file, scope=DELETE, answers=Deleted, ids=("id",)
    )
