"""Numbers, read field by field."""

from collections.abc import Sequence
from typing import Any

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.masks import mask_phone
from core.numbers.conditions import narrow_numbers
from core.read_models.query_compiler import Arguments, Entity, Field, column, time, wire_time_of


def _meta(meta: dict[str, Any]) -> dict[str, Any]:
    removed = meta["partnerRemovedAt"]
    return {**meta, "partnerRemovedAt": removed and wire_time_of(removed)}


FIELDS = {
    "id": column("id"),
    "organizationId": column("organization_id"),
    "phoneNumberId": column("phone_number_id"),
    "wabaId": column("waba_id"),
    "displayPhone": Field("{t}.phone", masked=mask_phone),
    "status": column("status"),
    "qualityRating": column("quality_rating"),
    "messagingTier": column("messaging_tier"),
    "rateLimit": Field(
        "json_build_object('perSecond', {t}.rate_per_second, 'perDay', {t}.rate_per_day)"
    ),
    "meta": Field(
        "json_build_object('verifiedName', {t}.verified_name, 'byo', {t}.byo, 'nameStatus', "
        "{t}.name_status, "
        "'partnerRemovedAt', {t}.partner_removed_at, 'partnerRemovedReason', "
        "{t}.partner_removed_reason)",
        make=_meta,
    ),
    "profile": column("profile"),
    "lastMetaSyncAt": time("last_meta_sync_at"),
    "createdAt": time("created_at"),
    "updatedAt": time("updated_at"),
}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_numbers(where, status=filter.get("status"), quality_rating=filter.get("qualityRating"))
    return ()


NUMBER = Entity(
    name="Number",
    table="numbers",
    alias="n",
    scope=Scope.NUMBERS_READ,
    prefix="num",
    fields=FIELDS,
    narrow=_narrow,
)
