"""Drawing the SMS of a chunk: when, to whom, which text, and what became of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any

from cli.seed.audience import PastRecipient, PastRecipients
from cli.seed.brazil.texts import CODES, NOTICES, REPLIES, THEMES
from cli.seed.rhythm import Campaign, Rhythm
from cli.seed.run import Run
from cli.seed.sms.outcomes import DrawnOutcome, live_outcome, live_seconds, sandbox_outcome
from core.foundation.settings import current
from core.messaging import Status
from core.short_links import plan_links
from core.sms import Encoded, encode_sms

CODE_SHARE = 0.4
"""Of what no campaign sends."""
REPLY_SHARE = 0.012
"""Of what a campaign delivers."""
CLICK_SHARE, BOT_SHARE = 0.09, 0.04
"""Of links that were delivered: how many people follow, and how many the programs that look at
every message.
"""
SANDBOX_SECONDS = 3.0
STORES = ("matriz", "centro", "norte", "shopping", "online", "outlet")


@dataclass(frozen=True, slots=True)
class PastReply:
    """A recipient's answer."""

    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PastLink:
    """The short link of an SMS: how often people and programs followed it, and when people did
    first and last.
    """

    url: str
    clicks: int = 0
    bot_clicks: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None


@dataclass(slots=True)
class PastSms:
    """An SMS and its end. `sent_at` None: it was refused; `ended_at` None: nothing was heard of it."""

    recipient: PastRecipient
    route: str
    campaign_id: str | None
    metadata: dict[str, Any] | None
    encoded: Encoded
    outcome: DrawnOutcome
    created_at: datetime
    sent_at: datetime | None = None
    ended_at: datetime | None = None
    reply: PastReply | None = None
    link: PastLink | None = None

    @property
    def status(self) -> Status:
        """Where it stands: what it was heading for, unless no report of that has come."""
        return self.outcome.status if self.ended_at else Status.SENT


class SmsDraw:
    """The SMS of a run, any part of them at a time."""

    def __init__(
        self, run: Run, rhythm: Rhythm, audience: PastRecipients, routes: tuple[str, ...]
    ) -> None:
        self._run = run
        self._rhythm = rhythm
        self._audience = audience
        self._routes = routes
        self._live = run.caller.env == "live"
        # Campaigns track their links: what counts for the price is the text with the short one in
        # it.
        self._tracked = {theme.name: plan_links(theme.text, current().base_url) for theme in THEMES}

    def messages(self, first: int, last: int, random: Random) -> Iterator[PastSms]:
        """The messages `first` up to before `last`, in order of time."""
        for at, campaign in self._rhythm.moments(first, last, random):
            yield self._message(at, campaign, random)

    def _message(self, at: datetime, campaign: Campaign | None, random: Random) -> PastSms:
        recipient = self._audience.pick(at, random)
        if campaign:
            route, text = "premium", self._tracked[campaign.theme.name].text
            metadata: dict[str, Any] | None = {"variante": "a" if random.random() < 0.5 else "b"}
        elif random.random() < CODE_SHARE:
            route, text, metadata = "otp", _one_of(CODES, random), None
        else:
            route, text = "premium", _one_of(NOTICES, random)
            metadata = {
                "pedido": 10_000 + int(random.random() * 90_000),
                "loja": _one_of(STORES, random),
            }
        if route not in self._routes:
            route = self._routes[0]
        outcome = live_outcome(random) if self._live else sandbox_outcome(recipient.phone)
        encoded = encoded_text(text, recipient.name)
        sms = PastSms(
            recipient, route, campaign.id if campaign else None, metadata, encoded, outcome, at
        )
        self._time(sms, random)
        if campaign:
            sms.reply = self._reply(sms, random)
            sms.link = self._link(sms, campaign, random)
        return sms

    def _link(self, sms: PastSms, campaign: Campaign, random: Random) -> PastLink | None:
        links = self._tracked[campaign.theme.name].links
        if not links:
            return None
        url, bots = links[0].url, int(random.random() < BOT_SHARE)
        if sms.status is not Status.DELIVERED or sms.ended_at is None:
            return PastLink(url)
        first_at = sms.ended_at + timedelta(seconds=15 + 40_000 * random.random() ** 4)
        if random.random() >= CLICK_SHARE or first_at >= self._run.as_of:
            return PastLink(url, bot_clicks=bots)
        clicks = 1 + int(random.random() ** 4 * 4)
        last_at = first_at + timedelta(seconds=3_600 * random.random()) * (clicks > 1)
        return PastLink(url, clicks, bots, first_at, min(last_at, self._run.as_of))

    def _reply(self, sms: PastSms, random: Random) -> PastReply | None:
        if (
            sms.status is not Status.DELIVERED
            or sms.ended_at is None
            or random.random() >= REPLY_SHARE
        ):
            return None
        at = sms.ended_at + timedelta(seconds=20 + 7_200 * random.random() ** 3)
        return PastReply(_one_of(REPLIES, random), at) if at < self._run.as_of else None

    def _time(self, sms: PastSms, random: Random) -> None:
        """Set when it was accepted and when it ended; a report of a later time has not come yet."""
        answered = sms.created_at + timedelta(
            seconds=0.05 + 0.4 * random.random() if self._live else 0
        )
        if not sms.outcome.accepted:
            sms.ended_at = answered
            return
        sms.sent_at = answered
        if sms.outcome.reported:
            if self._live:
                seconds = live_seconds(sms.outcome, sms.route, random)
            else:
                seconds = SANDBOX_SECONDS + 0.3 * random.random()
            ended = answered + timedelta(seconds=seconds)
            if ended < self._run.as_of:
                sms.ended_at = ended


@lru_cache(maxsize=20_000)
def encoded_text(text: str, name: str) -> Encoded:
    """The text as it reached a person of this name."""
    return encode_sms(text.replace("{nome}", name))


def _one_of(choices: tuple[str, ...], random: Random) -> str:
    return choices[int(random.random() * len(choices))]
