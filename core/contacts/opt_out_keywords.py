"""Opt-out keywords: a message that is exactly one of them closes its channel, or opens it again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from unicodedata import normalize

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core import audit
from core.contacts.consent import ConsentChange, DenialInForce
from core.contacts.consent_log import (
    ConsentLogEntry,
    denials_in_force,
    deny_addresses,
    lift_denials,
    log_consent_changes,
)
from core.contacts.models import ALL_CHANNELS, OptInStatus, OptOutWordList
from core.contacts.record import OptOutWordsRecord
from core.contacts.write import ContactRow, lock_contacts
from core.foundation.clock import now
from core.foundation.database.rows import by_column
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

MAX_KEYWORDS = 50
MAX_KEYWORD_LENGTH = 40


def folded(text: str) -> str:
    """The letters and digits of a text, without case and accents."""
    return "".join(sign for sign in normalize("NFKD", text).casefold() if sign.isalnum())


def _with_letters(word: str) -> str:
    if not folded(word):
        raise PydanticCustomError("wrong_format", "A word has letters or digits")
    return word


Word = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_KEYWORD_LENGTH),
    AfterValidator(_with_letters),
]


class OptOutWords(Input):
    """The words of an organization in one environment. Either list may be empty."""

    leaving: Annotated[list[Word], Field(max_length=MAX_KEYWORDS)] = Field(
        alias="saida",
        description="A message that is exactly one of these closes its channel for who wrote it",
    )
    returning: Annotated[list[Word], Field(max_length=MAX_KEYWORDS)] = Field(
        alias="volta", description="A message that is exactly one of these opens it again"
    )

    @across("leaving", "returning")
    @staticmethod
    def _one_meaning_each(leaving: list[str], returning: list[str]) -> None:
        if set(map(folded, leaving)) & set(map(folded, returning)):
            raise PydanticCustomError("repeated", "A word means either to leave or to come back")


@dataclass(frozen=True, slots=True)
class OptOutKeyword:
    """What a message asks for by being one of the words."""

    word: str
    leaves: bool


@dataclass(frozen=True, slots=True)
class OptOutKeywords:
    """The words that hold, by what is compared."""

    keywords: Mapping[str, OptOutKeyword]

    def find(self, text: str | None) -> OptOutKeyword | None:
        """What the text asks for, if it is one of the words and nothing else."""
        # Accents that stand alone, spaces and signs may surround each letter of a word; a longer
        # text is none.
        return (
            self.keywords.get(folded(text))
            if text and len(text) <= 4 * MAX_KEYWORD_LENGTH
            else None
        )


@dataclass(frozen=True, slots=True)
class KeywordReply:
    """A keyword that somebody sent over a channel. `identity`: the hash of the address that it came
    from.
    """

    identity: bytes
    channel: str
    keyword: OptOutKeyword
    at: datetime


async def get_opt_out_words(caller: Caller) -> OptOutWordsRecord:
    """The words that hold."""
    caller.require(Scope.CONTACTS_READ)
    leaving, returning = await _lists(caller)
    return {"saida": list(leaving), "volta": list(returning)}


async def set_opt_out_words(caller: Caller, words: OptOutWords) -> OptOutWordsRecord:
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


async def stored_keywords(caller: Caller) -> OptOutKeywords:
    """The words that hold for the caller's organization and environment."""
    leaving, returning = await _lists(caller)
    return OptOutKeywords(
        {folded(word): OptOutKeyword(word, leaves=False) for word in returning}
        | {folded(word): OptOutKeyword(word, leaves=True) for word in leaving}
    )


async def _lists(caller: Caller) -> tuple[Sequence[str], Sequence[str]]:
    stored = await OptOutWordList.visible_to(caller).first()
    return (LEAVING, RETURNING) if stored is None else (stored.leaving, stored.returning)


async def apply_keyword_replies(
    caller: Caller, replies: Sequence[KeywordReply], *, at: datetime
) -> None:
    """Close and open channels as people keyword, by the last that each of them said; in the
    transaction that stores what they wrote, which holds
    `lock_opt_outs(opting_out=True)`. Addresses without a contact are kept too.
    """
    last = {
        (one.identity, one.channel): one
        for one in sorted(replies, key=lambda one: (one.at, one.keyword.leaves))
    }
    if not last:
        return
    keywords = list(last.values())
    identities = [one.identity for one in keywords]
    rows = by_column(await lock_contacts(caller, identities=identities), "identity")
    in_force = await denials_in_force(caller, identities)
    await _close(caller, [one for one in keywords if one.keyword.leaves], rows, in_force, at=at)
    await _open(caller, [one for one in keywords if not one.keyword.leaves], rows, in_force, at=at)


RowsByIdentity = Mapping[bytes, ContactRow]
InForce = Mapping[bytes, Sequence[DenialInForce]]


async def _close(
    caller: Caller,
    leaving: Sequence[KeywordReply],
    rows: RowsByIdentity,
    in_force: InForce,
    *,
    at: datetime,
) -> None:
    """Deny those that nobody denied already."""
    new = [
        one
        for one in leaving
        if not any(
            denial.channel in (one.channel, ALL_CHANNELS)
            for denial in in_force.get(one.identity, ())
        )
    ]
    strangers = [one for one in new if one.identity not in rows]
    await deny_addresses(
        caller,
        [(one.identity, one.channel, one.keyword.word, SOURCE, one.at) for one in strangers],
        at=at,
    )
    entries = [
        _recorded(row, one, OptInStatus(row["opt_in_status"]), OptInStatus.DENIED)
        for one in new
        if (row := rows.get(one.identity))
    ]
    await log_consent_changes(caller, entries, at=at)


async def _open(
    caller: Caller,
    returning: Sequence[KeywordReply],
    rows: RowsByIdentity,
    in_force: InForce,
    *,
    at: datetime,
) -> None:
    """End the denials of the channel that are older than the keyword; one of all channels stays."""
    ending = [
        one
        for one in returning
        if any(
            denial.channel == one.channel and denial.denied_at < one.at
            for denial in in_force.get(one.identity, ())
        )
    ]
    await lift_denials(
        caller, [(one.identity, one.channel, one.at) for one in ending if one.identity not in rows]
    )
    entries = [
        _recorded(row, one, OptInStatus.DENIED, OptInStatus.GRANTED)
        for one in ending
        if (row := rows.get(one.identity))
    ]
    await log_consent_changes(caller, entries, at=at)


def _recorded(
    row: ContactRow, one: KeywordReply, before: OptInStatus, after: OptInStatus
) -> ConsentLogEntry:
    return ConsentLogEntry(
        row,
        ConsentChange(before, after, one.at, informed=True),
        one.channel,
        one.keyword.word,
        SOURCE,
    )
