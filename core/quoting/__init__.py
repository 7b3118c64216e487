"""Asking for prices that are kept, on any channel."""

from core.quoting.create import NewQuote, QuotedItem, create_quote

__all__ = ["NewQuote", "QuotedItem", "create_quote"]
