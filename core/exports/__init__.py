"""Exports: everything of a period, page after page, at a cost that does not grow with the depth."""

from core.exports.conversations import export_conversations
from core.exports.inputs import MAX_PAGE_SIZE, MAX_PERIOD, ExportQuery
from core.exports.record import ExportPage, ExportRecord

__all__ = [
    "MAX_PAGE_SIZE",
    "MAX_PERIOD",
    "ExportPage",
    "ExportQuery",
    "ExportRecord",
    "export_conversations",
]
