"""Changing a pipeline: its facts, its position, its reasons for losing, and archiving it."""

from collections.abc import Awaitable, Callable

from core import audit
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import Board, bump_version, lock_board
from core.pipelines.errors import KindNeverChanges, PipelineHasOpenCards, VersionOutdated
from core.pipelines.inputs import PipelineChanges
from core.pipelines.models import Pipeline
from core.pipelines.names import one_of_each
from core.pipelines.reasons import ReasonsInUse, replace_reasons
from core.pipelines.record import PipelineRecord, pipeline_record

OpenCards = Callable[[Pipeline], Awaitable[int]]
"""How many open cards lie on a locked pipeline."""


async def change_pipeline(
    caller: Caller,
    id: str,
    changes: PipelineChanges,
    *,
    open_cards: OpenCards,
    reasons_in_use: ReasonsInUse,
) -> PipelineRecord:
    """Change what was sent and nothing else; answers the record.

    Raises NotFound, VersionOutdated, KindNeverChanges, NameTaken, PipelineHasOpenCards,
    NoSuchReason and ReasonsWithoutLostStage.
    """
    caller.require(Scope.CRM_WRITE)
    at = now()
    with one_of_each():
        async with transaction():
            if changes.place is not None:
                await _lock_all(caller)
            board = await lock_board(caller, id)
            await _refuse(board, changes, open_cards)
            if changed := await _apply(caller, board, changes, reasons_in_use):
                await bump_version(board, at=at)
                facts = {
                    "changed": changed,
                    "archived": board.pipeline.archived,
                    "version": board.pipeline.version,
                }
                await audit.write_entry(caller, "pipeline.changed", id, facts, at=at)
    return pipeline_record(board)


async def _refuse(board: Board, changes: PipelineChanges, open_cards: OpenCards) -> None:
    """What only the stored pipeline can tell."""
    pipeline = board.pipeline
    if changes.version not in (None, pipeline.version):
        raise VersionOutdated(pipeline.version)
    if changes.kind not in (None, pipeline.kind):
        raise KindNeverChanges
    if changes.archived and not pipeline.archived and not changes.force:
        count = await open_cards(pipeline)
        if count:
            raise PipelineHasOpenCards(count)


async def _apply(
    caller: Caller, board: Board, changes: PipelineChanges, reasons_in_use: ReasonsInUse
) -> list[str]:
    """Take over what was sent; answers the fields that became different."""
    pipeline, sent = board.pipeline, changes.model_fields_set
    changed: list[str] = [
        name
        for name in ("name", "description", "archived")
        if name in sent and getattr(changes, name) != getattr(pipeline, name)
    ]
    for name in changed:
        setattr(pipeline, name, getattr(changes, name))
    if changes.place is not None and await _put(caller, pipeline, changes.place):
        changed.append("place")
    if changes.reasons is not None and await replace_reasons(
        caller, board, changes.reasons, in_use=reasons_in_use
    ):
        changed.append("reasons")
    return changed


async def _lock_all(caller: Caller) -> None:
    """A new place moves others: all are locked before this one, in one order, so that nobody waits
    in a circle.
    """
    await db.execute(
        "SELECT FROM pipelines WHERE organization_id = $1 AND env = $2 ORDER BY id FOR UPDATE",
        caller.organization_id,
        caller.env,
    )


async def _put(caller: Caller, pipeline: Pipeline, place: int) -> bool:
    """Put the pipeline at a place among those that are not archived; answers whether it stood
    elsewhere.
    """
    others = (
        await Pipeline.visible_to(caller)
        .filter(archived=False)
        .exclude(id=pipeline.id)
        .order_by("position", "id")
    )
    before = pipeline.position
    for position, one in enumerate([*others[:place], pipeline, *others[place:]]):
        one.position = position
    if others:
        await Pipeline.bulk_update(others, ["position"])
    return pipeline.position != before
