"""Replacing a pipeline's reasons for losing by others."""

from collections.abc import Awaitable, Callable, Collection, Sequence

from core.foundation.security.caller import Caller
from core.pipelines.board import Board
from core.pipelines.create import new_reason
from core.pipelines.errors import NoSuchReason, ReasonsWithoutLostStage
from core.pipelines.inputs import Reason
from core.pipelines.models import LostReason, Outcome, Pipeline

ReasonsInUse = Callable[[Pipeline, Sequence[str]], Awaitable[set[str]]]
"""Those of the reasons of a locked pipeline that a deal is lost for, or was once."""


async def replace_reasons(
    caller: Caller, board: Board, wanted: Sequence[Reason], *, in_use: ReasonsInUse
) -> bool:
    """Make these the reasons of a locked pipeline; answers whether anything changed.

    A reason goes on under its id, or under its text. One that is left out is deleted, or, once a
    deal was lost for it, made inactive and put last. Raises NoSuchReason and
    ReasonsWithoutLostStage.
    """
    known = {reason.id: _facts(reason) for reason in board.reasons}
    kept = _matched(board, wanted)
    if any(reason.active for reason in wanted) and not board.stages_of(Outcome.LOST):
        raise ReasonsWithoutLostStage
    deactivated = await _deactivate_left_out(board, kept, in_use)
    after = [
        _updated(stored, reason) or _new(caller, board, reason)
        for stored, reason in zip(kept, wanted, strict=True)
    ]
    board.reasons = after + deactivated
    for place, reason in enumerate(board.reasons):
        reason.position = place
    if [(reason.id, _facts(reason)) for reason in board.reasons] == list(known.items()):
        return False
    await _write(board, known.keys())
    return True


async def _deactivate_left_out(
    board: Board, kept: Sequence[LostReason | None], in_use: ReasonsInUse
) -> list[LostReason]:
    """Make what is not kept inactive; answers those of it that deals were lost for."""
    left_out = [reason for reason in board.reasons if reason not in kept]
    if not left_out:
        return []
    used = await in_use(board.pipeline, [reason.id for reason in left_out])
    for reason in left_out:
        reason.active = False
    return [reason for reason in left_out if reason.id in used]


async def _write(board: Board, known: Collection[str]) -> None:
    """Make the reasons of the board the stored ones. `known`: the ids that are stored."""
    reasons, ids = board.reasons, {reason.id for reason in board.reasons}
    gone = LostReason.filter(
        id__in=set(known) - ids, organization_id=board.pipeline.organization_id
    )
    await gone.delete()
    if stay := [reason for reason in reasons if reason.id in known]:
        await LostReason.bulk_update(stay, ["text", "active", "needs_note", "position"])
    await LostReason.bulk_create([reason for reason in reasons if reason.id not in known])


def _matched(board: Board, wanted: Sequence[Reason]) -> list[LostReason | None]:
    """For each wanted reason the one that it continues, if there is one. Raises NoSuchReason."""
    by_id = {reason.id: reason for reason in board.reasons}
    if unknown := [
        place for place, one in enumerate(wanted) if one.id is not None and one.id not in by_id
    ]:
        raise NoSuchReason(unknown)
    named = {reason.id for reason in wanted}
    by_text = {reason.text: reason for reason in board.reasons if reason.id not in named}
    return [
        by_text.get(reason.text) if reason.id is None else by_id[reason.id] for reason in wanted
    ]


def _updated(stored: LostReason | None, wanted: Reason) -> LostReason | None:
    if stored is not None:
        stored.text = wanted.text
        stored.active = wanted.active
        stored.needs_note = wanted.needs_note
    return stored


def _new(caller: Caller, board: Board, wanted: Reason) -> LostReason:
    return new_reason(caller, board.pipeline.id, wanted, position=0)


def _facts(reason: LostReason) -> tuple[object, ...]:
    return reason.text, reason.active, reason.needs_note
