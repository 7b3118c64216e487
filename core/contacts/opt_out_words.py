"""Words by which people leave and come back: a message that is exactly one of them closes its
channel, or opens it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from unicodedata import normalize

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core import audit
from core.contacts.consent import Move, Standing
from core.contacts.ledger import (
    Recorded,
    deny_addresses,
    lift_denials,
    record_moves,
    standing_denials,
)
from core.contacts.models import ALL_CHANNELS, OptInStatus, OptOutWordList
from core.contacts.write import ContactRow, lock_contacts
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import Input
from core.foundation.validation.validation_errors import across

LEAVING = ("SAIR", "PARE", "PARAR", "CANCELAR", "STOP", "DESCADASTRAR")
RETURNING = ("VOLTAR", "START")
"""What holds for an organization that has chosen no words of its own."""

SOURCE = "resposta"
"""The source of a consent that a message moved."""

MOST_WORDS = 50
LONGEST_WORD = 40


def folded(text: str) -> str:
    """The letters and digits of a text, without case and accents."""
    return "".join(sign for sign in normalize("NFKD", text).casefold() if sign.isalnum())


def _with_letters(word: str) -> str:
    if not folded(word):
        raise PydanticCustomError("wrong_format", "A word has letters or digits")
    return word


Word = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_WORD),
    AfterValidator(_with_letters),
]


class OptOutWords(Input):
    """The words of an organization in one environment. Either list may be empty."""

    leaving: Annotated[list[Word], Field(max_length=MOST_WORDS)] = Field(
        alias="saida",
        description="A message that is exactly one of these closes its channel for who wrote it",
    )
    returning: Annotated[list[Word], Field(max_length=MOST_WORDS)] = Field(
        alias="volta", description="A message that is exactly one of these opens it again"
    )

    @across("leaving", "returning")
    @staticmethod
    def _one_meaning_each(leaving: list[str], returning: list[str]) -> None:
        if set(map(folded, leaving)) & set(map(folded, returning)):
            raise PydanticCustomError("repeated", "A word means either to leave or to come back")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a message asks for by being one of the words."""

    word: str
    leaves: bool


@dataclass(frozen=True, slots=True)
class Words:
    """The words that hold, by what is compared."""

    wishes: Mapping[str, Wish]

    def wish_in(self, text: str | None) -> Wish | None:
        """What the text asks for, if it is one of the words and nothing else."""
        # Accents that stand alone, spaces and signs may surround each letter of a word; a longer
        # text is none.
        return self.wishes.get(folded(text)) if text and len(text) <= 4 * LONGEST_WORD else None


@dataclass(frozen=True, slots=True)
class Heard:
    """A wish that somebody sent over a channel. `identity`: the hash of the address that it came
    from.
    """

    identity: bytes
    channel: str
    wish: Wish
    at: datetime


async def get_opt_out_words(caller: Caller) -> dict[str, Any]:
    """`{saida, volta}`."""
    caller.require(Scope.CONTACTS_READ)
    leaving, returning = await _lists(caller)
    return {"saida": list(leaving), "volta": list(returning)}


async def set_opt_out_words(caller: Caller, words: OptOutWords) -> dict[str, Any]:
    """Put these words in the place of those before."""
    caller.require(Scope.CONTACTS_WRITE)
    leaving, returning = list(dict.fromkeys(words.leaving)), list(dict.fromkeys(words.returning))
    at = now()
    async with transaction():
        lists = {"leaving": leaving, "returning": returning, "updated_at": at}
        await OptOutWordList.update_or_create(defaults=lists, **owned_by(caller))
        facts = {"saida": len(leaving), "volta": len(returning)}
        await audit.write_entry(caller, "opt_out_words.changed", None, facts, at=at)
    return {"saida": leaving, "volta": returning}


async def stored_words(caller: Caller) -> Words:
    """The words that hold for the caller's organization and environment."""
    leaving, returning = await _lists(caller)
    return Words(
        {folded(word): Wish(word, leaves=False) for word in returning}
        | {folded(word): Wish(word, leaves=True) for word in leaving}
    )


async def _lists(caller: Caller) -> tuple[Sequence[str], Sequence[str]]:
    stored = await OptOutWordList.visible_to(caller).first()
    return (LEAVING, RETURNING) if stored is None else (stored.leaving, stored.returning)


async def heed(caller: Caller, heard: Sequence[Heard], *, at: datetime) -> None:
    """Close and open channels as people wish, by the last that each of them said; in the
    transaction that stores what they wrote, which holds
    `hold_apart_from_opt_outs(opting_out=True)`. Addresses without a contact are kept too.
    """
    last = {
        (one.identity, one.channel): one
        for one in sorted(heard, key=lambda one: (one.at, one.wish.leaves))
    }
    if not last:
        return
    wishes = list(last.values())
    identities = [one.identity for one in wishes]
    rows = {row["identity"]: row for row in await lock_contacts(caller, identities=identities)}
    standing = await standing_denials(caller, identities)
    await _close(caller, [one for one in wishes if one.wish.leaves], rows, standing, at=at)
    await _open(caller, [one for one in wishes if not one.wish.leaves], rows, standing, at=at)


Rows = Mapping[bytes, ContactRow]
InForce = Mapping[bytes, Sequence[Standing]]


async def _close(
    caller: Caller, leaving: Sequence[Heard], rows: Rows, standing: InForce, *, at: datetime
) -> None:
    """Deny those that nobody denied already."""
    new = [
        one
        for one in leaving
        if not any(
            denial.channel in (one.channel, ALL_CHANNELS)
            for denial in standing.get(one.identity, ())
        )
    ]
    strangers = [one for one in new if one.identity not in rows]
    await deny_addresses(
        caller,
        [(one.identity, one.channel, one.wish.word, SOURCE, one.at) for one in strangers],
        at=at,
    )
    moves = [
        _recorded(row, one, OptInStatus(row["opt_in_status"]), OptInStatus.DENIED)
        for one in new
        if (row := rows.get(one.identity))
    ]
    await record_moves(caller, moves, at=at)


async def _open(
    caller: Caller, returning: Sequence[Heard], rows: Rows, standing: InForce, *, at: datetime
) -> None:
    """End the denials of the channel that are older than the wish; one of all channels stays."""
    ending = [
        one
        for one in returning
        if any(
            denial.channel == one.channel and denial.denied_at < one.at
            for denial in standing.get(one.identity, ())
        )
    ]
    await lift_denials(
        caller, [(one.identity, one.channel, one.at) for one in ending if one.identity not in rows]
    )
    moves = [
        _recorded(row, one, OptInStatus.DENIED, OptInStatus.GRANTED)
        for one in ending
        if (row := rows.get(one.identity))
    ]
    await record_moves(caller, moves, at=at)


def _recorded(row: ContactRow, one: Heard, before: OptInStatus, after: OptInStatus) -> Recorded:
    return Recorded(
        row, Move(before, after, one.at, informed=True), one.channel, one.wish.word, SOURCE
    )
