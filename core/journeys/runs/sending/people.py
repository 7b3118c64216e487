"""Whom a batch is for: addresses and zones of its contacts, read once."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID
from zoneinfo import ZoneInfo

from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.foundation.validation.time_zones import is_zone
from core.journeys.runs.zones import ZONE_ATTRIBUTE, zone_of
from core.messaging.by_journey import JourneyRecipient


@dataclass(slots=True)  # frozen, it would take four times as long to make
class JourneyContact:
    """A contact, as far as a message is concerned with it. `zone_named`: its attribute `fuso`."""

    id: str
    phone: str
    email: str | None
    identity: bytes
    zone_named: str | None

    @property
    def zone(self) -> tuple[ZoneInfo, bool]:
        """The zone that it lives by, and whether it told that itself."""
        named = self.zone_named
        zone = zone_of({ZONE_ATTRIBUTE: named}, self.phone)
        return zone, named is not None and is_zone(named)

    def recipient(self, run: UUID, step: int, key: str) -> JourneyRecipient:
        """As whom a channel takes its message, of a run on a step."""
        return JourneyRecipient(self.id, self.phone, self.email, self.identity, run, step, key)


async def find_people(caller: Caller, ids: Collection[str]) -> dict[str, JourneyContact]:
    """The contacts that are still there, by id."""
    rows = await db.fetch(PEOPLE, caller.organization_id, caller.env, list(ids), ZONE_ATTRIBUTE)
    return {row["id"]: JourneyContact(*row.values()) for row in rows}


PEOPLE = """
SELECT id, phone, email, identity, attributes ->> $4 AS zone FROM contacts
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3)
"""
