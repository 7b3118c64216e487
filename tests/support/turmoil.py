"""Everything that can happen to live and sandbox SMS, at once and in any order, drawn from one
seed.

The provider here keeps its own truth of what it took, and the text of a message says what it will
do with it: what became of a message depends on the seed alone, whatever the order in which things
happen.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

from core import sms, wallet
from core.foundation.clock import now
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller
from core.providers.contracts import (
    Accepted,
    Answer,
    Failed,
    Lookup,
    LookupFailed,
    MessageFound,
    MessageNotFound,
    Outgoing,
    OutOfCredit,
    Refused,
    Throttled,
    Unknown,
)
from tests.factories.live import a_delivery_report, a_live_caller, a_reply
from tests.factories.sms import a_new_sms, leave_coins
from tests.fakes.provider import Crash, reference_of
from tests.support.races import outside
from tests.support.two_processes import in_process

PROCESSES = 3
OWN_PRICES = {"premium": [(1, 100), (8, 70), (20, 30), (40, 5)], "otp": [(1, 200), (5, 150)]}
PLANS = {
    "accepted": 12,
    "reported first": 3,
    "refused": 3,
    "throttled": 2,
    "no credit": 2,
    "failed": 2,
    "lost": 2,
    "hidden": 3,
    "mute": 3,
    "dies before": 2,
    "dies after": 2,
}
"""How often the provider does what. hidden: it took the message and fell silent. mute: and does not
know it later.
"""

ACTIONS = {"send": 12, "repeat": 3, "sandbox": 3, "report": 4, "reply": 3, "credit": 2, "sweep": 3}

TAKES = frozenset({"accepted", "reported first", "hidden", "mute", "dies after"})
ANSWERS: dict[str, Answer] = {
    "refused": Refused("blacklisted"),
    "throttled": Throttled(1),
    "no credit": OutOfCredit(),
    "failed": Failed(),
    "lost": Unknown(),
    "hidden": Unknown(),
    "mute": Unknown(),
}
"""What the first hand-over is answered; the others are accepted, or end the process."""

ENDS = (
    ("delivered", None),
    ("undelivered", "carrier_rejected"),
    ("failed", "expired"),
    ("failed", "invalid_number"),
)
SHORT_OF = (0, 500, 3_000, 100_000)
"""Coins that an organization begins with."""


@dataclass
class Turmoil:
    """Some organizations, the provider that serves them, and what they did."""

    random: Random
    name: str = "gateway"
    is_idempotent: bool = False
    live: list[Caller] = field(default_factory=list)
    test: list[Caller] = field(default_factory=list)
    taken: dict[str, Outgoing] = field(default_factory=dict)
    """What the provider took, by our id."""
    asked: dict[str, list[Outgoing]] = field(default_factory=dict)
    """Every hand-over, by our id."""
    admitted: set[str] = field(default_factory=set)
    """What the provider had already, and said so when it was handed over again."""
    looked_up: Counter[str] = field(default_factory=Counter)
    replied: dict[str, set[str]] = field(default_factory=dict)
    """The provider's ids of the replies that were handed in, by organization."""
    answered: dict[tuple[str, str], list[sms.SentSms]] = field(default_factory=dict)
    """What the sends were answered, by organization and key."""

    # The provider --------------------------------------------------------------------------------

    async def send(self, outgoing: Outgoing) -> Answer:
        """Do with the message what its text says; to a repeat, what this says of repeats."""
        plan = self.plan_of(outgoing)
        await asyncio.sleep(0)
        asked = self.asked.setdefault(outgoing.id, [])
        asked.append(outgoing)
        if len(asked) > 1:
            assert self.is_idempotent, "the same message was handed over twice"
            assert asked[0] == outgoing, "the same id came with another message"
            return self._again(plan, outgoing, times=len(asked))
        if plan in TAKES:
            self.taken[outgoing.id] = outgoing
        if plan.startswith("dies"):
            raise Crash
        if plan == "reported first":
            await outside(self.report([outgoing.id]))
        return ANSWERS.get(plan) or Accepted(reference_of(outgoing.id))

    def _again(self, plan: str, outgoing: Outgoing, *, times: int) -> Answer:
        """What a repeat meets: the message that the provider has, unless it stays mute; the refusal
        of its recipient, which holds for the id; else a good or a bad hour.
        """
        if plan == "refused":
            return ANSWERS[plan]
        hour = Random(f"{outgoing.text}{times}").choice(
            [None, None, Throttled(1), OutOfCredit(), Failed(), Unknown()]
        )
        if outgoing.id not in self.taken and hour is None:
            self.taken[outgoing.id] = outgoing
        if outgoing.id not in self.taken:
            assert hour is not None
            return hour
        if plan == "mute" and Random(outgoing.text).random() < 0.5:
            return Unknown()
        self.admitted.add(outgoing.id)
        return Accepted(reference_of(outgoing.id))

    async def probe(self) -> str:
        """It always could."""
        return "is turmoil"

    async def look_up(self, message_id: str) -> Lookup:
        """What the provider knows; of some messages it can say nothing at first."""
        await asyncio.sleep(0)
        self.looked_up[message_id] += 1
        outgoing = self.taken.get(message_id)
        if outgoing is None or self.plan_of(outgoing) == "mute":
            return MessageNotFound()
        draw = Random(outgoing.text).random()
        if draw < 0.2 and self.looked_up[message_id] <= 2:
            return LookupFailed()
        return MessageFound(reference_of(message_id), "delivered" if draw < 0.4 else "sent")

    @staticmethod
    def plan_of(outgoing: Outgoing) -> str:
        """What shall become of the message: the first line of its text."""
        return str(outgoing.text).split("\n")[0]

    def owner_of(self, outgoing: Outgoing) -> Caller:
        """Who sent the message: the second line."""
        return self.live[int(str(outgoing.text).split("\n")[1])]

    @staticmethod
    def key_of(outgoing: Outgoing) -> str:
        """The key that the message was sent under: the third line, up to what fills it."""
        return str(outgoing.text).split("\n")[2].rstrip("a")

    # What happens --------------------------------------------------------------------------------

    async def begin(self, organizations: int) -> None:
        """Open organizations, rich ones and poor ones, some with prices of their own."""
        for number in range(organizations):
            caller = await a_live_caller(SHORT_OF[number % len(SHORT_OF)])
            self.live.append(caller)
            self.test.append(
                Caller(
                    caller.organization_id,
                    "test",
                    caller.scopes,
                    request_id="req_of_the_test",
                    limits=caller.limits,
                )
            )
            await leave_coins(self.test[-1], self.random.choice((0, 1_700, 50_000)))
            if number % 2:
                bands = {
                    route: [{"fromSegment": first, "coins": coins} for first, coins in pairs]
                    for route, pairs in OWN_PRICES.items()
                }
                await wallet.set_prices(caller.organization_id, {"sms": bands})

    async def lose_one(self) -> None:
        """A message that never reaches the provider, in every story."""
        rich = len(self.live) - 1
        await self._try(self.live[rich], "lost first", body=f"lost\n{rich}\nlost first")

    async def go_on(self, steps: int) -> None:
        """Let this many things happen in each of several processes, all at once."""
        lanes = [
            in_process(
                process, self._lane(Random(self.random.random()), f"{process}.{lane}", steps)
            )
            for process in range(PROCESSES)
            for lane in range(2)
        ]
        await asyncio.gather(*lanes)

    async def _lane(self, random: Random, name: str, steps: int) -> None:
        for step in range(steps):
            key = f"{name}.{step}"
            match random.choices(list(ACTIONS), weights=list(ACTIONS.values()))[0]:
                case "send":
                    await self._send(random, key)
                case "repeat":
                    await self._repeat(random, key)
                case "sandbox":
                    await self._sandbox(random, key)
                case "report":
                    await self.report(
                        random.choices(self.known, k=3) if self.known else [], random=random
                    )
                case "reply":
                    await self._reply(random, key)
                case "credit":
                    await self._credit(random)
                case "sweep":
                    await self._sweep(random)

    async def _send(self, random: Random, name: str) -> None:
        plan = random.choices(list(PLANS), weights=list(PLANS.values()))[0]
        place = random.randrange(len(self.live))
        text = f"{plan}\n{place}\n{name}" + "a" * random.choice((0, 0, 150, 300))
        await self._try(
            self.live[place], name, body=text, route=random.choice(("premium", "premium", "otp"))
        )

    async def _repeat(self, random: Random, name: str) -> None:
        """The same key from two sides at once."""
        place = random.randrange(len(self.live))
        text = f"{random.choice(('accepted', 'throttled', 'hidden', 'refused'))}\n{place}\n{name}"
        await asyncio.gather(*(self._try(self.live[place], name, body=text) for _ in range(2)))

    async def _sandbox(self, random: Random, name: str) -> None:
        ending = random.choice(("0005", "0006", "0114"))
        await self._try(random.choice(self.test), name, to=f"+551198765{ending}")

    async def _try(self, caller: Caller, key: str, **fields: Any) -> None:
        try:
            answer = await sms.send_message(caller, a_new_sms(**fields), idempotency_key=key)
        except (ServiceError, Crash):
            return
        self.answered.setdefault((caller.organization_id, key), []).append(answer)

    @property
    def known(self) -> list[str]:
        """The messages that the provider speaks of by itself: a mute one must be told to."""
        return [id for id, outgoing in self.taken.items() if self.plan_of(outgoing) != "mute"]

    async def report(
        self,
        ids: Iterable[str],
        *,
        random: Random | None = None,
        end: tuple[str, str | None] | None = None,
    ) -> None:
        """Report on messages: with this end or any, some twice, and together with one that nobody
        knows.
        """
        draw = random or Random(0)
        for caller in self.live:
            own = [id for id in ids if self.owner_of(self.taken[id]) is caller]
            receipts = [
                a_delivery_report(id, *(end or draw.choice(ENDS)))
                for id in own
                for _ in range(draw.choice((1, 1, 2)))
            ]
            if receipts:
                receipts.append(a_delivery_report(None, reference=f"gw_nobody_{draw.random()}"))
                await sms.receive_reports(caller.organization_id, self.name, receipts, at=now())

    async def _reply(self, random: Random, name: str) -> None:
        """A recipient answers, and the provider says so twice at once."""
        if not self.taken:
            return
        id = random.choice(list(self.taken))
        caller = self.owner_of(self.taken[id])
        if random.random() < 0.7:
            reply = a_reply(id, id=f"mo_{name}")
        else:
            reply = a_reply(None, id=f"mo_{name}_by_reference", reference=reference_of(id))
        self.replied.setdefault(caller.organization_id, set()).add(reply.provider_id)
        await asyncio.gather(
            *(
                sms.receive_replies(caller.organization_id, self.name, [reply], at=now())
                for _ in range(2)
            )
        )

    async def _credit(self, random: Random) -> None:
        caller = random.choice([*self.live, *self.test])
        await wallet.credit(caller.organization_id, caller.env, random.choice((1, 250, 2_000)))

    async def _sweep(self, random: Random) -> None:
        at = now() + timedelta(seconds=random.choice((5, 65, 200)))
        await random.choice((sms.reconcile, sms.retry_unmatched, sms.apply_due_reports))(at=at)
