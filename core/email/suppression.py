"""The suppression check: addresses that bounced or complained, and opt-outs from marketing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from core import contacts
from core.foundation.database import db
from core.foundation.database.rows import HasColumns
from core.messaging.opt_out import opted_out

SUPPRESSED = "suppressed"


@dataclass(slots=True)
class Addressee:
    """Whom a message is for, with the hash that stands for the address."""

    message_id: str
    organization_id: str
    env: str
    address: str
    contact_id: str | None
    marketing: bool
    identity: bytes

    @classmethod
    def of(
        cls,
        message_id: str,
        organization_id: str,
        env: str,
        address: str,
        *,
        contact_id: str | None,
        marketing: bool,
    ) -> "Addressee":
        """With the hash of the address."""
        identity = contacts.identity_of_email(organization_id, address)
        return cls(message_id, organization_id, env, address, contact_id, marketing, identity)


@dataclass(frozen=True, slots=True)
class SuppressionCheck:
    """Whether nothing may be sent there, and whether no marketing may."""

    suppressed: bool
    denied: bool


FREE = SuppressionCheck(suppressed=False, denied=False)


async def check_suppression(addressees: Sequence[Addressee]) -> dict[str, SuppressionCheck]:
    """How these recipients stand, by message. A denial, which is asked for of marketing alone,
    counts whether it was given for the address, for the contact that the message names or for one
    with that address, on this channel or on all.
    """
    rows = await db.fetch_planned(CHECK, *columns_of(addressees))
    return checks_of(addressees, rows)


def columns_of(addressees: Sequence[Addressee]) -> list[list[object]]:
    """The parameters of the question."""
    return db.columns(
        [
            (
                one.organization_id,
                one.env,
                one.identity,
                one.marketing,
                *((one.contact_id, one.address.lower()) if one.marketing else (None, None)),
            )
            for one in addressees
        ],
        CHECK_COLUMNS,
    )


def checks_of(
    addressees: Sequence[Addressee], rows: Iterable[HasColumns]
) -> dict[str, SuppressionCheck]:
    """What is answered: rows of those to whom something may not be sent."""
    found = {
        addressees[cast(int, row["place"]) - 1].message_id: SuppressionCheck(
            suppressed=bool(row["suppressed"]), denied=bool(row["denied"])
        )
        for row in rows
    }
    return {one.message_id: found.get(one.message_id, FREE) for one in addressees}


@dataclass(frozen=True, slots=True)
class NewSuppression:
    """An address that nothing is sent to from now on, and the message that told, if it is known."""

    organization_id: str
    env: str
    address: str
    reason: str
    message_id: str | None


async def suppress(suppressions: Sequence[NewSuppression], *, at: datetime) -> None:
    """Send nothing there any more; the first reason stays. What is left of an erased address is
    none.
    """
    rows = {
        (
            one.organization_id,
            one.env,
            contacts.identity_of_email(one.organization_id, one.address),
        ): one
        for one in suppressions
        if "@" in one.address
    }
    # In one order, so that two writers do not wait for each other in a circle.
    columns = [(*key, one.reason, one.message_id) for key, one in sorted(rows.items())]
    await db.execute_for(rows, SUPPRESS, *db.columns(columns, 5), at)


# Two branches for the contacts, one per index; an OR over both would scan.
RECIPIENT = """
    SELECT a.identity
    UNION ALL
    SELECT c.identity FROM contacts c
    WHERE c.organization_id = a.organization_id AND c.env = a.env AND c.id = a.contact_id
    UNION ALL
    SELECT c.identity FROM contacts c
    WHERE c.organization_id = a.organization_id AND c.env = a.env AND lower(c.email) = a.address"""

SUPPRESSED_SQL = """EXISTS (SELECT FROM email_suppressions s
                     WHERE s.organization_id = {row}.organization_id AND s.env = {row}.env AND s.identity = {identity})"""
"""Whether an address bounced for good or complained: of a row, and the hash of the address."""

CHECK_COLUMNS = 6

# Rows of those alone to whom something may not be sent. The denials are looked for where they count:
# CASE keeps them from being asked of all.
CHECK = f"""
SELECT place, suppressed, denied
FROM (SELECT a.place,
             {SUPPRESSED_SQL.format(row="a", identity="a.identity")} AS suppressed,
             CASE WHEN a.marketing THEN {opted_out("a", "'email'", RECIPIENT)} ELSE false END AS denied
      FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bool[], $5::text[], $6::text[]) WITH ORDINALITY
          AS a (organization_id, env, identity, marketing, contact_id, address, place)) AS checked
WHERE suppressed OR denied"""

SUPPRESS = """
INSERT INTO email_suppressions (organization_id, env, identity, reason, message_id, created_at)
SELECT s.*, $6 FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[]) AS s
ON CONFLICT (organization_id, env, identity) DO NOTHING
"""
