"""Deals: cards that move through the stages of a pipeline."""

from core.cards.activities import (
    ActivityChanges,
    ActivityFilter,
    ActivityPage,
    ActivityRecord,
    NewActivity,
    add_activity,
    change_activity,
    delete_activity,
    list_activities,
)
from core.cards.board import read_board
from core.cards.change import change_card
from core.cards.close import lose_card, reopen_card, win_card
from core.cards.create import create_card
from core.cards.create_many import NewDeal, create_cards
from core.cards.delete import delete_card
from core.cards.delete_stage import delete_stage
from core.cards.forget_contact import forget_contact
from core.cards.history import (
    HistoryFilter,
    HistoryPage,
    HistoryRecord,
    StageOfTheTime,
    list_history,
)
from core.cards.inputs import (
    CardBatch,
    CardChanges,
    CardFilter,
    CardLoss,
    CardMove,
    CardReopening,
    CardTransfer,
    CardWin,
    NewCard,
)
from core.cards.leave_company import leave_company
from core.cards.listing import list_cards
from core.cards.models import ActivityKind, Card, CardOrder, CardOrigin, CardStatus, HistoryKind
from core.cards.move import move_card, move_cards, transfer_card
from core.cards.move_theirs import move_cards_of
from core.cards.on_pipelines import change_pipeline, change_pipeline_stage, list_pipelines
from core.cards.queries import cards_by_ids, get_card
from core.cards.record import (
    CardBatchMoved,
    CardMoved,
    CardPage,
    CardPersonRecord,
    CardRecord,
    NextActivity,
)
from core.cards.summary import PipelineSummary, summarize_pipeline

__all__ = [
    "ActivityChanges",
    "ActivityFilter",
    "ActivityKind",
    "ActivityPage",
    "ActivityRecord",
    "Card",
    "CardBatch",
    "CardBatchMoved",
    "CardChanges",
    "CardFilter",
    "CardLoss",
    "CardMove",
    "CardMoved",
    "CardOrder",
    "CardOrigin",
    "CardPage",
    "CardPersonRecord",
    "CardRecord",
    "CardReopening",
    "CardStatus",
    "CardTransfer",
    "CardWin",
    "HistoryFilter",
    "HistoryKind",
    "HistoryPage",
    "HistoryRecord",
    "NewActivity",
    "NewCard",
    "NewDeal",
    "NextActivity",
    "PipelineSummary",
    "StageOfTheTime",
    "add_activity",
    "cards_by_ids",
    "change_activity",
    "change_card",
    "change_pipeline",
    "change_pipeline_stage",
    "create_card",
    "create_cards",
    "delete_activity",
    "delete_card",
    "delete_stage",
    "forget_contact",
    "get_card",
    "leave_company",
    "list_activities",
    "list_cards",
    "list_history",
    "list_pipelines",
    "lose_card",
    "move_card",
    "move_cards",
    "move_cards_of",
    "read_board",
    "reopen_card",
    "summarize_pipeline",
    "transfer_card",
    "win_card",
]
