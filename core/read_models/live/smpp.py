"""Binds that are opened and that end."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from core.foundation import pubsub
from core.foundation.security.caller import Caller, Scope
from core.read_models.live.stream import stream
from core.read_models.query_compiler import Selection, read_records
from core.read_models.query_compiler.record_factory import SelectedRecord
from core.read_models.smpp import SMPP_BIND


async def smpp_binds_changed(
    caller: Caller, account_id: str | None, selection: Selection, *, cut_off: pubsub.OnCutOff
) -> AsyncIterator[SelectedRecord]:
    """Every bind of an account, or of any, that is opened or ends: its `id`, whether it `isOpen`, and
    the `bind` while it is. Raises Forbidden.
    """
    caller.require(Scope.KEYS_MANAGE)

    def wanted(notice: pubsub.ReceivedNotice) -> bool:
        is_bind = notice.topic == pubsub.Topic.SMPP_BIND
        return is_bind and account_id in (None, notice.facts.get("account"))

    return stream(caller, wanted, partial(_read, caller, selection), cut_off=cut_off)


async def _read(caller: Caller, selection: Selection, ids: Sequence[str]) -> list[SelectedRecord]:
    wanted = {slot: one.selection for slot, one in selection.relations.items()}
    found = {
        slot: await read_records(caller, SMPP_BIND, list(ids), selected)
        for slot, selected in (wanted or {"": Selection()}).items()
    }
    changes: list[SelectedRecord] = []
    for id, *binds in zip(ids, *found.values(), strict=True):
        is_open = all(bind is not None for bind in binds)
        told = dict(zip(found, binds, strict=True)) if is_open else dict.fromkeys(found)
        changes.append({**told, "id": id, "isOpen": is_open})
    return changes
