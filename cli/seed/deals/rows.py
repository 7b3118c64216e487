"""Deals of the past as rows of the tables of cards."""

from dataclasses import dataclass
from typing import Any

import orjson

from cli.seed.copy_text import joined, line_of
from cli.seed.deals.activities import PastActivity
from cli.seed.deals.draw import PastDeal
from cli.seed.deals.pipelines import IdentifiedPipeline, named_pipelines
from cli.seed.run import Chunk, Run
from core.cards.models import CardStatus

CARD = (
    "id", "organization_id", "env", "pipeline_id", "stage_id", "title", "status", "rank",
    "version", "value",
    "currency", "expected_on", "probability", "stage_since", "won_at", "lost_at", "closed_by_id",
    "contact_id",
    "company_id", "owner_id", "lost_reason_id", "lost_note", "attributes", "tags", "origin",
    "external_id",
    "created_by_id", "created_at", "updated_at",
)  # fmt: skip
PERSON = ("organization_id", "env", "card_id", "contact_id", "role", "principal", "position")
HISTORY = (
    "id", "organization_id", "env", "card_id", "pipeline_id", "kind", "from_stage_id",
    "from_name", "to_stage_id",
    "to_name", "entered_at", "left_at", "seconds", "lost_reason_id", "by_id", "by_name", "at",
)  # fmt: skip
ACTIVITY = (
    "id", "organization_id", "env", "card_id", "kind", "title", "text", "due_at", "done_at",
    "owner_id",
    "created_by_id", "created_at", "updated_at",
)  # fmt: skip
EXTERNAL_ID = CARD.index("external_id")


@dataclass(frozen=True, slots=True)
class MadeDeals:
    """The rows of a chunk's cards, and the lines of what hangs on them."""

    cards: list[list[Any]]
    people: bytes
    history: bytes
    activities: bytes
    activity_count: int


class DealMaker:
    """Makes rows of deals. `ranks`: those of all deals, in the order in which they were opened."""

    def __init__(self, run: Run, ranks: list[str]) -> None:
        self._run = run
        self._ranks = ranks
        self._pipelines = named_pipelines(run)

    def make(self, chunk: Chunk, deals: list[PastDeal]) -> MadeDeals:
        """The rows of a chunk."""
        run = self._run
        ids = run.ids("crd", "deals", chunk)
        histories = [_history(deal, self._pipelines[deal.pipeline]) for deal in deals]
        return MadeDeals(
            [
                self._card(id, place, deal)
                for id, place, deal in zip(ids, range(chunk.first, chunk.last), deals, strict=True)
            ],
            joined(
                line_of((*run.owner, id, contact_id, role, position == 0, position))
                for id, deal in zip(ids, deals, strict=True)
                for position, (contact_id, role) in enumerate(deal.people)
            ),
            self._lines(
                "his",
                "history",
                chunk,
                [(id, *row) for id, rows in zip(ids, histories, strict=True) for row in rows],
            ),
            self._lines(
                "atv",
                "activities",
                chunk,
                [
                    (id, *self._activity(deal, done))
                    for id, deal in zip(ids, deals, strict=True)
                    for done in deal.activities
                ],
            ),
            sum(len(deal.activities) for deal in deals),
        )

    def _lines(self, prefix: str, name: str, chunk: Chunk, rows: list[tuple[Any, ...]]) -> bytes:
        """Rows of what hangs on the cards, with ids of their own and their owner in front."""
        ids = self._run.ids(prefix, name, Chunk(chunk.number, 0, len(rows)))
        return joined(
            line_of((id, *self._run.owner, *row)) for id, row in zip(ids, rows, strict=True)
        )

    def _activity(self, deal: PastDeal, done: PastActivity) -> tuple[Any, ...]:
        by = (deal.owner or self._run.team.first).id
        return (
            done.kind,
            done.title,
            done.text,
            done.due_at,
            done.done_at,
            by,
            by,
            done.created_at,
            done.updated_at,
        )

    def _card(self, id: str, place: int, deal: PastDeal) -> list[Any]:
        run, on = self._run, self._pipelines[deal.pipeline]
        first, last = deal.stays[0], deal.stays[-1]
        won, lost = deal.status is CardStatus.WON, deal.status is CardStatus.LOST
        return [
            id, *run.owner, on.id, on.stages[last.stage], deal.title, deal.status.value,
            self._ranks[place],
            len(deal.stays), deal.value, deal.currency, deal.expected_on, deal.probability, last.at,
            last.at if won else None, last.at if lost else None,
            last.by.id if won or lost else None,
            deal.people[0][0] if deal.people else None, deal.customer.company_id,
            deal.owner and deal.owner.id,
            on.reasons[last.reason] if last.reason is not None else None, deal.note,
            orjson.dumps(deal.attributes).decode(), deal.tags, deal.origin,
            f"seed-{run.seed}-{place}" if deal.numbered else None, first.by.id, first.at, last.at,
        ]  # fmt: skip


def _history(deal: PastDeal, on: IdentifiedPipeline) -> list[tuple[Any, ...]]:
    """What happened, each with the stay that began with it; the last one is not over."""
    rows: list[tuple[Any, ...]] = []
    names = [stage.name for stage in deal.plan.stages]
    for before, stay, after in zip(
        [None, *deal.stays], deal.stays, [*deal.stays[1:], None], strict=False
    ):
        seconds = int((after.at - stay.at).total_seconds()) if after else None
        reason = None if stay.reason is None else on.reasons[stay.reason]
        rows.append(
            (
                on.id, stay.kind, before and on.stages[before.stage],
                before and names[before.stage],
                on.stages[stay.stage], names[stay.stage], stay.at, after and after.at, seconds,
                reason, stay.by.id,
                stay.by.name, stay.at,
            )
        )  # fmt: skip
    return rows
