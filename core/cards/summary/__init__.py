"""What lies on a pipeline and what became of it, in numbers."""

from core.cards.summary.summarize import summarize_pipeline

__all__ = ["summarize_pipeline"]
