"""Webhook payloads of the platform, split into changes that are stored one by one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from core.foundation.errors import BadRequest
from core.foundation.json_values import JsonObject, object_of, objects_of
from core.providers.meta.untrusted_json import TooDeep, id_of, storable_object, storable_text

INSTAGRAM = "instagram"
"""The field under which an event of an Instagram conversation is kept; the platform names none."""

FIELDS = frozenset(
    {
        "messages",
        INSTAGRAM,
        "account_update",
        "phone_number_quality_update",
        "phone_number_name_update",
        "business_capability_update",
        "message_template_status_update",
        "flows",
    }
)
"""Those that have a meaning here. The platform adds fields as it likes, and wants each
acknowledged.
"""

_MAX_FIELD_LENGTH = 60


class UnreadableNotice(BadRequest):
    default_detail = (
        "The body is no notice of the platform: send the JSON object that it posts, "
        "with object and entry."
    )


@dataclass(frozen=True, slots=True)
class PlatformChange:
    """One change of a notice, all of it JSON that the database takes.

    `field`: one of FIELDS, or what the platform called it. `platform_id`: the platform's id of the number
    or Instagram account, where it tells. `account`: that of the business account. `value`: as it
    came; for `instagram` it is one event. `value["_time"]` is the platform's time of the whole
    notice, in seconds, where it tells.
    """

    field: str
    platform_id: str | None
    account: str | None
    value: dict[str, Any]


def split(body: bytes) -> list[PlatformChange]:
    """The changes in a notice, in its order; parts of it that have no such form are passed over.

    Raises UnreadableNotice when the body is no JSON object with a list `entry`, or is nested beyond
    MAX_DEPTH.
    """
    try:
        notice = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise UnreadableNotice from None
    if not isinstance(notice, dict) or not isinstance(notice.get("entry"), list):
        raise UnreadableNotice
    of_instagram = notice.get("object") == "instagram"
    found: list[PlatformChange] = []
    for entry in objects_of(notice, "entry"):
        found += _of_instagram(entry) if of_instagram else _of_account(entry)
    return found


def _of_account(entry: JsonObject) -> Iterator[PlatformChange]:
    for field, value in _changes(entry):
        # An account's own changes may come under the id of another party to it; the account then
        # stands inside.
        account = id_of(object_of(value, "waba_info"), "waba_id") or id_of(entry, "id")
        yield _change(
            field, id_of(object_of(value, "metadata"), "phone_number_id"), account, value, entry
        )


def _of_instagram(entry: JsonObject) -> Iterator[PlatformChange]:
    platform_id = id_of(entry, "id")
    # Under `changes` stand the events that are sent to try an address, in the same form.
    for event in [*objects_of(entry, "messaging"), *(value for _, value in _changes(entry))]:
        yield _change(INSTAGRAM, platform_id, None, event, entry)


def _changes(entry: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    for change in objects_of(entry, "changes"):
        field, value = change.get("field"), change.get("value")
        if isinstance(field, str) and isinstance(value, dict):
            yield field, value


def _change(
    field: str,
    platform_id: str | None,
    account: str | None,
    value: JsonObject,
    entry: JsonObject,
) -> PlatformChange:
    try:
        stored = storable_object(value)
    except TooDeep:
        raise UnreadableNotice from None
    if type(time := entry.get("time")) is int:
        stored["_time"] = time
    return PlatformChange(storable_text(field)[:_MAX_FIELD_LENGTH], platform_id, account, stored)
