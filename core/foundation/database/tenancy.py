"""The root of every tenant's rows: reads start at `visible_to`, writes at `owned_by`."""

import re
from typing import Self, TypedDict

from tortoise import fields
from tortoise.models import Model
from tortoise.queryset import QuerySet

from core.foundation.absent import existing
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Env


class OwnedModel(Model):
    """A row of one organization in one environment."""

    organization_id = fields.CharField(max_length=30)
    # Tortoise types it as any text.
    env: fields.Field[Env] = fields.CharField(max_length=4)  # type: ignore[assignment]

    class Meta:
        abstract = True

    @classmethod
    def visible_to(cls, caller: Caller) -> QuerySet[Self]:
        """The rows of the caller's organization and environment, and no other."""
        return cls.filter(organization_id=caller.organization_id, env=caller.env)

    @classmethod
    async def own_or_none(
        cls, caller: Caller, prefix: str, id: str, *, lock: bool = False
    ) -> Self | None:
        """The caller's row of this id, or None: at once where no id of the kind looks so."""
        if not is_id(prefix, id):
            return None
        rows = cls.visible_to(caller)
        return await (rows.select_for_update() if lock else rows).get_or_none(id=id)

    @classmethod
    async def own(cls, caller: Caller, prefix: str, id: str, *, lock: bool = False) -> Self:
        """The caller's row of this id. Raises NotFound."""
        return existing(await cls.own_or_none(caller, prefix, id, lock=lock))


class Owned(TypedDict):
    """The two columns by which a row is somebody's."""

    organization_id: str
    env: Env


def owned_by(caller: Caller) -> Owned:
    """The two columns that make a new row the caller's."""
    return {"organization_id": caller.organization_id, "env": caller.env}


def column_types(model: type[Model]) -> dict[str, str]:
    """The columns of a model with their types, as a recordset of PostgreSQL names them."""
    told = model.describe(serializable=False)
    types = {}
    for field in (told["pk_field"], *told["data_fields"]):
        declared = field["db_field_types"].get("postgres") or field["db_field_types"][""]
        types[field["db_column"]] = re.sub(r"^VARCHAR\(\d+\)$", "TEXT", declared).lower()
    return types
