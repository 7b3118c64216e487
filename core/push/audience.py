"""The audience of a notification, as SQL conditions over devices and their contacts."""

from collections.abc import Sequence
from typing import Any

from core import segments
from core.foundation.database import db
from core.foundation.database.rows import pairs_of
from core.foundation.database.where import Where
from core.foundation.errors import ServiceError
from core.foundation.ids import is_id, well_formed_id
from core.foundation.security.caller import Caller
from core.messaging.channel_package import Narrow
from core.messaging.opt_out import EVERY_CHANNEL, opted_out
from core.push.errors import NoSuchSegment
from core.push.inputs import ALL_OPT_IN
from core.push.register_device import token_hash

FROM = """
push_devices d
LEFT JOIN contacts c ON c.id = d.contact_id AND c.organization_id = d.organization_id AND c.env = d.env
"""

LED_TO = """k.organization_id = d.organization_id AND k.env = d.env AND k.external_id = d.external_id
    AND d.contact_id IS NULL"""
"""The contact `k` that a device leads to by its external id, until it is linked."""

# A wish not to be written to holds by push and by any channel; it is kept by the phone: of the contact that the
# device is linked to, of the one that it leads to, and of its user, who may be no contact. One condition for each,
# since PostgreSQL looks a set up for each at once; in an OR it would look for every device.
REACHABLE = f"""
d.organization_id = $1 AND d.env = $2 AND d.opted_in AND d.deactivated_at IS NULL
AND NOT {opted_out("d", "'push'", "c.identity")}
AND NOT {opted_out("d", "'push'", "d.user_identity")}
AND NOT EXISTS (SELECT FROM contacts k WHERE {LED_TO} AND {opted_out("k", "'push'", "k.identity")})
"""

WHOSE = f"""
    SELECT d.user_identity
    UNION ALL
    SELECT k.identity FROM contacts k WHERE k.organization_id = d.organization_id AND k.id = d.contact_id
    UNION ALL
    SELECT k.identity FROM contacts k WHERE {LED_TO}"""
"""The hashes under which a wish of whose device `d` is may be kept."""

DENIED_TO = opted_out("d", "'push'", WHOSE)
"""The same question about few devices."""

# The fewer of both: there are less denials than devices.
FROM_DENIALS = f"""
contact_denials n
CROSS JOIN LATERAL (
    SELECT d.id, k.id AS contact_id FROM contacts k JOIN push_devices d
      ON d.organization_id = k.organization_id AND d.env = k.env AND d.contact_id = k.id
    WHERE k.organization_id = n.organization_id AND k.env = n.env AND k.identity = n.identity
    UNION
    SELECT d.id, k.id FROM contacts k JOIN push_devices d ON {LED_TO}
    WHERE k.organization_id = n.organization_id AND k.env = n.env AND k.identity = n.identity
    UNION
    SELECT d.id, d.contact_id FROM push_devices d
    WHERE d.organization_id = n.organization_id AND d.env = n.env AND d.user_identity = n.identity
) AS theirs
JOIN push_devices d ON d.id = theirs.id AND d.organization_id = n.organization_id
LEFT JOIN contacts c ON c.id = d.contact_id AND c.organization_id = d.organization_id AND c.env = d.env
"""
DENIED = f"""
n.organization_id = $1 AND n.env = $2 AND n.channel IN ('push', '{EVERY_CHANNEL}')
AND d.opted_in AND d.deactivated_at IS NULL
"""


async def segment_narrow(caller: Caller, segment: str | None) -> Narrow:
    """Everybody, or whoever is in the segment now. Raises NoSuchSegment, and what the segment
    itself refuses.
    """
    if segment is None or segment == ALL_OPT_IN:
        return _everybody
    id = well_formed_id("seg", segment, NoSuchSegment)
    found = (await segments.conditions_of(caller, [id])).get(id)
    if found is None:
        raise NoSuchSegment
    if isinstance(found, ServiceError):
        raise found
    condition = found
    return lambda where: where.narrow_by(condition)


def _everybody(where: Where) -> None:
    """No condition more."""


def tokens_narrow(token_ids: Sequence[str]) -> Narrow:
    """Devices by their ids or their tokens."""
    ids = [text for text in token_ids if is_id("dev", text)]
    hashes = [token_hash(text) for text in token_ids if not is_id("dev", text)]
    return lambda where: where.narrow(
        "(d.id = ANY ({}::text[]) OR d.token_hash = ANY ({}::bytea[]))", ids, hashes
    )


def reachable(caller: Caller, narrow: Narrow, *, platforms: Sequence[str] | None = None) -> Where:
    """The conditions of everybody in an audience who may be reached now."""
    where = Where([caller.organization_id, caller.env], [REACHABLE])
    if platforms is not None:
        where.narrow("d.platform = ANY ({}::text[])", list(platforms))
    narrow(where)
    return where


async def opted_out_of(
    caller: Caller, narrow: Narrow, *, platforms: Sequence[str], most: int
) -> list[tuple[str | None, bytes]]:
    """Some of those in an audience who would be reached if they had not asked not to be written to:
    the ids of their contacts, where there is one, and their hashes.
    """
    where = Where([caller.organization_id, caller.env], [DENIED])
    where.narrow("d.platform = ANY ({}::text[])", list(platforms))
    narrow(where)
    rows = await db.fetch(
        f"SELECT DISTINCT theirs.contact_id, n.identity FROM {FROM_DENIALS} WHERE {where} LIMIT {most}",
        *where.values,
    )
    return [(row["contact_id"], row["identity"]) for row in rows]


async def count_by_platform(where: Where) -> dict[str, int]:
    """How many devices, by platform."""
    rows: list[Any] = await db.fetch(
        f"SELECT d.platform, count(*) AS n FROM {FROM} WHERE {where} GROUP BY 1", *where.values
    )
    return pairs_of(rows, "platform", "n")
