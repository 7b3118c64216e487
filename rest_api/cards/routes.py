"""The operations of cards."""

from core import cards
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.cards import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import CARD, LOST_REASON, OTHER_PIPELINE, STAGE


async def list_cards(call: Call[None, cards.CardFilter]) -> WrittenPage[cards.CardPage]:
    return await cards.list_cards(call.caller, call.query)


async def create_card(call: Call[cards.NewCard]) -> cards.CardRecord:
    return await cards.create_card(call.caller, call.body)


async def move_cards(call: Call[cards.CardBatch]) -> cards.CardBatchMoved:
    return await cards.move_cards(call.caller, call.body)


async def get_card(call: Call) -> cards.CardRecord:
    return await cards.get_card(call.caller, call.path["id"])


async def change_card(call: Call[cards.CardChanges]) -> cards.CardRecord:
    return await cards.change_card(call.caller, call.path["id"], call.body)


async def delete_card(call: Call) -> None:
    await cards.delete_card(call.caller, call.path["id"])


async def move_card(call: Call[cards.CardMove]) -> cards.CardMoved:
    return await cards.move_card(call.caller, call.path["id"], call.body)


async def transfer_card(call: Call[cards.CardTransfer]) -> cards.CardRecord:
    return await cards.transfer_card(call.caller, call.path["id"], call.body)


async def win_card(call: Call[cards.CardWin]) -> cards.CardRecord:
    return await cards.win_card(call.caller, call.path["id"], call.body)


async def lose_card(call: Call[cards.CardLoss]) -> cards.CardRecord:
    return await cards.lose_card(call.caller, call.path["id"], call.body)


async def reopen_card(call: Call[cards.CardReopening]) -> cards.CardRecord:
    return await cards.reopen_card(call.caller, call.path["id"], call.body)


async def list_history(call: Call[None, cards.HistoryFilter]) -> WrittenPage[cards.HistoryPage]:
    return await cards.list_history(call.caller, call.path["id"], call.query)


