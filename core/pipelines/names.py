"""The database decides who had a name first, and which stage closes deals."""

from functools import partial

from core.foundation.database.unique_violations import conflict_as
from core.pipelines.errors import NameTaken, OutcomeTaken

one_of_each = partial(
    conflict_as,
    {
        "pipelines_name_key": NameTaken,
        "pipeline_stages_name_key": NameTaken,
        "pipeline_stages_one_won": OutcomeTaken,
        "pipeline_stages_one_lost": OutcomeTaken,
    },
)
"""Refuse what is there already. Raises NameTaken and OutcomeTaken."""
