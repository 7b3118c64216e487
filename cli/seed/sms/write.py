"""Writing SMS of the past: the messages, their money and the month's volumes, chunk by chunk."""

from cli.seed.audience import read_audience
from cli.seed.chunks import write_chunks
from cli.seed.errors import VolumeMoved
from cli.seed.rhythm import Rhythm
from cli.seed.run import Run
from cli.seed.sms.chunk import SmsChunk, SmsMaker
from cli.seed.sms.draw import SmsDraw
from cli.seed.sms.prices import add_volumes, read_prices
from cli.seed.sms.rows import COLUMNS, LINK
from core import contacts, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Scope
from core.foundation.settings import current


async def write_messages(run: Run, count: int) -> dict[str, int]:
    """Write `count` SMS over the days of the run, and the replies to some; answers how many of each
    are new.

    No webhook tells of them and no key remembers them: they are history. Raises NoWallet,
    NothingSold and VolumeMoved.
    """
    run.caller.require(Scope.SMS_SEND)
    prices = await read_prices(run)
    draw = SmsDraw(
        run,
        Rhythm(run.begin, run.days, count, run.random("rhythm")),
        await read_audience(run, run.counts.get("contacts", 0)),
        prices.routes,
    )
    reply_coins = await wallet.reply_price(run.caller.organization_id) if current().charges else 0
    written = {"messages": 0, "replies": 0, "links": 0}

    async def write(made: SmsChunk) -> None:
        if prices.moving:
            if (await read_prices(run, lock=True)).accepted != made.accepted_before:
                raise VolumeMoved
            await add_volumes(run, made.segments)
        await contacts.record_interactions(*run.owner, made.replies, at=run.as_of)
        await db.copy_in("messages", COLUMNS, made.lines)
        await db.copy_in("short_links", LINK, made.links)
        await made.ledger.write(at=now())
        written["messages"] += made.messages
        written["replies"] += len(made.replies)
        written["links"] += made.link_count

    await write_chunks(
        run,
        "messages",
        count,
        table="messages",
        prefix="msg",
        make=SmsMaker(run, draw, prices, reply_coins).make,
        write=write,
    )
    return written
