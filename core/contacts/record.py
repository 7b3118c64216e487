"""A contact as the interface spells it, from a row of the contacts table."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database.db import Row
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.foundation.validation.phones import mask_phone

COLUMNS = """id, organization_id, env, phone, name, email, avatar_url, whatsapp_profile_name, cpf_cipher, cnpj_cipher,
    birth_date_cipher, attributes, debtor_groups, tags, opt_in_status, opt_in_source, opt_in_at, opt_in_ip,
    opt_in_user_agent, opt_in_revoked_at, opt_in_revoked_reason, source, external_id, external_ids, company_id,
    company_role, last_interaction_at, created_at, updated_at"""
"""What a record is made of."""

OPTIONAL = (
    ("name", "name"),
    ("email", "email"),
    ("avatarUrl", "avatar_url"),
    ("whatsappProfileName", "whatsapp_profile_name"),
    ("cpfCipher", "cpf_cipher"),
    ("cnpjCipher", "cnpj_cipher"),
    ("birthDateCipher", "birth_date_cipher"),
    ("externalId", "external_id"),
    ("externalIds", "external_ids"),
    ("companyId", "company_id"),
    ("papelNaEmpresa", "company_role"),
)
OPT_IN = (
    ("source", "opt_in_source"),
    ("ip", "opt_in_ip"),
    ("userAgent", "opt_in_user_agent"),
    ("revokedReason", "opt_in_revoked_reason"),
)


def contact_record(row: Row, *, unmasked: bool) -> dict[str, Any]:
    """The record of reads and writes. Fields without a value are absent; phones are masked unless
    told otherwise.
    """
    phone: str = row["phone"]
    record: dict[str, Any] = {
        "id": row["id"],
        "organizationId": row["organization_id"],
        "phone": phone if unmasked else mask_phone(phone),
        "phoneHash": phone_hash(row["organization_id"], phone, unmasked=unmasked),
        "attributes": row["attributes"],
        "tags": row["tags"],
        "optIn": _opt_in(row),
        "source": row["source"],
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
    }
    for name, column in OPTIONAL:
        if (value := row[column]) is not None:
            record[name] = value
    if (at := row["last_interaction_at"]) is not None:
        record["lastInteractionAt"] = wire_time(at)
    if (groups := row["debtor_groups"]) is not None:
        record["debtorGroups"] = groups if unmasked else masked_groups(groups)
    return record


def _opt_in(row: Row) -> dict[str, Any]:
    opt_in = {"status": row["opt_in_status"]}
    for name, column in OPT_IN:
        if (value := row[column]) is not None:
            opt_in[name] = value
    if (at := row["opt_in_at"]) is not None:
        opt_in["at"] = wire_time(at)
    if (at := row["opt_in_revoked_at"]) is not None:
        opt_in["revokedAt"] = wire_time(at)
    return opt_in


def phone_hash(organization_id: str, phone: str, *, unmasked: bool) -> str:
    """The interface's hash, by which whoever knows the organization can try the five digits that a
    mask hides; or, where SVC_PHONE_HASH says so, one that needs our key, for those who may not see
    phones. 64 hexadecimal digits.
    """
    text = f"{organization_id}:{phone}"
    settings = current()
    if unmasked or settings.phone_hash == "interface":
        return sha256(text.encode()).hexdigest()
    return keyed_hash(settings.hash_key.encode(), text).hex()


def masked_groups(groups: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The debtors' groups of a contact with every phone masked."""
    return [
        {**group, "phones": [mask_phone(phone) for phone in group["phones"]]} for group in groups
    ]
