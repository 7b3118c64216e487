"""Messages of every channel, read field by field."""

import asyncio
from collections.abc import Collection, Mapping, Sequence

import orjson

from core import media
from core.channels import BY_NAME, FAILURE_REASONS
from core.foundation.channels import BY_EMAIL, in_sql, those
from core.foundation.database.where import Where, end_of
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.records import names_of
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.masks import MaskedValue, mask_address, mask_payload
from core.foundation.validation.phones import NotAPhone, parse_phone
from core.messaging import CONVERSATIONS, Direction, MessageOrigin, hours
from core.messaging.record import origin_of
from core.read_models.contacts import narrow_period
from core.read_models.query_compiler import (
    NEWEST,
    Arguments,
    Entity,
    Field,
    Order,
    SelectedRelation,
    column,
    time,
)
from core.sms.record import ProviderReceipt, masked_receipt

SCOPES = {name: channel.read for name, channel in BY_NAME.items()}
"""Who may read the messages of a channel."""

TYPES = {name: names_of(channel.record.shape).graphql for name, channel in BY_NAME.items()}
"""The channel's own type in the schema."""


def readable_channels(caller: Caller, among: Collection[str] = SCOPES) -> list[str]:
    """Those of the channels whose messages the caller may read. Raises Forbidden when there is
    none.
    """
    asked = {channel: scope for channel, scope in SCOPES.items() if channel in among}
    channels = [channel.value for channel, scope in asked.items() if caller.may(scope)]
    if asked and not channels:
        raise caller.refusal_without(next(iter(asked.values())))
    return channels


def _visible(where: Where, caller: Caller) -> None:
    channels = readable_channels(caller)
    if len(channels) == 1:  # with one value the index keeps the order of time
        where.narrow("channel = {}", channels[0])
    else:
        where.narrow("channel = ANY ({}::text[])", channels)


OWN_ORDER = ("contactId", "companyId", "campaignId", "numberId", "batchId", "templateId", "to")
"""What is filtered by has few messages, is of one channel, or has an index of its own in the order
of time.
"""

OF_CONVERSATIONS = ("numberId", "batchId", "templateId")
"""What no message of another channel has."""


def _branches(caller: Caller, filter: Arguments) -> list[str]:
    """The index of the newest messages is in the order of time for one channel, not for several."""
    if any(filter.get(name) is not None for name in OWN_ORDER):
        return []
    wanted, statuses = filter.get("channel"), filter.get("status")
    if wanted is None and filter.get("direction") == Direction.INBOUND:
        return []  # what came in has an index in the order of time, over all channels
    return [
        f"channel = '{name}'"
        + (f" AND {hours.where_there_are(name, statuses)}" if statuses else "")
        for name in readable_channels(caller)
        if wanted is None or name in wanted
    ]


def _receipt(values: tuple[object, str]) -> object:
    return values[0]


def _masked_receipt(
    values: tuple[ProviderReceipt | None, str],
) -> ProviderReceipt | None:
    receipt, address = values
    return None if receipt is None else masked_receipt(receipt, mask_address(address))


def _sender(values: tuple[str | None, str | None]) -> str | None:
    wrote, sender = values
    return sender if wrote is None else wrote


def _masked_sender(values: tuple[str | None, str | None]) -> str | None:
    """Who wrote is a person; the sender of an e-mail is the organization itself."""
    wrote, sender = values
    return sender if wrote is None else mask_address(wrote)


def _hidden(value: object) -> None:
    """The platform's id of a message holds the phone."""


def _origin(values: tuple[str | None, str | None]) -> MessageOrigin:
    return origin_of(*values)


def _media(copy: dict[str, object]) -> dict[str, object]:
    return {name: copy[name] for name in ("mimeType", "size", "storedAt")}


FAILURE_OF = {reason: reason for reason in FAILURE_REASONS}.get
"""A reason, as one of the closed set; rows of the past may have others, which are none."""

FILE_OF = "CASE WHEN {p}.media IS NOT NULL THEN json_build_array({p}.id, {p}.media, {p}.content)::text END"
"""What the address of a message's file is made of."""


