"""What becomes of a consent: pure rules, from what is stored and what is sent.

Dates that the body informs count for API keys alone, so that old consents can be brought in; for
everybody else the date is the server's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.contacts.errors import (
    ConsentBeforeRevocation,
    ConsentCannotBeForgotten,
    ConsentInTheFuture,
)
from core.contacts.inputs import OptIn
from core.contacts.models import ALL_CHANNELS, OptInStatus
from core.foundation.security.caller import Caller

CLOCK_SKEW = timedelta(minutes=5)
"""How far ahead of ours another clock may be."""


@dataclass(frozen=True, slots=True)
class Consent:
    """What a contact consented to, as it is stored; `at` of a grant, `revoked_at` of a denial."""

    status: OptInStatus = OptInStatus.UNKNOWN
    source: str | None = None
    at: datetime | None = None
    ip: str | None = None
    user_agent: str | None = None
    revoked_at: datetime | None = None
    revoked_reason: str | None = None


@dataclass(frozen=True, slots=True)
class ConsentChange:
    """A consent that became another one. `at` is its date; `informed` when the date came from the
    body.

    `inherited`: a denial that had been recorded before its contact was.
    """

    before: OptInStatus
    after: OptInStatus
    at: datetime
    informed: bool
    inherited: bool = False


@dataclass(frozen=True, slots=True)
class DenialInForce:
    """A denial that is in force for an address."""

    channel: str
    denied_at: datetime
    reason: str | None
    source: str | None


def honours_dates(caller: Caller) -> bool:
    """Whether dates of consent in this caller's bodies count."""
    return caller.kind != "session"


def check_date(date: datetime | None, pointer: str, *, at: datetime) -> None:
    """Raises ConsentInTheFuture."""
    if date is not None and date > at + CLOCK_SKEW:
        raise ConsentInTheFuture(pointer)


def first_consent(
    new: OptIn | None, in_force: Sequence[DenialInForce], *, dates: bool, at: datetime
) -> tuple[Consent, ConsentChange | None]:
    """The consent of a new contact. `in_force`: what was denied before under its phone and e-mail.

    A denial for all channels outlives its contact: only a later grant, with source and date, takes
    it back.
    """
    new = new or OptIn(status=OptInStatus.UNKNOWN)
    check_dates(new, dates=dates, at=at)
    everywhere = [denial for denial in in_force if denial.channel == ALL_CHANNELS]
    if everywhere and not _takes_back(
        new, max(denial.denied_at for denial in everywhere), dates=dates, at=at
    ):
        return _inherited(max(everywhere, key=lambda denial: denial.denied_at))
    if new.status is OptInStatus.UNKNOWN:
        return Consent(source=new.source, ip=new.ip, user_agent=new.user_agent), None
    return _moved(Consent(), new, dates=dates, at=at)


def changed_consent(
    stored: Consent, new: OptIn, in_force: Sequence[DenialInForce], *, dates: bool, at: datetime
) -> tuple[Consent, ConsentChange | None]:
    """The consent after a change. The status that stands already changes nothing: its proof is not
    rewritten.

    One exception: who granted and then closed a channel (`in_force`) opens it again by a later
    grant, as after a denial. Raises ConsentInTheFuture, ConsentBeforeRevocation and
    ConsentCannotBeForgotten.
    """
    check_dates(new, dates=dates, at=at)
    if new.status == stored.status and not any(
        _takes_back(new, denial.denied_at, dates=dates, at=at) for denial in in_force
    ):
        return stored, None
    if new.status is OptInStatus.UNKNOWN:
        raise ConsentCannotBeForgotten
    if stored.status is OptInStatus.DENIED and not _takes_back(
        new, stored.revoked_at, dates=dates, at=at
    ):
        raise ConsentBeforeRevocation
    return _moved(stored, new, dates=dates, at=at)


def check_dates(new: OptIn, *, dates: bool, at: datetime) -> None:
    """The dates that count, if any do. Raises ConsentInTheFuture."""
    if not dates:
        return
    if new.status is not OptInStatus.UNKNOWN:
        check_date(new.at, "/optIn/at", at=at)
    if new.status is OptInStatus.DENIED:
        check_date(new.revoked_at, "/optIn/revokedAt", at=at)


def _takes_back(new: OptIn, denied_at: datetime | None, *, dates: bool, at: datetime) -> bool:
    """Whether this grant is one that ends a denial of that time."""
    if new.status is not OptInStatus.GRANTED or not new.source:
        return False
    granted_at = new.at if dates else at
    return granted_at is not None and (denied_at is None or granted_at > denied_at)


def _moved(
    stored: Consent, new: OptIn, *, dates: bool, at: datetime
) -> tuple[Consent, ConsentChange]:
    informed = _date_of(new) if dates else None
    date = informed or at
    after = replace(
        stored,
        status=new.status,
        source=new.source or stored.source,
        ip=new.ip or stored.ip,
        user_agent=new.user_agent or stored.user_agent,
    )
    if new.status is OptInStatus.GRANTED:
        after = replace(after, at=date, revoked_at=None, revoked_reason=None)
    else:
        granted_at = new.at if dates and new.at else stored.at
        reason = new.revoked_reason
        after = replace(after, at=granted_at, revoked_at=date, revoked_reason=reason)
    return after, ConsentChange(stored.status, new.status, date, informed is not None)


def _date_of(new: OptIn) -> datetime | None:
    """The date that the body informs of its grant or denial."""
    return new.at if new.status is OptInStatus.GRANTED else new.revoked_at


def _inherited(denial: DenialInForce) -> tuple[Consent, ConsentChange]:
    denied = Consent(
        OptInStatus.DENIED, denial.source, revoked_at=denial.denied_at, revoked_reason=denial.reason
    )
    return denied, ConsentChange(
        OptInStatus.UNKNOWN, OptInStatus.DENIED, denial.denied_at, informed=False, inherited=True
    )
