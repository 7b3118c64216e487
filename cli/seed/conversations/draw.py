"""Drawing threads: who began, what was said, when, and what became of each message."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from cli.seed.audience import PastRecipient, PastRecipients
from cli.seed.brazil.conversations import (
    ADVERTISEMENTS,
    ANSWERS,
    FAREWELLS,
    FROM_AN_ADVERTISEMENT,
    QUESTIONS,
    REJOINDERS,
    WORDINGS,
)
from cli.seed.rhythm import Campaign, Rhythm
from cli.seed.run import Run
from cli.seed.team import Member
from core.messaging import Channel, Status
from core.providers.sandbox.conversations import conversation_story

MARKETING = [place for place, wording in enumerate(WORDINGS) if wording.category == "marketing"]
NOTICES = [place for place, wording in enumerate(WORDINGS) if wording.category != "marketing"]

INSTAGRAM_SHARE = 0.07
ASKED_SHARE = 0.5
"""Of what no campaign sends: threads that the person began."""
ANSWER_SHARE = 0.35
"""Of templates that arrived."""
TAP_SHARE = 0.6
"""Of answers to a template that has something to tap."""
READ_SHARE = 0.75
MORE_SHARE = 0.7
"""How often one more is said."""
LIVE_FAILURES, LIVE_SILENCES = 0.04, 0.03
NOT_THERE = "131026"


@dataclass(slots=True)
class PastMessage:
    """A message of a thread. `template`: the place of its wording; `tapped`: that of the answer
    below one; `operator`: who wrote it by hand; `order`: what the thread is about.
    """

    channel: Channel
    recipient: PastRecipient
    created_at: datetime
    order: int
    text: str = ""
    inbound: bool = False
    tapped: int | None = None
    template: int | None = None
    campaign_id: str | None = None
    operator: Member | None = None
    answers: "PastMessage | None" = None
    origin: Mapping[str, str] | None = None
    status: Status = Status.SENT
    code: str | None = None
    sent_at: datetime | None = None
    delivered_at: datetime | None = None
    read_at: datetime | None = None
    failed_at: datetime | None = None

    @property
    def moved_at(self) -> datetime:
        """When it last moved."""
        return (
            self.failed_at or self.read_at or self.delivered_at or self.sent_at or self.created_at
        )

    @property
    def vars(self) -> list[str]:
        """What its template was filled with."""
        assert self.template is not None
        return [
            var.format(nome=self.recipient.name, pedido=self.order)
            for var in WORDINGS[self.template].vars
        ]


class ConversationDraw:
    """The messages of a run, any part of them at a time."""

    def __init__(self, run: Run, rhythm: Rhythm, audience: PastRecipients) -> None:
        self._run = run
        self._rhythm = rhythm
        self._audience = audience
        self._live = run.caller.env == "live"

    def messages(self, first: int, last: int, random: Random) -> Iterator[PastMessage]:
        """As many as these places are: each thread begins when the message at its first place
        would.
        """
        moments = list(self._rhythm.moments(first, last, random))
        place = 0
        while place < len(moments):
            at, campaign = moments[place]
            for said in self._thread(at, campaign, len(moments) - place, random):
                yield said
                place += 1

    def _thread(
        self, at: datetime, campaign: Campaign | None, most: int, random: Random
    ) -> Iterator[PastMessage]:
        """Up to `most` messages, one at least; all of them lie before the end of the run."""
        for number, said in enumerate(self._talk(at, campaign, random)):
            if number == most or (number and said.created_at >= self._run.as_of):
                return
            yield said

    def _talk(
        self, at: datetime, campaign: Campaign | None, random: Random
    ) -> Iterator[PastMessage]:
        order = 10_000 + int(random.random() * 90_000)
        asked = campaign is None and random.random() < ASKED_SHARE
        if asked and random.random() < INSTAGRAM_SHARE:
            channel, recipient = (
                Channel.INSTAGRAM,
                PastRecipient(f"1784{int(random.random() * 10**13):013}1"),
            )
        else:
            channel, recipient = Channel.WHATSAPP, self._audience.pick(at, random)
        silent = self._fate(recipient.phone, random) != (Status.DELIVERED, None)
        if asked and not silent:
            said = self._question(PastMessage(channel, recipient, at, order), random)
        else:
            said = self._template(PastMessage(channel, recipient, at, order), campaign, random)
            yield said
            if silent or not said.delivered_at or random.random() >= ANSWER_SHARE:
                return
            said = self._answer(said, random)
        yield said
        operator = self._run.team.pick(random)
        more = True
        while more:
            more = random.random() < MORE_SHARE
            said = self._written(said, ANSWERS if more else FAREWELLS, operator, random)
            yield said
            if more:
                said = self._came_in(said, _one_of(REJOINDERS, random), random)
                yield said

    def _question(self, said: PastMessage, random: Random) -> PastMessage:
        said.text = _one_of(QUESTIONS, random).format(pedido=said.order)
        said.inbound, said.status, said.delivered_at = True, Status.DELIVERED, said.created_at
        if said.text == FROM_AN_ADVERTISEMENT and said.channel is Channel.WHATSAPP:
            said.origin = _one_of(ADVERTISEMENTS, random)
        return said

    def _template(
        self, said: PastMessage, campaign: Campaign | None, random: Random
    ) -> PastMessage:
        said.template = _one_of(NOTICES if campaign is None else MARKETING, random)
        said.campaign_id = None if campaign is None else campaign.id
        self._sent(said, *self._fate(said.recipient.phone, random), random)
        return said

    def _answer(self, said: PastMessage, random: Random) -> PastMessage:
        """To a template: something was tapped below it, or written."""
        assert said.template is not None
        wording = WORDINGS[said.template]
        if wording.answers and random.random() < TAP_SHARE:
            answer = self._came_in(said, _one_of(wording.answers, random), random)
            answer.tapped = wording.answers.index(answer.text)
            return answer
        return self._came_in(said, _one_of(REJOINDERS, random), random)

    def _came_in(self, said: PastMessage, text: str, random: Random) -> PastMessage:
        at = (said.read_at or said.moved_at) + timedelta(seconds=15 + 5_400 * random.random() ** 3)
        return PastMessage(
            said.channel, said.recipient, at, said.order, text.format(pedido=said.order),
            inbound=True, answers=said,
            status=Status.DELIVERED, delivered_at=at,
        )  # fmt: skip

    def _written(
        self, said: PastMessage, texts: Sequence[str], operator: Member, random: Random
    ) -> PastMessage:
        """By hand, within the 24 hours that are free."""
        at = said.created_at + timedelta(seconds=20 + 7_200 * random.random() ** 4)
        text = _one_of(texts, random).format(nome=said.recipient.name)
        written = PastMessage(said.channel, said.recipient, at, said.order, text, operator=operator)
        self._sent(written, Status.DELIVERED, None, random)
        return written

    def _fate(self, address: str, random: Random) -> tuple[Status, str | None]:
        """What becomes of the first message to somebody, and the platform's code of a failure."""
        if not self._live:
            story = conversation_story(address)
            return (Status(story[0][0]), story[0][1]) if story else (Status.SENT, None)
        chance = random.random()
        if chance < LIVE_FAILURES:
            return Status.FAILED, NOT_THERE
        return (Status.SENT if chance < LIVE_FAILURES + LIVE_SILENCES else Status.DELIVERED), None

    def _sent(self, said: PastMessage, status: Status, code: str | None, random: Random) -> None:
        """Set what was heard of it until the end of the run."""
        said.sent_at = said.created_at + timedelta(seconds=0.2 + 0.5 * random.random())
        heard_at = said.sent_at + timedelta(seconds=1.5 + 4 * random.random())
        if status is Status.SENT or heard_at >= self._run.as_of:
            return
        said.status, said.code = status, code
        if status is Status.FAILED:
            said.failed_at = heard_at
            return
        said.delivered_at = heard_at
        read_at = heard_at + timedelta(seconds=5 + 14_400 * random.random() ** 4)
        if random.random() < READ_SHARE and read_at < self._run.as_of:
            said.status, said.read_at = Status.READ, read_at


Choice = TypeVar("Choice")


def _one_of(choices: Sequence[Choice], random: Random) -> Choice:
    return choices[int(random.random() * len(choices))]
