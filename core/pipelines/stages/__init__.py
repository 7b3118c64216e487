"""The stages of a pipeline: added, changed and put in order. (They are deleted where their cards
are at hand.)
"""

from core.pipelines.stages.add import add_stage
from core.pipelines.stages.change import change_stage, refuse_leaving
from core.pipelines.stages.positions import remove_stage, renumber
from core.pipelines.stages.reorder import reorder_stages

__all__ = [
    "add_stage",
    "change_stage",
    "refuse_leaving",
    "remove_stage",
    "renumber",
    "reorder_stages",
]
