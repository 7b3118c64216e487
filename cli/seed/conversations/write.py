"""Writing conversations of the past: their messages, their money and their windows, chunk by chunk."""

from dataclasses import dataclass

from cli.seed.audience import read_audience
from cli.seed.chunks import write_chunks
from cli.seed.conversations.draw import ConversationDraw, PastMessage
from cli.seed.conversations.rows import COLUMNS, row_of, transfers_of
from cli.seed.conversations.senders import account_id, number_ids, templates_of
from cli.seed.copy_text import joined, line_of
from cli.seed.past_ledger import ClosedLedger, PastLedger
from cli.seed.rhythm import Rhythm
from cli.seed.run import Chunk, Run
from core import contacts, wallet
from core.conversations.addresses import identity_of
from core.conversations.windows import InboundSeen, note_inbound
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Scope
from core.foundation.settings import current
from core.messaging import Channel


@dataclass(frozen=True, slots=True)
class ConversationChunk:
    """Lines of the messages, the movements, and what came in."""

    lines: bytes
    count: int
    ledger: ClosedLedger
    seen: list[InboundSeen]
    writers: list[contacts.Interaction]


class ConversationMaker:
    """Makes chunks of conversations. `coins`: the price of a template."""

    def __init__(self, run: Run, draw: ConversationDraw, coins: int) -> None:
        self._run = run
        self._draw = draw
        self._coins = coins
        self._number, *_ = number_ids(run)
        self._account = account_id(run)
        self._templates = templates_of(run)

    def make(self, chunk: Chunk) -> ConversationChunk:
        """The chunk. Asks no database."""
        run = self._run
        drawn = self._draw.messages(
            chunk.first, chunk.last, run.random("conversations", chunk.number)
        )
        said = sorted(drawn, key=lambda one: one.created_at)
        ids = {
            id(one): own
            for one, own in zip(said, run.ids("msg", "conversations", chunk), strict=True)
        }
        ledger = PastLedger(run.owner)
        lines = [line_of(self._row(one, ids, ledger)) for one in said]
        wrote = [one for one in said if one.inbound]
        return ConversationChunk(
            joined(lines),
            len(said),
            ledger.closed(f"seed_{run.seed}_conversations_{chunk.number}"),
            [self._seen(one) for one in wrote],
            [
                contacts.Interaction(one.recipient.phone, one.created_at)
                for one in wrote
                if one.channel is Channel.WHATSAPP
            ],
        )

    def _row(
        self, said: PastMessage, ids: dict[int, str], ledger: PastLedger
    ) -> tuple[object, ...]:
        own = ids[id(said)]
        template = None if said.template is None else self._templates[said.template]
        coins = 0 if template is None else self._coins
        for at, transfer in transfers_of(self._run.owner, own, said, coins):
            ledger.book(at, transfer)
        return row_of(
            self._run.owner,
            own,
            said,
            sender=(None, self._account)
            if said.channel is Channel.INSTAGRAM
            else (self._number, None),
            template=template,
            original=ids[id(said.answers)] if said.tapped is not None else None,
            coins=coins,
        )

    def _seen(self, said: PastMessage) -> InboundSeen:
        organization_id, env = self._run.owner
        unified = self._run.caller.unifies_ninth_digit
        return InboundSeen(
            organization_id,
            env,
            self._account if said.channel is Channel.INSTAGRAM else self._number,
            identity_of(said.channel, organization_id, said.recipient.phone, unified=unified),
            said.created_at,
            said.recipient.contact_id,
        )


async def write_conversations(run: Run, count: int) -> dict[str, int]:
    """Write `count` messages of threads over the days of the run; answers how many are new. Raises
    NoWallet.

    No webhook tells of them: they are history.
    """
    run.caller.require(Scope.MESSAGES_SEND)
    rhythm = Rhythm(run.begin, run.days, count, run.random("threads"))
    draw = ConversationDraw(run, rhythm, await read_audience(run, run.counts.get("contacts", 0)))
    coins = await wallet.conversation_price(run.caller.organization_id) if current().charges else 0
    written = 0

    async def write(made: ConversationChunk) -> None:
        nonlocal written
        await contacts.record_interactions(*run.owner, made.writers, at=run.as_of)
        await db.copy_in("messages", COLUMNS, made.lines)
        await note_inbound(made.seen)
        await made.ledger.write(at=now())
        written += made.count

    await write_chunks(
        run,
        "conversations",
        count,
        table="messages",
        prefix="msg",
        make=ConversationMaker(run, draw, coins).make,
        write=write,
    )
    return {"conversations": written}
