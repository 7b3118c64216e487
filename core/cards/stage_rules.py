"""What becomes of a card that enters a stage: pure rules, the same for one card and for thousands."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypedDict

from core.cards import links
from core.cards.errors import (
    DealClosed,
    DealOpen,
    LinksRefused,
    NoteRequired,
    ReasonOutOfPlace,
    ReasonRequired,
    RequiredFieldsMissing,
)
from core.cards.models import CardStatus, HistoryKind
from core.cards.record import CardRefusal
from core.foundation.errors import ServiceError
from core.foundation.language import in_language_noted
from core.pipelines.board import Board
from core.pipelines.errors import VersionOutdated
from core.pipelines.models import Outcome, Stage


class CardRow(TypedDict):
    """A row of `cards`: the columns that the rules of a move speak of. The others travel with them."""

    id: str
    pipeline_id: str
    stage_id: str
    status: CardStatus
    stage_since: datetime
    contact_id: str | None
    lost_reason_id: str | None
    version: int


STATUS_OF = {
    Outcome.OPEN: CardStatus.OPEN,
    Outcome.WON: CardStatus.WON,
    Outcome.LOST: CardStatus.LOST,
}
"""The status of a card is always that of its stage."""

WIRE = {
    "value": "valor",
    "expected_on": "dataPrevista",
    "contact_id": "contatoId",
    "owner_id": "responsavelId",
}
"""The columns behind what a stage may demand."""

DEMANDED = {
    "valor": "value",
    "dataPrevista": "expected_on",
    "contato": "contact_id",
    "responsavel": "owner_id",
}


@dataclass(frozen=True, slots=True)
class Ask:
    """What comes along with a change of stage.

    `fields` are columns to fill, and `known` the links that they may hold. `only`: the use case is
    about open deals, or about closed ones. `repeats`: a card that is there already is left alone,
    whatever else was sent.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    known: links.KnownLinks = links.NOTHING
    reason_id: str | None = None
    note: str | None = None
    closed_at: datetime | None = None
    version: int | None = None
    only_open: bool = False
    only_closed: bool = False
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class StageChange:
    """What to write: columns that get other values, and the kind of move, which is None within a
    stage.
    """

    columns: Mapping[str, Any]
    kind: str | None
    filled: Sequence[str]


def decide(
    card: CardRow, board: Board, stage: Stage, ask: Ask, *, principal: bool, at: datetime
) -> StageChange:
    """The change of one locked card. `principal`: a principal contact is on it. Raises the refusals
    of a move.
    """
    _check_state(card, ask)
    stored: Mapping[str, object] = card
    filled = {column: value for column, value in ask.fields.items() if value != stored[column]}
    if card["stage_id"] == stage.id:
        return _within_the_stage(card, ask, filled)
    if card["status"] != CardStatus.OPEN and stage.outcome is not Outcome.OPEN:
        raise DealClosed
    _check_links(filled, ask.known)
    if names := missing({**card, **filled}, stage.required_fields, principal=principal):
        raise RequiredFieldsMissing(names, [f"/campos/{WIRE[DEMANDED[name]]}" for name in names])
    columns = {
        **filled,
        "stage_id": stage.id,
        "pipeline_id": stage.pipeline_id,
        "status": STATUS_OF[stage.outcome],
        "stage_since": at,
        **closing(board, stage, ask, at=at),
    }
    return StageChange(columns, kind_of(card, stage), tuple(filled))


def _check_state(card: CardRow, ask: Ask) -> None:
    """Raises VersionOutdated, DealClosed or DealOpen."""
    if ask.version not in (None, card["version"]):
        raise VersionOutdated(card["version"])
    if ask.only_open and card["status"] != CardStatus.OPEN:
        raise DealClosed
    if ask.only_closed and card["status"] == CardStatus.OPEN:
        raise DealOpen


def _within_the_stage(card: CardRow, ask: Ask, filled: dict[str, object]) -> StageChange:
    """The change of a card that is in the stage already. Raises DealClosed and LinksRefused."""
    same_reason = ask.reason_id in (None, card["lost_reason_id"])
    if card["status"] == CardStatus.LOST and not same_reason:
        raise DealClosed
    if ask.repeats:
        filled = {}
    _check_links(filled, ask.known)
    return StageChange(filled, None, tuple(filled))


def missing(card: Mapping[str, Any], required: Collection[str], *, principal: bool) -> list[str]:
    """What a stage demands and the card lacks."""
    return [
        name for name in DEMANDED if name in required and not _has(card, name, principal=principal)
    ]


def closing(board: Board, stage: Stage, ask: Ask, *, at: datetime) -> dict[str, object]:
    """The columns that a deal is won or lost by, or reopened; those of the outcome of the stage.
    Raises refusals.
    """
    lost = stage.outcome is Outcome.LOST
    if not lost and ask.reason_id is not None:
        raise ReasonOutOfPlace("/motivoPerdaId")
    if not lost and ask.note is not None:
        raise ReasonOutOfPlace("/observacaoPerda")
    if lost:
        _check_reason(board, ask)
    closed_at = ask.closed_at or at
    return {
        "won_at": closed_at if stage.outcome is Outcome.WON else None,
        "lost_at": closed_at if lost else None,
        "lost_reason_id": ask.reason_id,
        "lost_note": ask.note,
    }


def kind_of(card: CardRow, stage: Stage) -> str:
    """How the history calls the move."""
    if stage.pipeline_id != card["pipeline_id"]:
        return HistoryKind.TRANSFERRED
    if stage.outcome is Outcome.WON:
        return HistoryKind.WON
    if stage.outcome is Outcome.LOST:
        return HistoryKind.LOST
    return HistoryKind.MOVED if card["status"] == CardStatus.OPEN else HistoryKind.REOPENED


def as_refused(card_id: str, refusal: ServiceError) -> CardRefusal:
    """The line of a card that did not move, in the answer for many."""
    return {
        "cardId": card_id,
        "codigo": str(refusal.meta.get("code", refusal.code)),
        "mensagem": in_language_noted(refusal.detail),
    }


def _has(card: Mapping[str, Any], name: str, *, principal: bool) -> bool:
    value = card[DEMANDED[name]]
    if name == "valor":
        return value is not None and value > 0
    return value is not None or (name == "contato" and principal)


def _check_links(filled: Mapping[str, object], known: links.KnownLinks) -> None:
    wrong = {}
    if (contact := filled.get("contact_id")) is not None and contact not in known.contacts:
        wrong["/campos/contatoId"] = links.CONTACT
    if (owner := filled.get("owner_id")) is not None and owner not in known.members:
        wrong["/campos/responsavelId"] = links.MEMBER
    if wrong:
        raise LinksRefused(wrong)


def _check_reason(board: Board, ask: Ask) -> None:
    active = {reason.id: reason for reason in board.active_reasons}
    if ask.reason_id is None:
        if active:
            raise ReasonRequired
        return
    if ask.reason_id not in active:
        raise LinksRefused({"/motivoPerdaId": "The pipeline has no such active reason"})
    if active[ask.reason_id].needs_note and not ask.note:
        raise NoteRequired
