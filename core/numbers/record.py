"""The record of a number."""

from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database.db import Row
from core.foundation.security.masks import mask_phone

META = (("verifiedName", "verified_name"), ("byo", "byo"), ("nameStatus", "name_status"))


def number_record(row: Row, *, unmasked: bool) -> dict[str, Any]:
    """The record of a row, or of a model's `vars`; the access token never leaves.

    What the platform has not told is absent; the partner marks and the last check are null instead.
    """
    removed, synced = row["partner_removed_at"], row["last_meta_sync_at"]
    record: dict[str, Any] = {
        "id": row["id"],
        "organizationId": row["organization_id"],
        "phoneNumberId": row["phone_number_id"],
        "wabaId": row["waba_id"],
        "displayPhone": row["phone"] if unmasked else mask_phone(row["phone"]),
        "status": str(row["status"]),
        "qualityRating": str(row["quality_rating"]),
        "messagingTier": str(row["messaging_tier"]),
        "rateLimit": {"perSecond": row["rate_per_second"], "perDay": row["rate_per_day"]},
        "meta": {
            **{name: row[column] for name, column in META if row[column] is not None},
            "partnerRemovedAt": wire_time(removed) if removed else None,
            "partnerRemovedReason": row["partner_removed_reason"],
        },
        "lastMetaSyncAt": wire_time(synced) if synced else None,
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
    }
    if row["profile"]:
        record["profile"] = row["profile"]
    return record
