"""What can be done with cards, their activities and their files."""

from core import cards
from core.cards import files
from core.cards.inputs import Filling, Person
from core.foundation.security.caller import Caller, Scope
from core.read_models.card_records import ACTIVITY
from core.read_models.cards import CARD
from graphql_api.cards.schema import Activity, Card
from graphql_api.inputs import name_input
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.records import type_of

WRITE, DELETE = Scope.CRM_WRITE, Scope.CRM_DELETE

name_input(Person, "CardPersonInput")
name_input(Filling, "CardFillingInput")


CardBatchMoved = type_of(cards.CardBatchMoved)


async def _move_card(caller: Caller, id: str, move: cards.CardMove) -> cards.CardRecord:
    return (await cards.move_card(caller, id, move))["card"]


@mutation_type
class CardMutations:
    create_card: Card | None = mutation_field(
        cards.create_card,
        cards.NewCard,
        scope=WRITE,
        answers=CARD,
        description="Without `etapaId` it starts in the pipeline's first open stage.",
    )
    update_card: Card | None = mutation_field(
        cards.change_card,
        cards.CardChanges,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        description="Only what is sent changes; null clears a field. Its stage changes with "
        "moveCard.",
    )
    move_card: Card | None = mutation_field(
        _move_card,
        cards.CardMove,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        description="Into a stage of its pipeline, behind all others unless told. `historico` "
        "begins with the move.",
    )
    move_cards: CardBatchMoved | None = mutation_field(
        cards.move_cards,
        cards.CardBatch,
        heavy=True,
        scope=WRITE,
        description="At most 200 cards of one pipeline; one that cannot move keeps no other out.",
    )
    transfer_card: Card | None = mutation_field(
        cards.transfer_card,
        cards.CardTransfer,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        description="Into another pipeline.",
    )
    win_card: Card | None = mutation_field(
        cards.win_card, cards.CardWin, scope=WRITE, answers=CARD, ids=("id",), optional=True
    )
    lose_card: Card | None = mutation_field(
        cards.lose_card, cards.CardLoss, scope=WRITE, answers=CARD, ids=("id",), optional=True
    )
    reopen_card: Card | None = mutation_field(
        cards.reopen_card,
        cards.CardReopening,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        optional=True,
        description="Into the open stage that it was in last, unless told.",
    )
    delete_card: Deleted | None = mutation_field(
        cards.delete_card, scope=DELETE, answers=Deleted, ids=("id",)
    )
    create_activity: Activity | None = mutation_field(
        cards.add_activity, cards.NewActivity, scope=WRITE, answers=ACTIVITY, ids=("cardId",)
    )
    update_activity: Activity | None = mutation_field(
        cards.change_activity, cards.ActivityChanges, scope=WRITE, answers=ACTIVITY, ids=("id",)
    )
    delete_activity: Deleted | None = mutation_field(
        cards.delete_activity, scope=DELETE, answers=Deleted, ids=("id",)
    )
    delete_card_file: Deleted | None = mutation_field(
        files.remove_file, scope=DELETE, answers=Deleted, ids=("id",)
    )
