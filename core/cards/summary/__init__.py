"""What lies on a pipeline and what became of it, in numbers."""

from core.cards.summary.record import PipelineSummary
from core.cards.summary.summarize import summarize_pipeline

__all__ = ["PipelineSummary", "summarize_pipeline"]
