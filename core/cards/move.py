"""Moving a card within its pipeline, into another one, or many at once."""

from core.cards.change_stage import NOT_ITS_PIPELINE, change_stage, only
from core.cards.errors import LinksRefused, UseMove
from core.cards.history import entry_record
from core.cards.inputs import CardBatch, CardMove, CardTransfer, Filling
from core.cards.links import KnownLinks, hold_links
from core.cards.places import CardPlace
from core.cards.queries import hold_pipeline, read_card, read_position, stage_named
from core.cards.record import CardBatchMoved, CardMoved, CardRecord
from core.cards.stage_rules import Ask, as_refused
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import hold_board
from core.pipelines.models import Outcome


async def move_card(caller: Caller, id: str, move: CardMove) -> CardMoved:
    """Put a card into a stage of its pipeline, or elsewhere in its own.

    Into a stage that closes deals, this is winning or losing it; out of one, reopening. Raises
    NotFound, LinksRefused, VersionOutdated, RequiredFieldsMissing, ArchivedPipeline, DealClosed,
    ReasonRequired and NoteRequired.
    """
    caller.require(Scope.CRM_WRITE)
    async with transaction():
        known = await links_of(caller, move.filling)
        board = await hold_board(caller, (await read_position(caller, id))["pipeline_id"])
        stage = stage_named(board, move.stage_id)
        ask = Ask(
            fields=move.filling.columns(),
            known=known,
            reason_id=move.lost_reason_id,
            note=move.lost_note,
            version=move.version,
        )
        place = CardPlace(move.before, move.after)
        moved = only(await change_stage(caller, board, stage, [id], ask, place=place))
        answer: CardMoved = {"card": await read_card(caller, id)}
        if moved.line is not None:
            answer["movimento"] = await entry_record(caller, moved.line.id)
    return answer


async def transfer_card(caller: Caller, id: str, transfer: CardTransfer) -> CardRecord:
    """Put an open card into an open stage of another pipeline; answers the card. It keeps its
    currency.

    Raises NotFound, LinksRefused, UseMove within its pipeline, RequiredFieldsMissing,
    ArchivedPipeline and DealClosed.
    """
    caller.require(Scope.CRM_WRITE)
    async with transaction():
        known = await links_of(caller, transfer.filling)
        source = (await read_position(caller, id))["pipeline_id"]
        if transfer.pipeline_id == source:
            raise UseMove("/pipelineId")
        boards = {
            one: await hold_pipeline(caller, one) for one in sorted((source, transfer.pipeline_id))
        }
        board = boards[transfer.pipeline_id]
        opened = board.stages_of(Outcome.OPEN)
        stage = (
            stage_named(board, transfer.stage_id) if transfer.stage_id is not None else opened[0]
        )
        if stage not in opened:
            raise LinksRefused(
                {"/etapaId": "A deal is transferred to a stage with the outcome aberta"}
            )
        ask = Ask(fields=transfer.filling.columns(), known=known, only_open=True)
        only(await change_stage(caller, board, stage, [id], ask, source=source))
        return await read_card(caller, id)


async def move_cards(caller: Caller, batch: CardBatch) -> CardBatchMoved:
    """Put many cards into a stage. Those that can move do, whatever becomes of
    the others.

    Raises LinksRefused for the stage, and ArchivedPipeline.
    """
    caller.require(Scope.CRM_WRITE)
    async with transaction():
        known = await links_of(caller, batch.filling)
        pipeline_id = await db.fetchval(
            PIPELINE_OF, caller.organization_id, caller.env, batch.stage_id
        )
        if pipeline_id is None:
            raise LinksRefused({"/etapaId": "This organization has no such stage"})
        board = await hold_board(caller, pipeline_id)
        stage = board.find_stage(batch.stage_id)
        if stage is None:  # deleted while its pipeline was waited for
            raise LinksRefused({"/etapaId": NOT_ITS_PIPELINE})
        ask = Ask(fields=batch.filling.columns(), known=known)
        outcomes = await change_stage(
            caller, board, stage, list(dict.fromkeys(batch.card_ids)), ask
        )
    refused = {id: outcome for id, outcome in outcomes.items() if isinstance(outcome, ServiceError)}
    return {
        "movidos": sum(
            not isinstance(one, ServiceError) and one.line is not None for one in outcomes.values()
        ),
        "erros": [as_refused(id, refusal) for id, refusal in refused.items()],
    }


async def links_of(caller: Caller, filling: Filling) -> KnownLinks:
    """What the values to fill may point to."""
    return await hold_links(caller, contacts=[filling.contact_id], members=[filling.owner_id])


PIPELINE_OF = (
    "SELECT pipeline_id FROM pipeline_stages WHERE organization_id = $1 AND env = $2 AND id = $3"
)
