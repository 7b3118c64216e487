"""The history of a card: stays in stages and changed fields, with the names of the time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, NotRequired, Self, TypedDict

from pydantic import Field

from core.cards.models import CardHistory, HistoryKind
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import new_id, well_formed_id
from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    LargeInt,
    Made,
    Record,
    UncountedPage,
    WrittenPage,
    named,
    newest_uncounted,
)
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import CURSOR, LIMIT, QueryInput


@named(rest="StageOfTheTime", graphql="PassedStage")
class StageOfTheTime(TypedDict):
    """A stage by the name that it had then; it may be gone."""

    etapaId: Annotated[Id, Doc("The stage")]
    nome: Annotated[str, Doc("What it was called at the time")]


def _stage(id: str | None, name: str | None) -> StageOfTheTime | None:
    return {"etapaId": id, "nome": name} if id is not None and name is not None else None


def _stage_of(side: str) -> Made:
    """The stage of the time from columns of its own."""
    id, name = f"{side}_stage_id", f"{side}_name"
    sql = (
        f"CASE WHEN {id} IS NOT NULL AND {name} IS NOT NULL "
        f"THEN json_build_object('etapaId', {id}, 'nome', {name})::text END"
    )
    return Made(_stage, (id, name), sql=sql)


@named(rest="CardHistoryEntry", graphql="CardHistoryEntry")
class HistoryRecord(TypedDict):
    """A stay in a stage, which has no `saiuEm` as long as it lasts; or, with the kind `campo`, a
    field that changed.
    """

    id: Annotated[Id, Doc("Names the line")]
    tipo: Annotated[HistoryKind, Column("kind"), Doc("What happened")]
    de: NotRequired[Annotated[StageOfTheTime, _stage_of("from"), Doc("The stage that it left")]]
    para: NotRequired[
        Annotated[StageOfTheTime, _stage_of("to"), Doc("The stage that it came into")]
    ]
    campo: NotRequired[Annotated[str, Column("field"), Doc("The field that changed")]]
    entrouEm: NotRequired[Annotated[Instant, Column("entered_at"), Doc("When the stay began")]]
    saiuEm: NotRequired[
        Annotated[Instant, Column("left_at"), Doc("When the stay ended; absent while it lasts")]
    ]
    duracaoSegundos: NotRequired[
        Annotated[LargeInt, Column("seconds"), Doc("Seconds from `entrouEm` to `saiuEm`")]
    ]
    motivoPerdaId: NotRequired[
        Annotated[Id, Column("lost_reason_id"), Doc("The reason that the deal was lost for")]
    ]
    porId: NotRequired[Annotated[Id, Column("by_id"), Doc("The account that did it")]]
    porNome: NotRequired[
        Annotated[str, Column("by_name"), Doc("What the account was called at the time")]
    ]
    em: Annotated[Instant, Column("at"), Doc("When it happened")]


HISTORY = Record(HistoryRecord)


@named(rest="CardHistoryPage")
class HistoryPage(UncountedPage[HistoryRecord]):
    """A page of a card's history, newest first."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One line to write: a stay that begins (`to_stage_id`), or a field that changed (`field`, as
    the wire has it).
    """

    card_id: str
    pipeline_id: str
    kind: str
    at: datetime
    id: str
    from_stage_id: str | None = None
    from_name: str | None = None
    to_stage_id: str | None = None
    to_name: str | None = None
    field: str | None = None
    lost_reason_id: str | None = None

    @classmethod
    def of_move(
        cls,
        before: Mapping[str, Any] | None,
        after: Mapping[str, Any],
        kind: str,
        names: Mapping[str, str],
        *,
        at: datetime,
    ) -> Self:
        """A card came into a stage; `before` is None when it is new."""
        left = before["stage_id"] if before else None
        return cls(
            after["id"],
            after["pipeline_id"],
            kind,
            at,
            new_id("his"),
            left,
            names[left] if left else None,
            after["stage_id"],
            names[after["stage_id"]],
            lost_reason_id=after["lost_reason_id"],
        )

    @classmethod
    def of_field(cls, card: Mapping[str, Any], field: str, *, at: datetime) -> Self:
        """A field got another value; values are not written down."""
        return cls(
            card["id"], card["pipeline_id"], HistoryKind.FIELD, at, new_id("his"), field=field
        )


class HistoryFilter(QueryInput):
    """Which lines to show, newest first."""

    kind: HistoryKind | None = Field(
        default=None, alias="tipo", description="Lines of this kind only"
    )
    limit: int | None = Field(default=None, ge=1, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)


async def list_history(
    caller: Caller, card_id: str, filter: HistoryFilter
) -> WrittenPage[HistoryPage]:
    """A page of a card's history, newest first. Raises NotFound."""
    caller.require(Scope.CRM_READ)
    await must_be_there(caller, card_id)
    where = Where.visible_to(caller)
    where.narrow("card_id = {}", card_id)
    where.narrow_given(("kind = {}", filter.kind))
    return await newest_uncounted(caller, HISTORY, "card_history", where, filter, by="at")


async def must_be_there(caller: Caller, card_id: str) -> None:
    """Raises NotFound unless the card is one of the caller's."""
    there = await db.fetch_one_planned(
        "SELECT EXISTS (SELECT FROM cards WHERE organization_id = $1 AND env = $2 AND id = $3)",
        caller.organization_id,
        caller.env,
        well_formed_id("crd", card_id),
        owner=caller.organization_id,
    )
    if not there[0]:
        raise NotFound


async def entry_record(caller: Caller, id: str) -> HistoryRecord:
    """The record of a line that was just written."""
    return history_record(vars(await CardHistory.visible_to(caller).get(id=id)))


def history_record(row: HasColumns) -> HistoryRecord:
    """The record of a row."""
    return HISTORY.make(row, unmasked=True)


async def close_stays(left: Sequence[tuple[str, datetime]]) -> None:
    """End the open stays of cards, each at its moment."""
    await db.execute_for(left, CLOSE, *db.columns(left, 2))


async def write_entries(caller: Caller, lines: Sequence[HistoryEntry]) -> None:
    """Write lines in one statement, in the name of the caller as it is now."""
    if not lines:
        return
    rows = [
        [
            line.id, line.card_id, line.pipeline_id, line.kind, line.from_stage_id, line.from_name, line.to_stage_id,
            line.to_name, line.field, line.at if line.to_stage_id else None, line.lost_reason_id, line.at,
        ]
        for line in lines
    ]  # fmt: skip
    await db.execute(
        INSERT, caller.organization_id, caller.env, caller.account_id, *db.columns(rows, 12)
    )


CLOSE = """
UPDATE card_history h SET left_at = n.at, seconds = floor(extract(epoch FROM n.at - h.entered_at))
FROM unnest($1::text[], $2::timestamptz[]) AS n (card_id, at)
WHERE h.card_id = n.card_id AND h.entered_at IS NOT NULL AND h.left_at IS NULL
"""

INSERT = """
INSERT INTO card_history (organization_id, env, by_id, by_name, id, card_id, pipeline_id, kind, from_stage_id,
    from_name, to_stage_id, to_name, field, entered_at, lost_reason_id, at)
SELECT $1::text, $2, $3::text, (SELECT name FROM accounts WHERE id = $3::text AND organization_id = $1::text), n.*
FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
    $12::text[], $13::timestamptz[], $14::text[], $15::timestamptz[]) AS n
"""
