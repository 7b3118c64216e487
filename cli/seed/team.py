"""Who works for the organization: deals and companies are somebody's."""

from dataclasses import dataclass
from random import Random

from cli.seed.errors import NobodyWorksHere
from core.foundation.database import db


@dataclass(frozen=True, slots=True)
class Member:
    """An active account."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Team:
    """The active accounts, the oldest first."""

    members: tuple[Member, ...]

    @property
    def first(self) -> Member:
        """Who made what nobody in particular made."""
        return self.members[0]

    def pick(self, random: Random) -> Member:
        """One of them; the first ones have more to do."""
        return self.members[int(random.random() ** 1.5 * len(self.members))]


async def read_team(organization_id: str) -> Team:
    """The people of the organization. Raises NobodyWorksHere."""
    rows = await db.fetch(
        "SELECT id, name FROM accounts WHERE organization_id = $1 AND status = 'active' ORDER BY "
        "created_at, id",
        organization_id,
    )
    if not rows:
        raise NobodyWorksHere
    return Team(tuple(Member(row["id"], row["name"]) for row in rows))
