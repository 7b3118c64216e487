"""The statement that accepts a batch, held to the slow way: one send after the other, by the plain
rules of keys, opt-outs and wallets. It is drawn for which channel: each has columns and rows of its own.
"""

from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import contacts, idempotency, messaging, wallet
from core.email.rows import EMAIL
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.messaging import (
    Direction,
    InProgress,
    MessageRow,
    NoSuchContact,
    RecipientOptedOut,
    SendChannel,
    SendRequest,
    Status,
)
from core.rcs.rows import RCS
from core.sms.rows import SMS
from tests.factories.contacts import a_contact, a_denial, a_phone
from tests.factories.organizations import a_caller
from tests.factories.sms import leave_coins
from tests.support.ledger import check_books

CHANNELS = (SMS, RCS, EMAIL)
BESIDE: dict[str, tuple[object, ...]] = {
    "sandbox_reports": ("sms", Status.DELIVERED, None, now(), {}),
    "email_letters": ("sealed", now()),
}
"""What is written beside a message that is accepted, by its table."""


class Refused(Exception):
    """By the provider, in-process."""


class Forbidden(Exception):
    """By the channel, before money."""


@dataclass(frozen=True)
class Wanted:
    """One send: `key` names one of a few, `contact` says whom it names, `denied` whom it is for."""

    key: int
    body: int
    coins: int
    captured: bool
    ending: str
    contact: str
    denied: bool
    asks: bool


WANTED = st.builds(
    Wanted,
    key=st.integers(0, 5),
    body=st.integers(0, 1),
    coins=st.integers(0, 4),
    captured=st.booleans(),
    ending=st.sampled_from(["answered", "answered", "live", "refused", "forbidden"]),
    contact=st.sampled_from(["none", "none", "there", "unknown", "denied"]),
    denied=st.booleans(),
    asks=st.booleans(),
)


@dataclass
class Rules:
    """The slow way: what is known of keys and money, changed by one send after the other."""

    available: int
    held: int = 0
    revenue: int = 0
    keys: dict[int, tuple[int, str]] = field(default_factory=dict)

    def accept(self, wanted: Wanted, seen: set[int]) -> str:
        """What becomes of the next send; `seen`: the keys of earlier ones of its batch."""
        if wanted.key in seen:
            return "same batch"
        seen.add(wanted.key)
        fate = self._fate(wanted)
        if fate not in ("accepted", "refused") or wanted.ending in ("refused", "forbidden"):
            return self._known(wanted) or fate
        return fate

    def _known(self, wanted: Wanted) -> str | None:
        if wanted.key not in self.keys:
            return None
        body, ending = self.keys[wanted.key]
        if body != wanted.body:
            return "key reused"
        return "replayed" if ending == "answered" else "under way"

    def _fate(self, wanted: Wanted) -> str:
        if (obstacle := self._obstacle(wanted)) is not None:
            return obstacle
        if wanted.ending == "refused":
            return "refused"
        self.keys[wanted.key] = (wanted.body, wanted.ending)
        self.available -= wanted.coins
        if wanted.captured:
            self.revenue += wanted.coins
        else:
            self.held += wanted.coins
        return "accepted"

    def _obstacle(self, wanted: Wanted) -> str | None:
        obstacles = {
            "forbidden": wanted.ending == "forbidden",
            "taken": wanted.ending != "refused" and wanted.key in self.keys,
            "no contact": wanted.contact == "unknown",
            "denied": wanted.asks and (wanted.denied or wanted.contact == "denied"),
            "insufficient": wanted.coins > self.available,
        }
        return next((name for name, holds in obstacles.items() if holds), None)


