"""The setting of an organization: whether a mobile with and without its ninth digit is one phone."""

from core.foundation.database import db
from core.foundation.ids import is_id
from core.organizations.errors import NoSuchOrganization
from core.organizations.models import Organization


async def unifies_ninth_digit(organization_id: str) -> bool:
    """Whether it is one phone; so it is for organizations that are not known."""
    unified = await db.fetchval(
        "SELECT unifies_ninth_digit FROM organizations WHERE id = $1", organization_id
    )
    return unified is not False


async def set_ninth_digit(organization_id: str, unified: bool) -> None:
    """Switch the setting; in the transaction that files the contacts anew. Raises
    NoSuchOrganization.
    """
    own = Organization.filter(id=organization_id)
    known = is_id("org", organization_id) and await own.update(unifies_ninth_digit=unified)
    if not known:
        raise NoSuchOrganization
