"""Use case: simulate a platform event of a sandbox number."""

from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope
from core.numbers.apply_status import save_numbers
from core.numbers.errors import UnfitValue
from core.numbers.inputs import SandboxEvent
from core.numbers.models import Number, Quality, SandboxEventKind, Tier
from core.numbers.notices import apply_notice
from core.numbers.record import NumberRecord, number_record
from core.providers.platform import NumberNotice

TAKEN = {SandboxEventKind.QUALITY: Quality, SandboxEventKind.TIER: Tier}


async def simulate_event(caller: Caller, id: str, event: SandboxEvent) -> NumberRecord:
    """Let the platform tell this of a sandbox number. Answers the number. Raises NotFound, for live
    keys too.
    """
    caller.require(Scope.MESSAGES_SEND)
    if caller.env != "test":
        raise NotFound
    if kind := TAKEN.get(event.tipo):
        if event.valor is None:
            raise UnfitValue("required", ", ".join(kind))
        if event.valor not in list(kind):
            raise UnfitValue("not_allowed", ", ".join(kind))
    at = now()
    async with transaction():
        numbers = Number.visible_to(caller).select_for_update()
        number = existing(await numbers.get_or_none(id=well_formed_id("num", id)))
        notice = NumberNotice(event.tipo, number.phone_number_id, None, event.valor, at)
        await save_numbers([number], apply_notice(number, notice), at=at)
    return number_record(caller, number)
