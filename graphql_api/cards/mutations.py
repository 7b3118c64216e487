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
        description=(
            "Create a deal; without `etapaId` it starts in the pipeline's first open stage."
        ),
    )
    update_card: Card | None = mutation_field(
        cards.change_card,
        cards.CardChanges,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        description=(
            "Change what is sent of a deal; null clears a field. Its stage changes with moveCard."
        ),
    )
    move_card: Card | None = mutation_field(
        _move_card,
        cards.CardMove,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        description=(
            "Put a deal into a stage of its pipeline, behind all others unless told. "
            "`historico` begins with the move."
        ),
    )
    move_cards: CardBatchMoved | None = mutation_field(
        cards.move_cards,
        cards.CardBatch,
        heavy=True,
        scope=WRITE,
        description=(
            "Put at most 200 deals of one pipeline into a stage; one that cannot move keeps "
            "no other out."
        ),
    )
    transfer_card: Card | None = mutation_field(
        cards.transfer_card,
        cards.CardTransfer,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        description="Put a deal into another pipeline.",
    )
    win_card: Card | None = mutation_field(
        cards.win_card,
        cards.CardWin,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        optional=True,
        description="Close a deal as won.",
    )
    lose_card: Card | None = mutation_field(
        cards.lose_card,
        cards.CardLoss,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        optional=True,
        description="Close a deal as lost.",
    )
    reopen_card: Card | None = mutation_field(
        cards.reopen_card,
        cards.CardReopening,
        scope=WRITE,
        answers=CARD,
        ids=("id",),
        optional=True,
        description=(
            "Open a closed deal again, in the open stage that it was in last unless told."
        ),
    )
    delete_card: Deleted | None = mutation_field(
        cards.delete_card,
        scope=DELETE,
        answers=Deleted,
        ids=("id",),
        description="Delete a deal with its activities, files and history.",
    )
    create_activity: Activity | None = mutation_field(
        cards.add_activity,
        cards.NewActivity,
        scope=WRITE,
        answers=ACTIVITY,
        ids=("cardId",),
        description="Note something that was done for a deal, or is to be done.",
    )
    update_activity: Activity | None = mutation_field(
        cards.change_activity,
        cards.ActivityChanges,
        scope=WRITE,
        answers=ACTIVITY,
        ids=("id",),
        description="Change what is sent of an activity; null clears a field.",
    )
    delete_activity: Deleted | None = mutation_field(
        cards.delete_activity,
        scope=DELETE,
        answers=Deleted,
        ids=("id",),
        description="Delete an activity.",
    )
    delete_card_file: Deleted | None = mutation_field(
        files.remove_file,
        scope=DELETE,
        answers=Deleted,
        ids=("id",),
        description="Delete a file of a deal.",
    )
