"""Rows of cards and of their history, for tests that care for what is stored and not for how it
came about.
"""

import itertools
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.cards.models import Card, CardHistory, CardStatus
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller

STATUS = {"aberta": CardStatus.OPEN, "ganho": CardStatus.WON, "perda": CardStatus.LOST}

_numbers = itertools.count(100_000)


async def a_stored_card(caller: Caller, stage: Mapping[str, Any], **changes: Any) -> Card:
    """A card in a stage, with the stay that began when it came there; `stage` is its record."""
    at: datetime = changes.pop("at", None) or now()
    card = await Card.create(
        **{
            "id": new_id("crd"),
            **owned_by(caller),
            "pipeline_id": stage["pipelineId"],
            "stage_id": stage["id"],
            "title": "A deal",
            "status": STATUS[stage["resultado"]],
            "rank": f"{next(_numbers)}1",
            "currency": "BRL",
            "stage_since": at,
            "attributes": {},
            "tags": [],
            "origin": "api",
            "created_by_id": "acc_of_the_test",
            "created_at": at,
            "updated_at": at,
            **changes,
        }
    )
    await a_stay(card, stage, at=card.stage_since)
    return card


async def a_stay(
    card: Card,
    stage: Mapping[str, Any],
    *,
    at: datetime,
    until: datetime | None = None,
    **changes: Any,
) -> None:
    """A line of the card's history: it was in the stage from `at`, and has left it if `until` says
    when.
    """
    await CardHistory.create(
        **{
            "id": new_id("his"),
            "organization_id": card.organization_id,
            "env": card.env,
            "card_id": card.id,
            "pipeline_id": card.pipeline_id,
            "kind": "movido",
            "to_stage_id": stage["id"],
            "to_name": stage["nome"],
            "entered_at": at,
            "left_at": until,
            "seconds": None if until is None else round((until - at).total_seconds()),
            "at": at,
            **changes,
        }
    )