async def media_urls_of(
    caller: Caller, files: Sequence[str | None], selected: SelectedRelation
) -> Mapping[str, str]:
    """Addresses that open our copies of files for 90 minutes, without a credential."""
    told = [file for file in files if file is not None]

    async def url(file: str) -> str:
        id, copy, content = orjson.loads(file)
        declared, name = media.told_of_file(content)
        return await media.address_of_copy(
            id, copy, declared_type=declared, filename=name or copy.get("filename")
        )

    return dict(zip(told, await asyncio.gather(*map(url, told)), strict=True))


SENDER = (
    "json_build_array(CASE WHEN {t}.direction = 'inbound' THEN {t}.recipient "
    "END, {t}.sender_address)"
)
ORIGIN = (
    "CASE WHEN {t}.direction = 'outbound' THEN json_build_array({t}.smpp_account_id, "
    "{t}.journey_run) END"
)
RECEIPT = "json_build_array({t}.provider_receipt, {t}.recipient)"

IN_CONVERSATION = f"channel IN {in_sql(CONVERSATIONS)}"

MARKED = tuple(name for name, channel in BY_NAME.items() if channel.marks_by_reason)

# Of these it is also a mark while nothing has failed.
REASON = f"CASE WHEN {{t}}.channel NOT IN {in_sql(MARKED)} OR {{t}}.status = 'failed' THEN {{t}}.reason END"

FIELDS = {
    "__typename": Field("{t}.channel", make=TYPES.__getitem__),
    "id": column("id"),
    "channel": column("channel"),
    "direction": column("direction"),
    "env": column("env"),
    # Of a conversation it is the person, whoever wrote.
    "to": Field(
        f"CASE WHEN {{t}}.direction = 'outbound' OR {{t}}.{IN_CONVERSATION} THEN {{t}}.recipient "
        f"END",
        masked=mask_address,
    ),
    "from": Field(SENDER, make=_sender, masked=_masked_sender),
    "status": column("status"),
    "reason": Field(REASON),
    "failure": Field(REASON, make=FAILURE_OF),
    "contactId": column("contact_id"),
    "campaignId": column("campaign_id"),
    "metadata": column("metadata"),
    "createdAt": time("created_at"),
    "sentAt": time("sent_at"),
    "deliveredAt": time("delivered_at"),
    "readAt": time("read_at"),
    "failedAt": time("failed_at"),
    # Of SMS and their replies
    "provider": column("provider"),
    "providerReceipt": Field(RECEIPT, make=_receipt, masked=_masked_receipt),
    "route": column("route"),
    "encoding": column("encoding"),
    "length": column("length"),
    "segments": column("segments"),
    "inReplyTo": column("in_reply_to"),
    "quoteId": column("quote_id"),
    "origem": Field(ORIGIN, make=_origin),
    # Of RCS
    "content": Field("coalesce({t}.content, '{{}}'::jsonb)"),
    "deliveredVia": column("path"),
    "failureReason": Field(REASON),
    # Of e-mail
    "organizationId": column("organization_id"),
    "subject": column("subject"),
    "bodyBytes": column("body_bytes"),
    "updatedAt": time("updated_at"),
    "body": Field(
        f"CASE WHEN {{t}}.direction = 'inbound' OR {{t}}.{IN_CONVERSATION} THEN {{t}}.content -> "
        f"'text' END"
    ),
    # Of conversations
    "numberId": column("number_id"),
    "instagramAccountId": column("instagram_account_id"),
    "templateId": column("template_id"),
    "batchId": column("batch_id"),
    "type": column("type"),
    "priority": Field("coalesce({t}.priority, 'normal')"),
    "force": Field("coalesce({t}.force, false)"),
    "reprocessed": column("reprocessed"),
    "replacedBy": column("replaced_by"),
    "replyTo": column("in_reply_to"),
    "payload": Field("coalesce({t}.content, '{{}}'::jsonb)", masked=mask_payload),
    "templateVars": column("template_vars"),
    "attempts": Field("coalesce({t}.attempts, 0)"),
    "lastError": column("last_error"),
    "originalError": column("original_error"),
    "upstreamCode": column("upstream_code"),
    "metaMessageId": Field("{t}.provider_reference", masked=_hidden),
    "origemDoLink": column("link_origin"),
    "mediaStorage": Field("{t}.media", make=_media),
    "sentByAccountId": column("sent_by_account_id"),
    "sentByName": Field(
        "(SELECT a.name FROM accounts a WHERE a.id = {t}.sent_by_account_id AND "
        "a.organization_id = $1)"
    ),
    "scheduledAt": time("scheduled_at"),
}

