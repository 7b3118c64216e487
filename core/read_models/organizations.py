"""The organization that a credential works for, read field by field; of no other."""

from collections.abc import Mapping, Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.organizations import OrganizationSettings, get_organization_settings
from core.read_models.query_compiler import BatchLoaded, Entity, SelectedRelation, column


def _visible(where: Where, caller: Caller) -> None:
    """Every credential knows whom it works for."""


async def _settings(
    caller: Caller, ids: Sequence[str], selected: SelectedRelation
) -> Mapping[str, OrganizationSettings]:
    """What holds for everybody of it. Raises Forbidden."""
    return {caller.organization_id: await get_organization_settings(caller)}


ORGANIZATION = Entity(
    name="Organization",
    table="(SELECT id, id AS organization_id, $2::text AS env, name, created_at FROM organizations)",
    alias="o",
    scope=Scope.CRM_READ,
    prefix="org",
    fields={"id": column("id"), "nome": column("name")},
    visible=_visible,
    relations={"settings": BatchLoaded(_settings)},
)