class World:
    """An organization with a few contacts, and its sends."""

    def __init__(self, caller: Caller, channel: SendChannel) -> None:
        self.caller, self.channel = caller, channel
        self.phone, self.denied_phone = a_phone(), a_phone()
        self.contacts: dict[str, str | None] = {"none": None, "unknown": "con_unknown"}

    async def begin(self, coins: int) -> None:
        self.contacts["there"] = (await a_contact(self.caller, phone=a_phone()))["id"]
        denied = a_phone()
        self.contacts["denied"] = (await a_contact(self.caller, phone=denied))["id"]
        await a_denial(self.caller, denied, self.channel.channel)
        await a_denial(self.caller, self.denied_phone)
        await leave_coins(self.caller, coins)

    def request(self, wanted: Wanted) -> SendRequest:
        phone = self.denied_phone if wanted.denied else self.phone
        use = idempotency.key_use(
            self.caller, self.channel.key_route, f"k{wanted.key}", {"body": wanted.body}
        )
        return SendRequest(
            caller=self.caller,
            use=use,
            message=self._message(phone, self.contacts[wanted.contact], wanted.coins),
            at=now(),
            answer={"status": "sent"} if wanted.ending == "answered" else None,
            captured=wanted.captured,
            identity=contacts.phone_identity(self.caller, phone) if wanted.asks else None,
            forbidden=Forbidden() if wanted.ending == "forbidden" else None,
            refused=Refused() if wanted.ending == "refused" else None,
            beside={rows.table: BESIDE[rows.table] for rows in self.channel.beside},
        )

    def _message(self, phone: str, contact_id: str | None, coins: int) -> MessageRow:
        at = now()
        return MessageRow(
            id=new_id("msg"),
            organization_id=self.caller.organization_id,
            env=self.caller.env,
            channel=self.channel.channel,
            direction=Direction.OUTBOUND,
            status=Status.SENT,
            route="premium",
            recipient=phone,
            provider="svc-sandbox",
            coins=coins,
            contact_id=contact_id,
            request_id=None,
            created_at=at,
            sent_at=at,
            updated_at=at,
        )


FATES: dict[type, str] = {
    Refused: "refused",
    Forbidden: "forbidden",
    NoSuchContact: "no contact",
    RecipientOptedOut: "denied",
    wallet.InsufficientBalance: "insufficient",
    idempotency.KeyReusedWithAnotherBody: "key reused",
    messaging.AwaitingProvider: "accepted",
}


def fate_of(outcome: messaging.AcceptOutcome | Exception) -> str:
    match outcome:
        case messaging.AcceptedSend(replayed=replayed):
            return "replayed" if replayed else "accepted"
        case InProgress(elsewhere=elsewhere):
            return "under way" if elsewhere else "same batch"
    return next(name for kind, name in FATES.items() if isinstance(outcome, kind))


@given(
    channel=st.sampled_from(CHANNELS),
    batches=st.lists(st.lists(WANTED, min_size=1, max_size=8), min_size=1, max_size=3),
    coins=st.integers(0, 12),
)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@pytest.mark.usefixtures("real_commits")
async def test_a_batch_ends_as_its_sends_would_one_by_one(
    channel: SendChannel, batches: list[list[Wanted]], coins: int
) -> None:
    caller = await a_caller()
    world, rules, stored = World(caller, channel), Rules(coins), 0
    await world.begin(coins)

    for batch in batches:
        requests = [world.request(wanted) for wanted in batch]
        outcomes = await messaging.accept_batch(channel, requests)
        seen: set[int] = set()
        fates = [rules.accept(wanted, seen) for wanted in batch]
        assert [fate_of(outcome) for outcome in outcomes] == fates
        stored += sum(fate in ("accepted", "refused") for fate in fates)

    row = await db.fetchrow(
        "SELECT available, held, revenue FROM wallets WHERE organization_id = $1 AND env = 'test'",
        caller.organization_id,
    )
    assert row is not None
    assert tuple(row.values()) == (rules.available, rules.held, rules.revenue)
    assert stored == await _count("messages", caller)
    assert len(rules.keys) == await _count("idempotency_keys", caller)
    for rows in channel.beside:
        assert await _count(rows.table, caller) == len(rules.keys), "one beside each accepted one"
    await check_books()


async def _count(table: str, caller: Caller) -> int:
    found: int = await db.fetchval(
        f"SELECT count(*) FROM {table} WHERE organization_id = $1", caller.organization_id
    )
    return found
