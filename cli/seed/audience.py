"""Whom messages were addressed to: contacts of this seed, and phones that are nobody's contact."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from cli.seed.brazil.phones import phone, phone_abroad
from cli.seed.brazil.texts import SOMEBODY
from cli.seed.run import Run, chunks_of
from core.foundation.database import db

MAX_RECIPIENTS = 200_000
"""Contacts that are written to; of more, every second, third … is."""
SEED_STEP = 2_000_003
STRANGERS_FROM, STRANGERS = 1_500_000, 500_000
"""Each seed has phones of its own: first those of its contacts, then those of strangers."""

STRANGER_SHARE = 0.08
ABROAD_SHARE = 0.01
FAVOUR = 0.8
"""Below 1, those who came later are written to more often."""


@dataclass(frozen=True, slots=True)
class PastRecipient:
    """A phone, and whose it is. `contact_id` None: nobody's contact."""

    phone: str
    name: str = SOMEBODY
    contact_id: str | None = None


class PastRecipients:
    """Those who can be written to, in the order in which they became contacts."""

    def __init__(self, run: Run, contacts: Sequence[tuple[datetime, PastRecipient]]) -> None:
        ordered = sorted(contacts, key=lambda contact: contact[0])
        self._since = [since for since, _ in ordered]
        self._contacts = [recipient for _, recipient in ordered]
        self._env = run.caller.env
        self._strangers = run.seed * SEED_STEP + STRANGERS_FROM

    def pick(self, at: datetime, random: Random) -> PastRecipient:
        """Somebody who was there at that time."""
        chance = random.random()
        known = bisect_right(self._since, at)
        if chance < ABROAD_SHARE:
            return PastRecipient(phone_abroad(int(random.random() * STRANGERS)))
        if chance < STRANGER_SHARE or not known:
            return PastRecipient(
                phone(self._strangers + int(random.random() * STRANGERS), self._env)[0]
            )
        return self._contacts[int(known * random.random() ** FAVOUR)]


def phone_of_contact(run: Run, place: int) -> int:
    """The number of the phone of the contact at this place."""
    return run.seed * SEED_STEP + place


async def read_audience(run: Run, contacts: int) -> PastRecipients:
    """The audience among the first `contacts` contacts that this seed has written, without those
    who opted out.
    """
    step = -(-contacts // MAX_RECIPIENTS) or 1
    found: list[tuple[datetime, PastRecipient]] = []
    for chunk in chunks_of(contacts):
        ids = run.ids("cnt", "contacts", chunk)[::step]
        rows = await db.fetch(READ, *run.owner, ids)
        found += [
            (row["created_at"], PastRecipient(row["phone"], row["name"] or SOMEBODY, row["id"]))
            for row in rows
        ]
    return PastRecipients(run, found)


READ = """
SELECT id, phone, split_part(name, ' ', 1) AS name, created_at FROM contacts
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3) AND opt_in_status <> 'denied'
ORDER BY created_at, id
"""
