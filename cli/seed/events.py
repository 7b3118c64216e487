"""Past customer events: what people did after a message, attributed as a live event would be."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import orjson

from cli.seed.chunks import write_chunks
from cli.seed.copy_text import copy_text
from cli.seed.run import Chunk, Run
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.security.caller import Scope

HOURS_LATER = 40.0
"""From the message to the event, typically; the tail of it lies outside the window of attribution.
"""
WINDOW = timedelta(hours=168)
STORES = ("matriz", "centro", "norte", "shopping", "online", "outlet")
PLANS = ("basico", "plus", "premium")


@dataclass(frozen=True, slots=True)
class PastEvent:
    """What somebody did some time after a message; its value in reais."""

    id: str
    event_id: str
    message_id: str
    name: str
    value: Decimal | None
    properties: dict[str, Any]
    hours: float
    share: float
    """Where it lies between the message and the end of the run, if the hours lead beyond that."""
    seconds: float
    """How much later it was reported."""


COLUMNS = (
    "id", "organization_id", "env", "name", "event_id", "contact_id", "contact_external_id",
    "occurred_at", "value",
    "currency", "properties", "attribution", "campaign_id", "created_at",
)  # fmt: skip


async def write_events(run: Run, count: int) -> dict[str, int]:
    """Write `count` customer events; answers how many are new. What was reported already is left
    out.
    """
    run.caller.require(Scope.CONTACTS_WRITE)
    messages = run.counts["messages"]
    written = 0

    def make(chunk: Chunk) -> list[PastEvent]:
        random = run.random("events", chunk.number)
        # One message in so many, and never the same twice.
        places = [place * messages // count for place in range(chunk.first, chunk.last)]
        sent = run.ids_at("msg", "messages", places)
        ids = run.ids("cev", "events", chunk)
        return [
            draw_event(id, f"seed-{run.seed}-{number}", sent[place], random)
            for id, number, place in zip(ids, range(chunk.first, chunk.last), places, strict=True)
        ]

    async def write(made: list[PastEvent]) -> None:
        nonlocal written
        rows = await _rows(run, made)
        await db.copy_in("customer_events", COLUMNS, copy_text(rows))
        written += len(rows)

    await write_chunks(
        run, "events", count, table="customer_events", prefix="cev", make=make, write=write
    )
    return {"events": written}


def draw_event(id: str, event_id: str, message_id: str, random: Random) -> PastEvent:
    """What came of a message."""
    chance = random.random()
    order = {
        "pedido": 10_000 + int(random.random() * 90_000),
        "loja": STORES[int(random.random() * len(STORES))],
    }
    cents = 2_500 + int(90_000 * random.random() ** 3)
    value: Decimal | None = None
    if chance < 0.55:
        name, value, properties = (
            "compra",
            Decimal(cents),
            {**order, "itens": 1 + int(6 * random.random() ** 2)},
        )
    elif chance < 0.80:
        name, properties = "visita_loja", {"loja": order["loja"]}
    elif chance < 0.95:
        name, value, properties = (
            "carrinho_abandonado",
            Decimal(cents),
            {"itens": 1 + int(4 * random.random())},
        )
    else:
        plan = PLANS[int(random.random() * len(PLANS))]
        name, value, properties = "contrato_assinado", Decimal(10 * cents), {"plano": plan}
    return PastEvent(
        id,
        event_id,
        message_id,
        name,
        None if value is None else value.scaleb(-2),
        properties,
        hours=-HOURS_LATER * math.log(1 - random.random()),
        share=random.random(),
        seconds=0.2 + 4 * random.random(),
    )


async def _rows(run: Run, made: list[PastEvent]) -> list[tuple[Any, ...]]:
    """The events that are not there yet, of those who got the messages, attributed to the last of
    these.
    """
    taken = {
        row["event_id"]
        for row in await db.fetch(TAKEN, *run.owner, [event.event_id for event in made])
    }
    got = {
        row["id"]: row
        for row in await db.fetch(GOT, *run.owner, [event.message_id for event in made])
    }
    new = [event for event in made if event.event_id not in taken and event.message_id in got]
    when = [_occurred_at(run, event, got[event.message_id]["created_at"]) for event in new]
    whose = [got[event.message_id]["contact_id"] for event in new]
    touches = {
        row["place"]: row for row in await db.fetch(LAST_TOUCHES, *run.owner, whose, when, WINDOW)
    }
    return [
        (
            event.id, *run.owner, event.name, event.event_id, contact_id,
            got[event.message_id]["external_id"], at,
            event.value, None if event.value is None else "BRL",
            orjson.dumps(event.properties).decode(),
            _attribution(touch, at), touch and touch["campaign_id"],
            min(at + timedelta(seconds=event.seconds), run.as_of),
        )
        for event, contact_id, at, touch in zip(
            new, whose, when, [touches.get(place) for place in range(1, len(new) + 1)], strict=True
        )
    ]  # fmt: skip


def _occurred_at(run: Run, event: PastEvent, sent: datetime) -> datetime:
    at = sent + timedelta(hours=event.hours)
    at = at if at < run.as_of else sent + event.share * (run.as_of - sent)
    return at.replace(microsecond=at.microsecond // 1_000 * 1_000)  # as a caller's clock tells it


def _attribution(touch: db.Row | None, at: datetime) -> str | None:
    if touch is None:
        return None
    shown = {
        "messageId": touch["id"],
        "channel": touch["channel"],
        "campaignId": touch["campaign_id"],
        "sentAt": wire_time(touch["sent_at"]),
        "horasAteOEvento": round((at - touch["sent_at"]) / timedelta(hours=1), 2),
    }
    return orjson.dumps(
        {name: value for name, value in shown.items() if value is not None}
    ).decode()


TAKEN = """
SELECT event_id FROM customer_events WHERE organization_id = $1 AND env = $2 AND event_id = ANY ($3::text[])
"""

GOT = """
SELECT m.id, m.created_at, c.id AS contact_id, c.external_id
FROM messages m LEFT JOIN contacts c ON c.id = m.contact_id AND c.organization_id = m.organization_id
WHERE m.organization_id = $1 AND m.env = $2 AND m.id = ANY ($3::text[])
"""

# What a live event looks for, for many at once.
LAST_TOUCHES = """
SELECT e.place, m.* FROM unnest($3::text[], $4::timestamptz[]) WITH ORDINALITY AS e (contact_id, at, place)
CROSS JOIN LATERAL (
    SELECT id, channel, campaign_id, sent_at FROM messages
    WHERE organization_id = $1 AND env = $2 AND contact_id = e.contact_id AND created_at <= e.at
      AND direction = 'outbound' AND sent_at <= e.at AND sent_at >= e.at - $5::interval AND status <> 'failed'
      AND (status <> 'archived' OR failed_at IS NULL)
    ORDER BY sent_at DESC, id DESC LIMIT 1
) AS m
"""
