"""Storing, changing and removing segments."""

from functools import partial

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.database.unique_violations import conflict_as
from core.foundation.errors import FieldError, NotFound, ValidationFailed
from core.foundation.ids import is_id, new_id
from core.foundation.security.caller import Caller, Scope
from core.segments.errors import SegmentNameTaken
from core.segments.evaluate import matching, size_of
from core.segments.inputs import NewSegment, SegmentChanges, node_of
from core.segments.models import Segment
from core.segments.record import SEGMENT, UNUSED, SegmentRecord
from core.segments.uses import uses_of

_one_name_each = partial(conflict_as, {"segments_name_key": SegmentNameTaken})


async def create_segment(caller: Caller, new: NewSegment) -> SegmentRecord:
    """Store a segment and count it. Raises SegmentNameTaken, and ValidationFailed for an unusable
    reference.
    """
    caller.require(Scope.CONTACTS_WRITE)
    at = now()
    await matching(caller, new.node, at=at, strict=True)
    size = await size_of(caller, new.node, at=at)
    with _one_name_each():
        async with transaction():
            stored = await Segment.create(
                id=new_id("seg"),
                **owned_by(caller),
                name=new.name,
                description=new.description,
                filters=new.filters,
                filter_tree=new.filter_tree,
                size=size,
                size_at=None if size is None else at,
                created_by_id=caller.account_id,
                created_at=at,
                updated_at=at,
            )
    return SEGMENT.make_for(caller, {**vars(stored), "in_use": UNUSED})


async def change_segment(caller: Caller, id: str, changes: SegmentChanges) -> SegmentRecord:
    """Change what was sent and nothing else; a new filter is counted.

    Raises NotFound, SegmentNameTaken and ValidationFailed.
    """
    caller.require(Scope.CONTACTS_WRITE)
    sent = changes.model_fields_set
    at = now()
    with _one_name_each():
        async with transaction():
            stored = await Segment.own(caller, "seg", id, lock=True)
            written: list[str] = [
                name for name in ("name", "description", "filters", "filter_tree") if name in sent
            ]
            for name in written:
                setattr(stored, name, getattr(changes, name))
            if stored.filters is None and stored.filter_tree is None:
                raise ValidationFailed(
                    errors=[_needs_a_filter(name) for name in ("filters", "filterTree")]
                )
            if {"filters", "filter_tree"} & sent:
                node = node_of(stored.filters, stored.filter_tree)
                await matching(caller, node, at=at, of=id, strict=True)
                stored.size = await size_of(caller, node, at=at)
                stored.size_at = None if stored.size is None else at
                written += ["size", "size_at"]
            if written:
                stored.updated_at = at
                await stored.save(update_fields=[*written, "updated_at"])
    in_use = await uses_of(caller, stored.id)
    return SEGMENT.make_for(caller, {**vars(stored), "in_use": in_use})


async def remove_segment(caller: Caller, id: str) -> None:
    """Remove a segment, in the transaction that ends what hangs on it. Raises NotFound."""
    if not is_id("seg", id) or not await Segment.visible_to(caller).filter(id=id).delete():
        raise NotFound


async def keep_from_deletion(caller: Caller, id: str) -> None:
    """Until the transaction ends, the segment is not deleted: what comes to hang on it is seen by
    who deletes it.
    """
    await db.execute(
        "SELECT FROM segments WHERE organization_id = $1 AND env = $2 AND id = $3 FOR KEY SHARE",
        caller.organization_id,
        caller.env,
        id,
    )


def _needs_a_filter(name: str) -> FieldError:
    return FieldError("pointer", f"/{name}", "required", "A segment keeps filters or filterTree")
