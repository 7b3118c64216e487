"""The sources of a timeline, each on the index that finds its rows by contact."""

from urllib.parse import urlsplit

from core.cards import HistoryKind
from core.foundation.security.caller import Scope
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.read_models import messages
from core.read_models.query_compiler import Field, column, number, time
from core.read_models.timeline.source import EntrySource, Kind
from core.short_links.destination import destination_of
from core.short_links.queries import READ_SCOPES as LINK_SCOPES
from core.short_links.shorten import short_url

ALL = "true"


def consent_id(number: str) -> str:
    """An id of its own for what has only a running number, which would tell how many there are in
    all.
    """
    return f"cns_{keyed_hash(current().hash_key.encode(), f'consent:{number}').hex()[:21]}"


MESSAGES = EntrySource(
    kind=Kind.MESSAGE,
    type="MessageEntry",
    scopes=tuple((scope, f"t.channel = '{channel}'") for channel, scope in messages.SCOPES.items()),
    rows="SELECT t.* FROM messages t WHERE t.organization_id = $1 AND t.env = $2 AND "
         "t.contact_id = c.id",
    at="t.created_at",
    key="t.id",
    fields={
        "id": column("id"),
        **{
            name: messages.FIELDS[name]
            for name in (
                "channel", "direction", "status", "reason", "to", "from", "body", "subject", "type", "numberId",
                "templateId", "inReplyTo", "campaignId", "sentAt", "deliveredAt", "readAt", "failedAt",
            )
        },
    },
)  # fmt: skip


def _short_url(code: str) -> str:
    return short_url(current().base_url, code)


def _host(url: str) -> str | None:
    return urlsplit(destination_of(url)).hostname


# A link is an entry from the first time that a person followed it; later clicks are counted on it
# and move nothing.
CLICKS = EntrySource(
    kind=Kind.CLICK,
    type="ClickEntry",
    scopes=tuple((scope, f"t.channel = '{channel}'") for channel, scope in LINK_SCOPES.items()),
    rows="""
        SELECT t.* FROM messages m
        JOIN short_links t ON t.message_id = m.id AND t.organization_id = $1 AND t.env = $2
        WHERE m.organization_id = $1 AND m.env = $2 AND m.contact_id = c.id AND t.first_clicked_at IS NOT NULL""",
    at="t.first_clicked_at",
    key="t.code",
    fields={
        "id": column("code"),
        "channel": column("channel"),
        "messageId": column("message_id"),
        "shortUrl": Field("{t}.code", make=_short_url),
        "url": column("url"),
        "host": Field("{t}.url", make=_host),
        "clicks": column("clicks"),
        "botClicks": column("bot_clicks"),
        "lastClickedAt": time("last_clicked_at"),
    },
)

CUSTOMER_EVENTS = EntrySource(
    kind=Kind.CUSTOMER_EVENT,
    type="CustomerEventEntry",
    scopes=((Scope.CONTACTS_READ, ALL),),
    rows="SELECT t.* FROM customer_events t WHERE t.organization_id = $1 AND t.env = $2 AND "
    "t.contact_id = c.id",
    at="t.occurred_at",
    key="t.id",
    fields={
        "id": column("id"),
        "name": column("name"),
        "eventId": column("event_id"),
        "value": number("value"),
        "currency": column("currency"),
        "properties": column("properties"),
        "attribution": column("attribution"),
    },
)

MOVES = tuple(kind for kind in HistoryKind if kind is not HistoryKind.FIELD)
"""What is told of a card: where it came and how it ended. Fields that changed are not."""


def _stage(which: str) -> Field:
    id, name = f"{{t}}.{which}_stage_id", f"{{t}}.{which}_name"
    return Field(
        f"CASE WHEN {id} IS NOT NULL THEN json_build_object('etapaId', {id}, 'nome', {name}) END"
    )


# Of cards that the contact is on, as the principal person or besides. Two branches, one per index.
STAGE_MOVES = EntrySource(
    kind=Kind.STAGE_MOVE,
    type="StageMoveEntry",
    scopes=((Scope.CRM_READ, ALL),),
    rows="""
        SELECT t.*, k.title FROM (
            SELECT d.id, d.title FROM cards d WHERE d.organization_id = $1 AND d.env = $2 AND d.contact_id = c.id
            UNION
            SELECT d.id, d.title FROM card_contacts p JOIN cards d ON d.id = p.card_id
            WHERE p.contact_id = c.id AND p.organization_id = $1 AND p.env = $2
              AND d.organization_id = $1 AND d.env = $2
        ) k JOIN card_history t ON t.card_id = k.id AND t.organization_id = $1 AND t.env = $2
        WHERE t.kind <> 'campo'""",
    at="t.at",
    key="t.id",
    fields={
        "id": column("id"),
        "tipo": column("kind"),
        "cardId": column("card_id"),
        "titulo": column("title"),
        "pipelineId": column("pipeline_id"),
        "de": _stage("from"),
        "para": _stage("to"),
        "motivoPerdaId": column("lost_reason_id"),
        "porId": column("by_id"),
        "porNome": column("by_name"),
    },
)

CONSENTS = EntrySource(
    kind=Kind.CONSENT,
    type="ConsentEntry",
    scopes=((Scope.CONTACTS_READ, ALL),),
    rows="SELECT t.* FROM contact_consents t WHERE t.organization_id = $1 AND t.env = $2 AND "
    "t.contact_id = c.id",
    at="t.at",
    key="lpad(t.id::text, 19, '0')",  # as text, in the order of the numbers
    fields={
        "id": Field("{t}.id::text", make=consent_id),
        "canal": column("channel"),
        "optInStatus": column("status"),
        "source": column("source"),
        "reason": column("reason"),
    },
)

# A device that was left out in the end got nothing to tell of.
PUSHES = EntrySource(
    kind=Kind.PUSH,
    type="PushEntry",
    scopes=((Scope.PUSH_READ, ALL),),
    rows="""
        SELECT t.* FROM (
            SELECT y.*, y.dispatch_id || ':' || y.device_id AS entry, p.title, p.created_at FROM push_devices d
            JOIN push_deliveries y ON y.device_id = d.id AND y.organization_id = $1 AND y.env = $2
            JOIN push_dispatches p ON p.id = y.dispatch_id AND p.organization_id = $1 AND p.env = $2
            WHERE d.organization_id = $1 AND d.env = $2 AND d.contact_id = c.id
        ) t WHERE t.status <> 'dropped'""",
    at="t.created_at",
    key="t.entry",
    fields={
        "id": column("entry"),
        "pushMessageId": column("dispatch_id"),
        "deviceId": column("device_id"),
        "platform": column("platform"),
        "deliveryStatus": column("status"),
        "titulo": column("title"),
        "openedAt": time("opened_at"),
    },
)

SOURCES = (MESSAGES, PUSHES, CLICKS, CUSTOMER_EVENTS, STAGE_MOVES, CONSENTS)
