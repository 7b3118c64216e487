"""What is looked up of e-mails when they are accepted: of a whole batch at once, by one statement."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core import wallet
from core.email.addresses import Sender
from core.email.errors import NoVerifiedSender
from core.email.rows import EmailSend, accepted_as, refused, without_relay
from core.email.senders import choose, remember, remembered
from core.email.suppression import (
    CHECK,
    CHECK_COLUMNS,
    FREE,
    SuppressionCheck,
    checks_of,
    columns_of,
)
from core.foundation.database import db
from core.foundation.settings import current
from core.messaging import SendRequest


@dataclass(slots=True)
class KnownOfEmail:
    """How its recipient stands, who it is from (None: nobody verified), and what it costs."""

    check: SuppressionCheck
    sender: Sender | None
    coins: int


async def requests_of(sends: Sequence[EmailSend], dates: Sequence[datetime]) -> list[SendRequest]:
    """These sends as they are accepted, each with the date that its e-mail bears."""
    known = await look_up(sends)
    return [await _request_of(*each) for each in zip(sends, known, dates, strict=True)]


async def requests_as_remembered(sends: Sequence[EmailSend]) -> list[SendRequest] | None:
    """These sends as they are accepted where nothing has to be looked up before: transactional ones
    whose senders are remembered. None where one is not.
    """
    known = [None if send.new.is_marketing else remembered(_wanted(send)) for send in sends]
    prices = await _prices_of(sends)
    requests = []
    for send, one in zip(sends, known, strict=True):
        if one is None or without_relay(send.caller) is not None:
            return None
        sender, asked = one
        coins = prices.get(send.caller.organization_id, 0)
        request = await accepted_as(send, sender, FREE, coins=coins, dated=send.at)
        requests.append(replace(request, asked=(send.addressee.identity, *asked)))
    return requests


async def _prices_of(sends: Sequence[EmailSend]) -> dict[str, int]:
    if not current().charges:
        return {}
    prices = await wallet.recent_unit_prices({send.caller.organization_id for send in sends})
    return {id: price.email for id, price in prices.items()}


async def _request_of(send: EmailSend, known: KnownOfEmail, dated: datetime) -> SendRequest:
    if (refusal := without_relay(send.caller)) is not None:
        return refused(send, refusal)
    if known.sender is None:
        return refused(send, NoVerifiedSender())
    return await accepted_as(send, known.sender, known.check, coins=known.coins, dated=dated)


async def look_up(sends: Sequence[EmailSend]) -> list[KnownOfEmail]:
    """What is known of each of these sends, in their order.

    Nothing of it but prices is as of earlier: a sender that was removed, or an address that
    complained, counts at once.
    """
    addressees = [send.addressee for send in sends]
    wanted = [_wanted(send) for send in sends]
    asked = choose.asked_of(wanted)
    rows = await db.fetch_planned(LOOK_UP, *columns_of(addressees), *choose.columns_of(asked))
    checks = checks_of(addressees, [row for row in rows if not row["of_sender"]])
    senders = choose.found_senders(wanted, asked, [row for row in rows if row["of_sender"]])
    for one, sender in senders.items():
        remember(one, sender)
    prices = await _prices_of(sends)
    return [
        KnownOfEmail(checks[send.id], senders[one], prices.get(send.caller.organization_id, 0))
        for send, one in zip(sends, wanted, strict=True)
    ]


def _wanted(send: EmailSend) -> choose.WantedSender:
    return send.caller.organization_id, send.caller.env, send.new.from_


LOOK_UP = f"""
SELECT false AS of_sender, place, suppressed, denied, NULL AS first, NULL AS verified FROM ({CHECK}) AS checked
UNION ALL
SELECT true, place, NULL, NULL, first, verified FROM ({choose.find_sql(first=CHECK_COLUMNS + 1)}) AS found
"""
