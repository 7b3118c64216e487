"""A chunk of SMS with its money, ready to be written."""

from collections import Counter
from dataclasses import dataclass

from cli.seed.copy_text import joined, line_of
from cli.seed.past_ledger import ClosedLedger, PastLedger
from cli.seed.run import Chunk, Run
from cli.seed.sms.draw import PastLink, PastReply, PastSms, SmsDraw
from cli.seed.sms.prices import MonthlyPrices, MonthRoute
from cli.seed.sms.rows import link_row, reply_row, row_of, transfers_of
from core import contacts, wallet
from core.short_links.models import CODE_LENGTH


@dataclass(frozen=True, slots=True)
class SmsChunk:
    """Lines of the messages and of their short links, the movements, and the volumes: as they were,
    and what came.
    """

    lines: bytes
    links: bytes
    link_count: int
    ledger: ClosedLedger
    messages: int
    replies: list[contacts.Interaction]
    accepted_before: Counter[MonthRoute]
    segments: Counter[MonthRoute]


class SmsMaker:
    """Makes one chunk after the other, in their order: a message costs what the volume before it
    makes of it.
    """

    def __init__(self, run: Run, draw: SmsDraw, prices: MonthlyPrices, reply_coins: int) -> None:
        self._run = run
        self._draw = draw
        self._prices = prices
        self._reply_coins = reply_coins

    def make(self, chunk: Chunk) -> SmsChunk:
        """The chunk. Asks no database."""
        run, before = self._run, Counter(self._prices.accepted)
        drawn = self._draw.messages(chunk.first, chunk.last, run.random("messages", chunk.number))
        ledger = PastLedger(run.owner)
        lines: list[str] = []
        answered: list[tuple[str, PastSms, PastReply]] = []
        linked: list[tuple[str, PastSms, PastLink]] = []
        for id, sms in zip(run.ids("msg", "messages", chunk), drawn, strict=True):
            lines.append(self._sent(id, sms, ledger))
            if sms.reply:
                answered.append((id, sms, sms.reply))
            if sms.link:
                linked.append((id, sms, sms.link))
        reply_ids = run.ids("msg", "replies", Chunk(chunk.number, 0, len(answered)))
        lines += [
            self._replied(id, *answer, ledger)
            for id, answer in zip(reply_ids, answered, strict=True)
        ]
        codes = [
            id[-CODE_LENGTH:] for id in run.ids("lnk", "links", Chunk(chunk.number, 0, len(linked)))
        ]
        return SmsChunk(
            joined(lines),
            joined(
                line_of(link_row(run.owner, code, *link))
                for code, link in zip(codes, linked, strict=True)
            ),
            len(linked),
            ledger.closed(f"seed_{run.seed}_messages_{chunk.number}"),
            len(chunk),
            [contacts.Interaction(sms.recipient.phone, reply.at) for _, sms, reply in answered],
            before,
            self._prices.accepted - before,
        )

    def _sent(self, id: str, sms: PastSms, ledger: PastLedger) -> str:
        accepted_at = sms.sent_at or sms.created_at
        segments = sms.encoded.segments
        coins = self._prices.price(accepted_at, sms.route, segments)
        if sms.sent_at:
            self._prices.accept(accepted_at, sms.route, segments)
        for at, transfer in transfers_of(self._run.owner, id, sms, coins):
            ledger.book(at, transfer)
        return line_of(row_of(self._run.owner, id, sms, coins))

    def _replied(
        self, id: str, original: str, sms: PastSms, reply: PastReply, ledger: PastLedger
    ) -> str:
        for transfer in wallet.charge_for_reply(
            self._run.owner, id, paid=self._reply_coins, owed=0
        ):
            ledger.book(reply.at, transfer)
        return line_of(reply_row(self._run.owner, id, original, sms, reply))
