"""The kinds of steps, one module each, and the table of them."""

from core.journeys.runs.kinds.table import KINDS

__all__ = ["KINDS"]
