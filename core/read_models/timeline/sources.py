"""The sources of a timeline, each on the index that finds its rows by contact."""

from core.cards import HistoryKind
from core.foundation.run_id import run_id
from core.foundation.security.caller import Scope
from core.read_models import messages
from core.read_models.query_compiler import Field, column, fields_of
from core.read_models.timeline import record
from core.read_models.timeline.source import EntrySource, Kind
from core.short_links.queries import READ_SCOPES as LINK_SCOPES

ALL = "true"

OF_JOURNEY = """
CASE WHEN {t}.journey_run IS NOT NULL THEN (
    SELECT VALUE FROM journey_runs r JOIN journeys j ON j.id = r.version_id AND j.organization_id = r.organization_id
    WHERE r.organization_id = $1 AND r.env = $2 AND r.id = {t}.journey_run) END"""
"""What the run of a journey tells of the message that it sent."""

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
                "channel", "direction", "status", "reason", "failure", "to", "from", "body", "subject", "type", "numberId",
                "templateId", "inReplyTo", "campaignId", "sentAt", "deliveredAt", "readAt", "failedAt",
            )
        },
        "journeyId": Field(OF_JOURNEY.replace("VALUE", "j.id")),
        "journeyStepId": Field(OF_JOURNEY.replace(
            "VALUE", "j.program->'steps'->{t}.journey_step::int->>'id'")),
        "journeyRunId": Field("{t}.journey_run", make=run_id),
    },
)  # fmt: skip


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
    fields=fields_of(record.CLICK),
)

CUSTOMER_EVENTS = EntrySource(
    kind=Kind.CUSTOMER_EVENT,
    type="CustomerEventEntry",
    scopes=((Scope.CONTACTS_READ, ALL),),
    rows="SELECT t.* FROM customer_events t WHERE t.organization_id = $1 AND t.env = $2 AND "
    "t.contact_id = c.id",
    at="t.occurred_at",
    key="t.id",
    fields=fields_of(record.CUSTOMER_EVENT),
)

MOVES = tuple(kind for kind in HistoryKind if kind is not HistoryKind.FIELD)
"""What is told of a card: where it came and how it ended. Fields that changed are not."""


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
    fields=fields_of(record.STAGE_MOVE),
)

CONSENTS = EntrySource(
    kind=Kind.CONSENT,
    type="ConsentEntry",
    scopes=((Scope.CONTACTS_READ, ALL),),
    rows="SELECT t.* FROM contact_consents t WHERE t.organization_id = $1 AND t.env = $2 AND "
    "t.contact_id = c.id",
    at="t.at",
    key="lpad(t.id::text, 19, '0')",  # as text, in the order of the numbers
    fields=fields_of(record.CONSENT),
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
    fields=fields_of(record.PUSH),
)

SOURCES = (MESSAGES, PUSHES, CLICKS, CUSTOMER_EVENTS, STAGE_MOVES, CONSENTS)
