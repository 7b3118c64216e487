"""Parts of long texts: each is kept and answered at once, and the last one sends the message.

A client with a window of one waits for the answer of a part before it sends the next: so none is held
back. They may come by several binds, in any order, and again.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.combining import Combiner
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
    return await _taking.submit(_Arrived(of, part))


Names = tuple[str, str, str, int, int]
"""What the parts of one text have in common: account, source, destination, reference and total."""


@dataclass(frozen=True, slots=True)
class _Arrived:
    of: PartsOf
    part: Part
    message_id: str | None = None

    @property
    def names(self) -> Names:
        part = self.part
        return (self.of.account_id, part.source, part.destination, part.reference, part.total)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A part that is there. `octets`: of one that has just come; of others they are opened when they are needed."""

    id: str
    number: int
    coding: int
    digest: bytes
    sealed: str
    wanted: int
    message_id: str | None = None
    octets: bytes | None = None

    def opened(self) -> bytes:
        if self.octets is not None:
            return self.octets
        return keyring().decrypt(self.sealed, context=_context(self.id)).encode("latin-1")


class _Groups:
    """The parts of several texts while some are added; nobody else adds one until the transaction ends."""

    def __init__(self, rows: Sequence[db.Row]) -> None:
        self._kept: dict[Names, dict[int, _Kept]] = defaultdict(dict)
        self.new: dict[str, tuple[_Arrived, _Kept]] = {}
        self.gone: list[str] = []
        for row in rows:
            names = (
                row["account_id"],
                row["source"],
                row["destination"],
                row["reference"],
                row["total"],
            )
            fields = ("id", "number", "coding", "digest", "sealed", "wanted", "message_id")
            self._kept[names][row["number"]] = _Kept(*(row[field] for field in fields))

    def take(self, arrived: _Arrived) -> TakenPart:
        """Add a part, unless it is there."""
        part, group = arrived.part, self._kept[arrived.names]
        digest = _digest(part)
        known = group.get(part.number)
        if known is not None and known.digest != digest:
            # The client counts anew: what had its reference is another text.
            for one in group.values():
                if self.new.pop(one.id, None) is None:
                    self.gone.append(one.id)
            group.clear()
            known = None
        if known is None:
            id = new_id("prt")
            sealed = keyring().encrypt(part.octets.decode("latin-1"), context=_context(id))
            known = _Kept(
                id, part.number, part.coding, digest, sealed, part.wanted, None, part.octets
            )
            group[part.number] = known
            self.new[id] = (arrived, known)
        key = f"smpp-parts-{group[min(group)].id}"
        if known.message_id is not None or len(group) < part.total:
            return TakenPart(known.id, key, known.message_id)
        whole = [group[number] for number in sorted(group)]
        return TakenPart(
            known.id,
            key,
            None,
            [(one.opened(), one.coding) for one in whole],
            [(one.id, one.wanted) for one in whole if one.number != part.number],
        )


async def _take(arrived: Sequence[_Arrived]) -> list[TakenPart]:
    at = now()
    async with transaction():
        groups = await _lock({one.names for one in arrived}, at=at)
        taken = [groups.take(one) for one in arrived]
        await db.execute_for(groups.gone, "DELETE FROM smpp_parts WHERE id = ANY ($1)", groups.gone)
        rows = [
            (
                kept.id,
                one.of.organization_id,
                one.of.env,
                *one.names,
                kept.number,
                kept.coding,
                kept.wanted,
                kept.digest,
                kept.sealed,
            )
            for one, kept in groups.new.values()
        ]
        await db.execute_for(rows, KEEP, *db.columns(rows, 13), at)
    return taken


async def note_sent(of: PartsOf, part: Part, message_id: str) -> None:
    """The parts have become this message."""
    await _noting.submit(_Arrived(of, part, message_id))


async def _note_sent(arrived: Sequence[_Arrived]) -> list[None]:
    rows = [(*one.names, one.message_id) for one in arrived]
    await db.execute(NOTE_SENT, *db.columns(rows, 6))
    return [None] * len(arrived)


async def refuse_parts(of: PartsOf, part: Part, *, tells: bool) -> None:
    """The message of these parts is refused for good, as the answer to this one says: they are
    deleted. For the others, which were taken, a receipt is due where one of failures is wanted, and
    `tells`.
    """
    wanted = [ALL, FAILURES] if tells else []
    place = (of.account_id, part.source, part.destination, part.reference, part.total)
    await db.execute(REFUSE, now(), wanted, REFUSED, part.number, *place)


async def message_of_part(client: SmppClient, id: str) -> str | None:
    """What a part became; "" while the others are waited for, None where there is no such part."""
    found = await SmppPart.visible_to(client.caller).get_or_none(id=id)
    return None if found is None else found.message_id or ""


async def forget_parts(*, at: datetime) -> None:
    """Those whose time is over. Where the others have not come, and a receipt of failures is
    wanted, it is due.
    """
    await db.execute(FORGET, at - WAIT, None, at, [ALL, FAILURES], INCOMPLETE)


async def _lock(names: Collection[Names], *, at: datetime) -> _Groups:
    """What is there of these texts; nobody else adds to it until the transaction ends."""
    # In one order: two processes that are told parts of the same wait for each other instead of locking up.
    locks = sorted(" ".join(map(str, ("smpp parts", *one))) for one in names)
    await db.execute(LOCK, locks)
    rows = await db.fetch(THERE, *db.columns(sorted(names), 5))
    old = [row["id"] for row in rows if row["received_at"] < at - WAIT]
    await db.execute_for(old, FORGET, at - WAIT, old, at, [ALL, FAILURES], INCOMPLETE)
    return _Groups([row for row in rows if row["id"] not in old])


def _digest(part: Part) -> bytes:
    return keyed_hash(current().hash_key.encode(), f"{part.coding} {part.octets.decode('latin-1')}")


def _context(id: str) -> str:
    return f"smpp_parts.sealed:{id}"


LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS n (name)"

TEXTS = """unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::smallint[])
    AS g (account_id, source, destination, reference, total)"""

OF_TEXT = """p.account_id = g.account_id AND p.source = g.source AND p.destination = g.destination
    AND p.reference = g.reference AND p.total = g.total"""

THERE = f"SELECT p.* FROM {TEXTS} JOIN smpp_parts p ON {OF_TEXT}"

KEEP = """
INSERT INTO smpp_parts (id, organization_id, env, account_id, source, destination, reference, total, number, coding, wanted,
                        digest, sealed, received_at)
SELECT g.*, $14
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::smallint[], $9::smallint[],
            $10::smallint[], $11::smallint[], $12::bytea[], $13::text[]) AS g
"""

NOTE_SENT = f"""
UPDATE smpp_parts p SET message_id = g.message_id
FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::smallint[], $6::text[])
    AS g (account_id, source, destination, reference, total, message_id)
WHERE {OF_TEXT}
"""

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

_taking = Combiner(_take, concurrency=2)
_noting = Combiner(_note_sent, concurrency=2)
