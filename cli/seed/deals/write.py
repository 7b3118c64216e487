"""Writing deals of the past: the cards, the people on them, their history and their activities."""

from cli.seed.chunks import write_chunks
from cli.seed.copy_text import joined, line_of
from cli.seed.deals.customers import read_customers
from cli.seed.deals.draw import draw_deal
from cli.seed.deals.rows import (
    ACTIVITY,
    CARD,
    EXTERNAL_ID,
    HISTORY,
    PERSON,
    DealMaker,
    MadeDeals,
)
from cli.seed.run import Chunk, Run
from core.cards.rank import spread
from core.foundation.database import db
from core.foundation.security.caller import Scope


async def write_deals(run: Run, count: int) -> dict[str, int]:
    """Write `count` deals; answers how many deals and activities are new. No webhook tells of them."""
    run.caller.require(Scope.CRM_WRITE)
    customers = await read_customers(run)
    maker = DealMaker(run, spread(count))
    written = {"deals": 0, "activities": 0}

    def make(chunk: Chunk) -> MadeDeals:
        random = run.random("deals", chunk.number)
        shares = [(place + random.random()) / count for place in range(chunk.first, chunk.last)]
        deals = [draw_deal(run, share, customers, random) for share in shares]
        return maker.make(chunk, deals)

    async def write(made: MadeDeals) -> None:
        numbers = [card[EXTERNAL_ID] for card in made.cards]
        taken = {row["external_id"] for row in await db.fetch(TAKEN, *run.owner, numbers)}
        for card in made.cards:
            if card[EXTERNAL_ID] in taken:
                card[EXTERNAL_ID] = None
        await db.copy_in("cards", CARD, joined(map(line_of, made.cards)))
        await db.copy_in("card_contacts", PERSON, made.people)
        await db.copy_in("card_history", HISTORY, made.history)
        await db.copy_in("card_activities", ACTIVITY, made.activities)
        written["deals"] += len(made.cards)
        written["activities"] += made.activity_count

    await write_chunks(run, "deals", count, table="cards", prefix="crd", make=make, write=write)
    return written


TAKEN = (
    "SELECT external_id FROM cards WHERE organization_id = $1 AND env = $2 AND "
    "external_id = ANY ($3::text[])"
)
