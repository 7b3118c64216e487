"""Pipelines for tests."""

import itertools
from typing import Any

import orjson

from core import cards, pipelines
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body

_numbers = itertools.count(1)


def a_new_pipeline(**changes: Any) -> pipelines.NewPipeline:
    """The input, with a name of its own; `changes` are fields of the body by their name there."""
    return read_body(
        pipelines.NewPipeline, orjson.dumps({"nome": f"Funil {next(_numbers)}", **changes})
    )


async def a_pipeline(caller: Caller, **changes: Any) -> dict[str, Any]:
    """Create a pipeline; answers the record. Without `etapas` it has the usual six."""
    return dict(await pipelines.create_pipeline(caller, a_new_pipeline(**changes)))


def stage_ids(pipeline: dict[str, Any]) -> dict[str, str]:
    """The ids of a record's stages by their names."""
    return {stage["nome"]: stage["id"] for stage in pipeline["etapas"]}


async def changed_pipeline(caller: Caller, id: str, **changes: Any) -> dict[str, Any]:
    """Change a pipeline by fields of the body; answers the record."""
    return dict(
        await cards.change_pipeline(
            caller, id, read_body(pipelines.PipelineChanges, orjson.dumps(changes))
        )
    )


async def an_added_stage(caller: Caller, pipeline_id: str, **fields: Any) -> dict[str, Any]:
    """Add a stage by fields of the body; answers its record."""
    return dict(
        await pipelines.add_stage(
            caller, pipeline_id, read_body(pipelines.AddedStage, orjson.dumps(fields))
        )
    )


async def changed_stage(
    caller: Caller, pipeline_id: str, id: str, **changes: Any
) -> dict[str, Any]:
    """Change a stage by fields of the body; answers its record."""
    return dict(
        await cards.change_pipeline_stage(
            caller, pipeline_id, id, read_body(pipelines.StageChanges, orjson.dumps(changes))
        )
    )
