"""Whom an e-mail is from: a verified sender of the organization."""

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias, cast

from core.email.addresses import Sender, read_sender
from core.email.errors import NoVerifiedSender
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.foundation.security.caller import Caller

SANDBOX_SENDER = "no-reply@sandbox.test"
UNVERIFIED = "unverified.test"
"""In the sandbox every sender is verified but those of this domain."""

WantedSender: TypeAlias = tuple[str, str, str | None]
"""Of an organization in an environment: the sender that is wanted; None: any."""


async def sender_for(caller: Caller, wanted: str | None) -> Sender:
    """Who the e-mail is from: the wanted sender where it is verified, the first verified one where
    none is wanted.

    Raises NoVerifiedSender.
    """
    asked = (caller.organization_id, caller.env, wanted)
    sender = (await senders_for([asked]))[asked]
    if sender is None:
        raise NoVerifiedSender
    return sender


async def senders_for(wanted: Collection[WantedSender]) -> dict[WantedSender, Sender | None]:
    """The same for many, by one statement at most; None where there is no verified one."""
    asked = asked_of(wanted)
    rows = await db.fetch_planned(find_sql(first=1), *columns_of(asked)) if asked else []
    return found_senders(wanted, asked, rows)


def asked_of(wanted: Collection[WantedSender]) -> list[WantedSender]:
    """Those that the database is asked about: none that the sandbox answers by itself."""
    return [one for one in dict.fromkeys(wanted) if one[2] is None or one[1] == "live"]


def columns_of(asked: Sequence[WantedSender]) -> list[list[object]]:
    """The parameters of the question."""
    forms = []
    for organization_id, env, name in asked:
        sender = None if name is None else read_sender(name)
        forms.append(
            (
                organization_id,
                env,
                sender and sender.address.lower(),
                sender and f"@{sender.domain}",
            )
        )
    return db.columns(forms, 4)


def found_senders(
    wanted: Collection[WantedSender], asked: Sequence[WantedSender], rows: Iterable[HasColumns]
) -> dict[WantedSender, Sender | None]:
    """What is answered: a row for each that was asked about, with its place among them."""
    answers = {asked[cast(int, row["place"]) - 1]: row for row in rows}
    return {one: _chosen(one, answers.get(one)) for one in set(wanted)}


def _chosen(wanted: WantedSender, answer: HasColumns | None) -> Sender | None:
    _, env, name = wanted
    if name is not None:
        named = read_sender(name)
        is_verified = answer["verified"] if answer is not None else named.domain != UNVERIFIED
        return named if is_verified else None
    assert answer is not None, "whoever wants any is asked about"
    if answer["first"] is not None:
        return Sender("", str(answer["first"]))
    return Sender("", SANDBOX_SENDER) if env == "test" else None


def find_sql(*, first: int) -> str:
    """The question, whose parameters are from `$first` on."""
    asked = ", ".join(f"${place}::text[]" for place in range(first, first + 4))
    return FIND.format(asked=asked)


FIND = """
SELECT a.place, CASE WHEN a.address IS NULL THEN (
           SELECT s.address FROM email_senders s
           WHERE s.organization_id = a.organization_id AND s.env = a.env AND NOT starts_with(s.address, '@')
           ORDER BY s.verified_at, s.id LIMIT 1) END AS first,
       EXISTS (SELECT FROM email_senders s
               WHERE s.organization_id = a.organization_id AND s.env = a.env
               AND s.address IN (a.address, a.domain)) AS verified
FROM unnest({asked}) WITH ORDINALITY AS a (organization_id, env, address, domain, place)"""