operations = [
    Operation(
        "GET",
        "/cards",
        list_cards,
        Scope.CRM_READ,
        "List cards",
        "Cards",
        description="With `etapaId` they come by their place in the stage, otherwise the newest "
        "first, unless "
        "`ordenarPor` says otherwise. Cards without the value that is ordered by come last in "
        "either direction.",
        errors=(401, 403, 404, 422),
        query=cards.CardFilter,
        answer=cards.CardPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/cards",
        create_card,
        Scope.CRM_WRITE,
        "Create a card",
        "Cards",
        description="In a stage that closes deals it is won or lost from the beginning.",
        errors=(401, 403, 404, 409, 422),
        status=201,
        body=cards.NewCard,
        answer=cards.CardRecord,
        answers={"created": examples.CREATED},
        examples=examples.NEW,
    ),
    Operation(
        "POST",
        "/cards/mover-lote",
        move_cards,
        Scope.CRM_WRITE,
        "Move many cards into a stage",
        "Cards",
        description="Up to 200 cards of the stage's pipeline, in the order sent, behind those "
        "that are there. Each by "
        "the rules of a move; those that can move do, whatever becomes of the others. One that "
        "lies in the stage "
        "already stays where it is and does not count.",
        heavy=True,
        errors=(401, 403, 404, 409, 422),
        body=cards.CardBatch,
        answer=cards.CardBatchMoved,
        answers={"some moved": examples.BATCH_MOVED},
        examples=examples.BATCH,
    ),
    Operation(
        "GET",
        "/cards/{id}",
        get_card,
        Scope.CRM_READ,
        "Read a card",
        "Cards",
        errors=(401, 403, 404, 422),
        answer=cards.CardRecord,
        answers={"card": examples.CREATED},
        ids={"id": CARD},
    ),
    Operation(
        "PATCH",
        "/cards/{id}",
        change_card,
        Scope.CRM_WRITE,
        "Change a card",
        "Cards",
        description="Only what is sent changes; null clears a field. `contatos`, `atributos` and "
        "`tags` replace what "
        "is stored. The stage, and with it the status, changes by moving the card. With `versao` "
        "the change is refused "
        "when somebody else changed the card meanwhile.",
        errors=(401, 403, 404, 409, 422),
        body=cards.CardChanges,
        answer=cards.CardRecord,
        answers={"changed": examples.CHANGED},
        ids={"id": CARD},
        examples=examples.CHANGES,
    ),
    Operation(
        "DELETE",
        "/cards/{id}",
        delete_card,
        Scope.CRM_DELETE,
        "Delete a card",
        "Cards",
        description="Its history, activities and files go too.",
        errors=(401, 403, 404, 422),
        status=204,
        ids={"id": CARD},
    ),
    Operation(
        "POST",
        "/cards/{id}/mover",
        move_card,
        Scope.CRM_WRITE,
        "Move a card",
        "Cards",
        description="Into another stage of its pipeline, or to another place in its own: behind "
        "all others, or beside "
        "the card in `antesDe` or `depoisDe`. To enter a stage that closes deals is to win or to "
        "lose the deal, with "
        "the same obligations; to leave it is to reopen the deal.",
        errors=(401, 403, 404, 409, 422),
        body=cards.CardMove,
        answer=cards.CardMoved,
        answers={"moved": examples.MOVED},
        ids={"id": CARD},
        examples=examples.MOVES,
    ),
    Operation(
        "POST",
        "/cards/{id}/transferir",
        transfer_card,
        Scope.CRM_WRITE,
        "Transfer an open card to another pipeline",
        "Cards",
        description="Into an open stage: the first one unless told. The card keeps its currency.",
        errors=(401, 403, 404, 409, 422),
        body=cards.CardTransfer,
        answer=cards.CardRecord,
        answers={"transferred": examples.TRANSFERRED},
        ids={"id": CARD},
        examples={"transfer": {"pipelineId": OTHER_PIPELINE}},
    ),
    Operation(
        "POST",
        "/cards/{id}/ganhar",
        win_card,
        Scope.CRM_WRITE,
        "Win a deal",
        "Cards",
        description="One that is won already stays as it is.",
        errors=(401, 403, 404, 409, 422),
        body=cards.CardWin,
        body_optional=True,
        answer=cards.CardRecord,
        answers={"won": examples.WON},
        ids={"id": CARD},
        examples={"for its final value": {"valor": 1800.5}},
    ),
    Operation(
        "POST",
        "/cards/{id}/perder",
        lose_card,
        Scope.CRM_WRITE,
        "Lose a deal",
        "Cards",
        description="A pipeline with active reasons asks for one of them, and some reasons ask "
        "for a note. A deal that "
        "is lost for this reason already stays as it is.",
        errors=(401, 403, 404, 409, 422),
        body=cards.CardLoss,
        body_optional=True,
        answer=cards.CardRecord,
        answers={"lost": examples.LOST},
        ids={"id": CARD},
        examples={
            "loss": {"motivoPerdaId": LOST_REASON, "observacaoPerda": "Escolheu outro fornecedor"}
        },
    ),
    Operation(
        "POST",
        "/cards/{id}/reabrir",
        reopen_card,
        Scope.CRM_WRITE,
        "Reopen a deal",
        "Cards",
        description="In the open stage that it was in last, unless told. When and why it was "
        "closed stays in its "
        "history.",
        errors=(401, 403, 404, 409, 422),
        body=cards.CardReopening,
        body_optional=True,
        answer=cards.CardRecord,
        answers={"reopened": examples.REOPENED},
        ids={"id": CARD},
        examples={"into a stage": {"etapaId": STAGE}},
    ),
    Operation(
        "GET",
        "/cards/{id}/historico",
        list_history,
        Scope.CRM_READ,
        "Read the history of a card",
        "Cards",
        description="Newest first. Stages have the names that they had then.",
        errors=(401, 403, 404, 422),
        query=cards.HistoryFilter,
        answer=cards.HistoryPage,
        answers={"history": examples.HISTORY},
        ids={"id": CARD},
    ),
]
