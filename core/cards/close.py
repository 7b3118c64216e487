"""Winning a deal, losing it, and taking it up again."""

from core.cards.change_stage import change_stage, only
from core.cards.errors import DealClosed, DealOpen, LinksRefused, NoLostStage, NoWonStage
from core.cards.inputs import CardLoss, CardReopening, CardWin, amount
from core.cards.models import CardStatus
from core.cards.move import links_of
from core.cards.queries import read_card, read_position, stage_named
from core.cards.record import CardRecord
from core.cards.stage_rules import Ask
from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import Board, hold_board
from core.pipelines.models import Outcome, Stage


async def win_card(caller: Caller, id: str, win: CardWin) -> CardRecord:
    """Put a deal into the won stage of its pipeline; answers the card. One that is won already
    stays as it is.

    Raises NotFound, DealClosed for a lost one, NoWonStage, ArchivedPipeline, LinksRefused and
    RequiredFieldsMissing.
    """
    caller.require(Scope.CRM_WRITE)
    async with transaction():
        known = await links_of(caller, win.filling)
        before = await read_position(caller, id)
        if before["status"] == CardStatus.LOST:
            raise DealClosed
        if before["status"] == CardStatus.OPEN:
            fields = win.filling.columns() | (
                {} if win.value is None else {"value": amount(win.value)}
            )
            ask = Ask(fields=fields, known=known, closed_at=win.won_at, repeats=True)
            board = await hold_board(caller, before["pipeline_id"])
            stage = existing(_only_stage(board, Outcome.WON), NoWonStage)
            only(await change_stage(caller, board, stage, [id], ask))
        return await read_card(caller, id)


async def lose_card(caller: Caller, id: str, loss: CardLoss) -> CardRecord:
    """Put a deal into the lost stage of its pipeline; answers the card. One lost for this reason
    stays as it is.

    Raises NotFound, DealClosed, NoLostStage, ArchivedPipeline, LinksRefused, ReasonRequired,
    NoteRequired and RequiredFieldsMissing.
    """
    caller.require(Scope.CRM_WRITE)
    async with transaction():
        before = await read_position(caller, id)
        repeated = before["status"] == CardStatus.LOST and loss.lost_reason_id in (
            None,
            before["lost_reason_id"],
        )
        if before["status"] != CardStatus.OPEN and not repeated:
            raise DealClosed
        if not repeated:
            ask = Ask(
                reason_id=loss.lost_reason_id,
                note=loss.lost_note,
                closed_at=loss.lost_at,
                repeats=True,
            )
            board = await hold_board(caller, before["pipeline_id"])
            stage = existing(_only_stage(board, Outcome.LOST), NoLostStage)
            only(await change_stage(caller, board, stage, [id], ask))
        return await read_card(caller, id)


async def reopen_card(caller: Caller, id: str, reopening: CardReopening) -> CardRecord:
    """Put a closed deal back into an open stage, the last one that it was in unless told; answers
    the card.

    When and why it was closed stays in its history only. Raises NotFound, DealOpen,
    ArchivedPipeline, LinksRefused and RequiredFieldsMissing.
    """
    caller.require(Scope.CRM_WRITE)
    async with transaction():
        before = await read_position(caller, id)
        if before["status"] == CardStatus.OPEN:
            raise DealOpen
        board = await hold_board(caller, before["pipeline_id"])
        stage = (
            stage_named(board, reopening.stage_id)
            if reopening.stage_id is not None
            else await _last_open(board, id)
        )
        if stage.outcome is not Outcome.OPEN:
            raise LinksRefused(
                {"/etapaId": "A deal is reopened in a stage with the outcome aberta"}
            )
        only(await change_stage(caller, board, stage, [id], Ask(only_closed=True)))
        return await read_card(caller, id)


def _only_stage(board: Board, outcome: Outcome) -> Stage | None:
    return next(iter(board.stages_of(outcome)), None)


async def _last_open(board: Board, id: str) -> Stage:
    """The open stage that the card was in last; the first one if none of those is left."""
    stages = {stage.id: stage for stage in board.stages_of(Outcome.OPEN)}
    found = await db.fetchval(LAST_OF, id, list(stages))
    return stages[found] if found else next(iter(stages.values()))


LAST_OF = """
SELECT to_stage_id FROM card_history WHERE card_id = $1 AND to_stage_id = ANY ($2) ORDER BY at DESC, id DESC LIMIT 1
"""
