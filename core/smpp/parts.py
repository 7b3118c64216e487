"""Parts of long texts: each is kept and answered at once, and the last one sends the message.

A client with a window of one waits for the answer of a part before it sends the next: so none is held
back. They may come by several binds, in any order, and again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tortoise.queryset import QuerySet

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.smpp.models import SmppPart
from core.smpp.receipts import ALL, FAILURES
from core.smpp.sign_in import SmppClient

WAIT = timedelta(minutes=10)
"""How long the parts of a text are waited for, and those that were sent are known again."""

INCOMPLETE = "incomplete"
"""The reason of a part whose others have not come."""
REFUSED = "refused"
"""The reason of a part whose message was refused for good."""


@dataclass(frozen=True, slots=True)
class PartsOf:
    """Whose the parts are: of the messages that an account sends, or of the replies that a link brings."""

    account_id: str
    organization_id: str
    env: str

    @classmethod
    def client(cls, client: SmppClient) -> "PartsOf":
        """Those that a client sends."""
        return cls(client.account.id, client.caller.organization_id, client.caller.env)


@dataclass(frozen=True, slots=True)
class Part:
    """A part as it arrived. `reference`: what the parts of one text have in common."""

    source: str
    destination: str
    reference: int
    total: int
    number: int
    coding: int
    octets: bytes
    wanted: int = 0


@dataclass(frozen=True, slots=True)
class TakenPart:
    """A part that is kept, by its id. `pieces`: the octets and codings of all of them, in their order,
    once all are there; `key`: under which they are sent once. `message_id`: what they became.
    """

    id: str
    key: str
    message_id: str | None = None
    pieces: Sequence[tuple[bytes, int]] | None = None
    others: Sequence[tuple[str, int]] = ()
    """The other parts by their ids, and whether a receipt is wanted for them."""


async def take_part(of: PartsOf, part: Part) -> TakenPart:
    """Keep a part. One that is there already is the same again."""
    at = now()
    async with transaction():
        group = await _lock(of, part, at=at)
        known = next((one for one in group if one.number == part.number), None)
        if known is not None and known.digest != _digest(part):
            # The client counts anew: what had its reference is another text.
            await SmppPart.filter(id__in=[one.id for one in group]).delete()
            group, known = [], None
        if known is None:
            known = await _keep(of, part, at=at)
            group = sorted([*group, known], key=lambda one: one.number)
    key = f"smpp-parts-{group[0].id}"
    if known.message_id is not None or len(group) < part.total:
        return TakenPart(known.id, key, known.message_id)
    return TakenPart(
        known.id,
        key,
        None,
        [(_opened(one), one.coding) for one in group],
        [(one.id, one.wanted) for one in group if one.number != part.number],
    )


async def note_sent(of: PartsOf, part: Part, message_id: str) -> None:
    """The parts have become this message."""
    await _group(of, part).update(message_id=message_id)


async def refuse_parts(of: PartsOf, part: Part, *, tells: bool) -> None:
    """The message of these parts is refused for good, as the answer to this one says: they are forgotten.
    For the others, which were taken, a receipt is due where one of failures is wanted, and `tells`.
    """
    wanted = [ALL, FAILURES] if tells else []
    place = (of.account_id, part.source, part.destination, part.reference, part.total)
    await db.execute(REFUSE, now(), wanted, REFUSED, part.number, *place)


async def message_of_part(client: SmppClient, id: str) -> str | None:
    """What a part became; "" while the others are waited for, None where there is no such part."""
    found = await SmppPart.visible_to(client.caller).get_or_none(id=id)
    return None if found is None else found.message_id or ""


async def forget_parts(*, at: datetime) -> None:
    """Those whose time is over. Where the others have not come, and a receipt of failures is wanted, it
    is due.
    """
    await db.execute(FORGET, at - WAIT, None, at, [ALL, FAILURES], INCOMPLETE)


def _group(of: PartsOf, part: Part) -> QuerySet[SmppPart]:
    return SmppPart.filter(
        account_id=of.account_id,
        source=part.source,
        destination=part.destination,
        reference=part.reference,
        total=part.total,
    )


async def _lock(of: PartsOf, part: Part, *, at: datetime) -> list[SmppPart]:
    """The parts that are there, in their order; nobody else adds one until the transaction ends."""
    names = (of.account_id, part.source, part.destination, part.reference, part.total)
    lock = " ".join(map(str, ("smpp parts", *names)))
    await db.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", lock)
    group = await _group(of, part).order_by("number")
    old = [one.id for one in group if one.received_at < at - WAIT]
    if old:
        await db.execute(FORGET, at - WAIT, old, at, [ALL, FAILURES], INCOMPLETE)
    return [one for one in group if one.id not in old]


async def _keep(of: PartsOf, part: Part, *, at: datetime) -> SmppPart:
    id = new_id("prt")
    return await SmppPart.create(
        id=id,
        organization_id=of.organization_id,
        env=of.env,
        account_id=of.account_id,
        source=part.source,
        destination=part.destination,
        reference=part.reference,
        total=part.total,
        number=part.number,
        coding=part.coding,
        wanted=part.wanted,
        digest=_digest(part),
        sealed=keyring().encrypt(part.octets.decode("latin-1"), context=_context(id)),
        received_at=at,
    )


def _digest(part: Part) -> bytes:
    return keyed_hash(current().hash_key.encode(), f"{part.coding} {part.octets.decode('latin-1')}")


def _opened(stored: SmppPart) -> bytes:
    return keyring().decrypt(stored.sealed, context=_context(stored.id)).encode("latin-1")


def _context(id: str) -> str:
    return f"smpp_parts.sealed:{id}"


GONE = "id, organization_id, env, account_id, wanted, source, destination, received_at, message_id, number"

FORGET = f"""
WITH gone AS (
    DELETE FROM smpp_parts WHERE received_at < $1 AND ($2::text[] IS NULL OR id = ANY ($2)) RETURNING {GONE}
)
INSERT INTO smpp_receipts (id, organization_id, env, message_id, account_id, wanted, source, destination, created_at,
                           status, reason, done_at, due_at)
SELECT id, organization_id, env, id, account_id, wanted, source, ltrim(destination, '+'), received_at,
       'undelivered', $5, $3::timestamptz, $3::timestamptz
FROM gone WHERE message_id IS NULL AND wanted = ANY ($4::smallint[])
ON CONFLICT (id) DO NOTHING
"""

REFUSE = f"""
WITH gone AS (
    DELETE FROM smpp_parts
    WHERE account_id = $5 AND source = $6 AND destination = $7 AND reference = $8 AND total = $9 AND message_id IS NULL
    RETURNING {GONE}
)
INSERT INTO smpp_receipts (id, organization_id, env, message_id, account_id, wanted, source, destination, created_at,
                           status, reason, done_at, due_at)
SELECT id, organization_id, env, id, account_id, wanted, source, ltrim(destination, '+'), received_at,
       'failed', $3, $1::timestamptz, $1::timestamptz
FROM gone WHERE number <> $4 AND wanted = ANY ($2::smallint[])
ON CONFLICT (id) DO NOTHING
"""
