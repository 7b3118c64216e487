"""Senders of e-mail, read field by field: those that are verified, and those that wait for it."""

from collections.abc import Sequence

from core.email.senders.queries import narrow_senders
from core.email.senders.record import SENDER, SENDERS
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Arguments, Entity, fields_of


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_senders(where, status=filter.get("status"))
    return ()


EMAIL_SENDER = Entity(
    name="EmailSender",
    table=SENDERS,
    alias="s",
    scope=Scope.EMAIL_READ,
    prefix="snd",
    fields=fields_of(SENDER),
    narrow=_narrow,
)
