"""Closed sets of what is told."""

from typing import get_args

from core.cards.history import HistoryKind
from graphql_api.enums import wire_enum

CardMoveKind = wire_enum(
    "CardMoveKind", [kind for kind in get_args(HistoryKind) if kind not in ("criado", "campo")]
)
