"""Use case: replace what a scheduled SMS says, and when it leaves."""

from dataclasses import dataclass
from datetime import datetime

from core import audit, messaging, smpp, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messaging import Replacement
from core.sms.encoding import Encoded, encode_sms
from core.sms.queries import MESSAGES
from core.sms.sealed_text import seal


@dataclass(frozen=True, slots=True)
class SmsReplacement:
    """What a message is to be instead; None: as it is. `wanted`: for which ends a receipt is wanted;
    `source`: who it has to come from.
    """

    text: str | None
    due_at: datetime | None
    valid_until: datetime | None
    wanted: int
    source: str | None = None


async def replace_message(
    caller: Caller, id: str, new: SmsReplacement, *, smpp_account_id: str
) -> bool:
    """Change a message of an account of SMPP whose time is still to come: priced anew, under its
    id. False where it is none, and where it could not be sent at its new time.

    Raises NotFound and InsufficientBalance, and then nothing has changed.
    """
    caller.require(Scope.SMS_SEND)
    found = await MESSAGES.row(caller, id)
    at = now()
    route = (caller.organization_id, str(found["route"]))
    rates = await wallet.recent_rates({route}, at=at)
    async with transaction():
        row = await messaging.lock_scheduled(caller, id, smpp_account_id=smpp_account_id, at=at)
        if row is None or row["quote_id"] is not None or new.source not in (None, row["sender_id"]):
            return False
        encoded = None if new.text is None else encode_sms(new.text)
        replacement = _replacement_of(row, new, encoded, rates.get(route))
        if not at < replacement.scheduled_at < replacement.expires_at:
            return False
        await messaging.write_replacement(row, replacement, caller.request_id, at=at)
        await smpp.want_instead(row, new.wanted, at=at)
        await audit.write_entry(caller, "message.replaced", id, at=at)
    return True


def _replacement_of(
    row: db.Row, new: SmsReplacement, encoded: Encoded | None, rate: wallet.Rate | None
) -> Replacement:
    due_at = new.due_at or row["scheduled_at"]
    return Replacement(
        coins=row["coins"] if encoded is None else _price(row, encoded, rate),
        scheduled_at=due_at,
        # Without another validity it is worth sending for as long as it was.
        expires_at=new.valid_until or due_at + (row["expires_at"] - row["scheduled_at"]),
        text=None if encoded is None else _text_of(row, encoded),
    )


def _price(row: db.Row, encoded: Encoded, rate: wallet.Rate | None) -> int:
    charged = rate is not None and current().charges
    return rate.price(encoded.segments) if rate is not None and charged else int(row["coins"])


def _text_of(row: db.Row, encoded: Encoded) -> tuple[str, int, int, str | None]:
    is_kept = row["sealed_text"] is not None
    sealed = seal(row["id"], encoded.body) if is_kept else None
    return (encoded.encoding, encoded.length, encoded.segments, sealed)