WITH_TEMPLATES = those(lambda facts: facts.has_templates)

PLAIN = (
    ("contactId", "contact_id = {}"),
    (
        "companyId",
        (
            "contact_id IN (SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND "
            "company_id = {})"
        ),
    ),
    ("campaignId", "campaign_id = {}"),
    ("direction", "direction = {}"),
    ("status", "status = ANY ({}::text[])"),
    ("channel", "channel = ANY ({}::text[])"),
    ("numberId", "number_id = {}"),
    ("batchId", "batch_id = {}"),
    ("templateId", f"template_id = {{}} AND channel IN {in_sql(WITH_TEMPLATES)}"),
)


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    if (asked := filter.get("channel")) is not None:
        readable_channels(caller, asked)  # not to be allowed to see is not the same as to have none
    if any(filter.get(name) is not None for name in OF_CONVERSATIONS):
        readable_channels(caller, CONVERSATIONS)
    if filter.get("companyId") is not None:  # the messages alone do not say where somebody works
        caller.require(Scope.CONTACTS_READ)
    for name, condition in PLAIN:
        if (value := filter.get(name)) is not None:
            where.narrow(condition, value)
    if (to := filter.get("to")) is not None:
        _narrow_to(where, to)
    if text := (filter.get("q") or "").strip():
        _narrow_to_text(where, text, filter)
    narrow_period(where, "created_at", filter.get("createdAt"))
    return ()


def _narrow_to(where: Where, address: str) -> None:
    """An e-mail address in any case, a phone in any form."""
    if "@" in address:
        condition = f"channel IN {in_sql(BY_EMAIL)} AND lower(recipient) = lower({{}})"
        where.narrow(condition, address)
    else:
        condition = (
            f"(direction = 'outbound' OR {IN_CONVERSATION}) AND recipient = ANY ({{}}::text[])"
        )
        where.narrow(condition, _as_stored(address))


def _narrow_to_text(where: Where, text: str, filter: Arguments) -> None:
    """Whose text holds it. No index knows texts: it is looked for among the messages of a contact."""
    if filter.get("contactId") is None:
        message = "Send contactId too: a text is looked for among the messages of a contact"
        raise ValidationFailed(errors=[FieldError("pointer", "/filter/q", "required", message)])
    where.narrow(f"strpos(svc_fold({TEXT}), svc_fold({{}})) > 0", text)


TEXT = (
    "coalesce(content ->> 'text', content ->> 'body', content #>> '{{media,caption}}', subject, '')"
)


def _as_stored(address: str) -> list[str]:
    """As messages may hold it: a phone written in any form as they do, and the text itself, which
    may be no phone.
    """
    try:
        return list({parse_phone(address), address})
    except (NotAPhone, MaskedValue):
        return [address]


def _count(where: Where, caller: Caller, filter: Arguments) -> str | None:
    """From the counts that are kept, unless something is asked that they do not know."""
    asked = {name for name, value in filter.items() if value is not None}
    if asked <= {"channel", "status", "direction"}:
        return f"(SELECT coalesce(sum(delta), 0)::bigint FROM message_counts WHERE {where})"
    if not asked <= OF_HOURS:
        return None
    period = filter.get("createdAt") or {}
    closed = Where(
        where.values,
        [condition for condition in where.conditions if not condition.startswith("created_at")],
    )
    return hours.count_between(
        where, closed, readable_channels(caller), period.get("from"), end_of(period.get("to"))
    )


OF_HOURS = {"channel", "status", "direction", "numberId", "createdAt"}
"""What hours are known apart by; a campaign is counted as fast by its index."""

MESSAGE = Entity(
    name="Message",
    table="messages",
    alias="m",
    scope=Scope.SMS_READ,
    prefix="msg",
    fields=FIELDS,
    orders={
        "": NEWEST,
        "-createdAt": Order("-createdAt", NEWEST.keys, descending=True),
        "createdAt": Order("createdAt", NEWEST.keys),
    },
    narrow=_narrow,
    visible=_visible,
    count=_count,
    branches=_branches,
)
