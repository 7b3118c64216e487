"""Creating a card."""

from datetime import datetime
from typing import Any

from core.cards import links
from core.cards.errors import ArchivedPipeline, LinksRefused, RequiredFieldsMissing
from core.cards.external_ids import one_card_each
from core.cards.history import HistoryEntry, write_entries
from core.cards.inputs import NewCard, amount
from core.cards.models import Card, CardOrigin, HistoryKind
from core.cards.people import put_people, unknown_people
from core.cards.places import free_ranks, lock_stage
from core.cards.queries import hold_pipeline, read_card, stage_named
from core.cards.record import CardRecord
from core.cards.stage_rules import DEMANDED, STATUS_OF, WIRE, Ask, closing, missing
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import Board
from core.pipelines.models import Outcome, Stage


async def create_card(caller: Caller, new: NewCard) -> CardRecord:
    """Put a deal into a stage, behind all others; answers the card.

    In a stage that closes deals it is won or lost from the beginning. Raises LinksRefused,
    ArchivedPipeline, RequiredFieldsMissing, ReasonRequired, NoteRequired, ReasonOutOfPlace and
    CardExternalIdTaken.
    """
    caller.require(Scope.CRM_WRITE)
    with one_card_each():
        async with transaction():
            known = await links.hold_links(
                caller,
                contacts=[new.contact_id, *(person.contact_id for person in new.people)],
                companies=[new.company_id],
                members=[new.owner_id],
                messages=[new.origin_message_id],
            )
            _check_links(new, known)
            board = await hold_pipeline(caller, new.pipeline_id)
            if board.pipeline.archived:
                raise ArchivedPipeline
            stage = (
                stage_named(board, new.stage_id)
                if new.stage_id is not None
                else board.stages_of(Outcome.OPEN)[0]
            )
            id = new_id("crd")
            await lock_stage(stage)
            (rank,) = await free_ranks(stage, [id])
            card = {"id": id, "rank": rank, **columns_of_new(caller, new, board, stage, at=now())}
            await Card.create(**card)
            await put_people(caller, id, new.people)
            line = HistoryEntry.of_move(
                None, card, HistoryKind.CREATED, {stage.id: stage.name}, at=card["created_at"]
            )
            await write_entries(caller, [line])
            return await read_card(caller, id)


def columns_of_new(
    caller: Caller, new: NewCard, board: Board, stage: Stage, *, at: datetime
) -> dict[str, Any]:
    """The columns of a new card but its id and its rank. Raises RequiredFieldsMissing, ReasonRequired, NoteRequired
    and ReasonOutOfPlace.
    """
    given = {
        "value": amount(new.value),
        "expected_on": new.expected_on,
        "contact_id": new.contact_id,
        "owner_id": new.owner_id,
    }
    principal = any(person.principal for person in new.people)
    if names := missing(given, stage.required_fields, principal=principal):
        raise RequiredFieldsMissing(names, [f"/{WIRE[DEMANDED[name]]}" for name in names])
    closed = closing(board, stage, Ask(reason_id=new.lost_reason_id, note=new.lost_note), at=at)
    return {
        **owned_by(caller),
        **given,
        **closed,
        "pipeline_id": board.pipeline.id,
        "stage_id": stage.id,
        "title": new.title,
        "status": STATUS_OF[stage.outcome],
        "currency": new.currency or board.pipeline.currency,
        "probability": new.probability,
        "stage_since": at,
        "closed_by_id": caller.account_id if stage.outcome is not Outcome.OPEN else None,
        "company_id": new.company_id,
        "attributes": new.attributes,
        "tags": new.tags,
        "origin": new.origin or (CardOrigin.MANUAL if caller.kind == "session" else CardOrigin.API),
        "origin_message_id": new.origin_message_id,
        "external_id": new.external_id,
        "created_by_id": caller.account_id or caller.organization_id,
        "created_at": at,
        "updated_at": at,
    }


def _check_links(new: NewCard, known: links.KnownLinks) -> None:
    asked = (
        ("/contatoId", new.contact_id, known.contacts, links.CONTACT),
        ("/companyId", new.company_id, known.companies, links.COMPANY),
        ("/responsavelId", new.owner_id, known.members, links.MEMBER),
        ("/origemMessageId", new.origin_message_id, known.messages, links.MESSAGE),
    )
    wrong = {
        pointer: message
        for pointer, id, there, message in asked
        if id is not None and id not in there
    }
    wrong |= unknown_people(new.people, known)
    if wrong:
        raise LinksRefused(wrong)
