from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from orjson import loads
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.fields.data import JSON_DUMPS
from uuid import uuid4
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

# Neither is read by single rows, and the trail grows by a row for each move: no surrogate key, and an
# index by time that costs next to nothing.
TABLES = [
    """CREATE TABLE journey_trail (
           run_id uuid NOT NULL, seq integer NOT NULL, at timestamptz NOT NULL, step smallint NOT NULL,
           outcome smallint NOT NULL, facts jsonb, PRIMARY KEY (run_id, seq)
       )""",
    "CREATE INDEX journey_trail_by_time ON journey_trail USING brin (at)",
    """CREATE TABLE journey_effects (
           run_id uuid NOT NULL, seq integer NOT NULL, kind varchar(8) NOT NULL, ref varchar(40) NOT NULL,
           organization_id varchar(30) NOT NULL, env varchar(4) NOT NULL, PRIMARY KEY (run_id, seq, kind)
       )""",
    "CREATE INDEX journey_effects_by_ref ON journey_effects (ref)",
    "ALTER TABLE journey_runs SET (fillfactor = 80)",
]

# The id of a row that begins with its time, as version 7 of RFC 9562 has it, on any PostgreSQL.
RUN_ID = """
CREATE FUNCTION svc_run_id(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
            || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$
"""

# Whether anybody in an owner is interested is asked first: where no journey runs, a statement costs one
# look into an index.
NOTE_DIRTY = """
CREATE FUNCTION svc_note_dirty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO dirty_contacts (organization_id, env, contact_id)
    SELECT DISTINCT c.organization_id, c.env, c.id FROM changed c
    WHERE EXISTS (SELECT FROM journey_watches w WHERE w.organization_id = c.organization_id AND w.env = c.env
                  AND w.kind = 'segment');
    RETURN NULL;
END $$
"""

NOTE_EVENTS = """
CREATE FUNCTION svc_note_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM changed e JOIN journey_watches w
                   ON w.organization_id = e.organization_id AND w.env = e.env) THEN
        RETURN NULL;
    END IF;
    INSERT INTO audience_changes (organization_id, env, kind, ref, contact_id, entered, event_id, xid, at)
    SELECT e.organization_id, e.env, 'event', e.name, e.contact_id, true, e.id,
           pg_current_xact_id()::text::bigint, e.created_at
    FROM changed e
    WHERE e.contact_id IS NOT NULL
      AND EXISTS (SELECT FROM journey_watches w WHERE w.organization_id = e.organization_id AND w.env = e.env
                  AND w.kind = 'event' AND w.ref = e.name)
    ORDER BY e.created_at, e.id;
    INSERT INTO dirty_contacts (organization_id, env, contact_id)
    SELECT DISTINCT e.organization_id, e.env, e.contact_id FROM changed e
    WHERE e.contact_id IS NOT NULL
      AND EXISTS (SELECT FROM journey_watches w WHERE w.organization_id = e.organization_id AND w.env = e.env
                  AND w.kind = 'segment');
    RETURN NULL;
END $$
"""

# An event that came before its contact did is the contact's from then on.
NOTE_CLAIMED_EVENTS = """
CREATE FUNCTION svc_note_claimed_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM after e JOIN journey_watches w
                   ON w.organization_id = e.organization_id AND w.env = e.env) THEN
        RETURN NULL;
    END IF;
    INSERT INTO audience_changes (organization_id, env, kind, ref, contact_id, entered, event_id, xid, at)
    SELECT e.organization_id, e.env, 'event', e.name, e.contact_id, true, e.id,
           pg_current_xact_id()::text::bigint, e.created_at
    FROM after e JOIN before b ON b.id = e.id
    WHERE e.contact_id IS NOT NULL AND b.contact_id IS NULL
      AND EXISTS (SELECT FROM journey_watches w WHERE w.organization_id = e.organization_id AND w.env = e.env
                  AND w.kind = 'event' AND w.ref = e.name)
    ORDER BY e.created_at, e.id;
    INSERT INTO dirty_contacts (organization_id, env, contact_id)
    SELECT DISTINCT e.organization_id, e.env, e.contact_id FROM after e
    WHERE e.contact_id IS NOT NULL
      AND EXISTS (SELECT FROM journey_watches w WHERE w.organization_id = e.organization_id AND w.env = e.env
                  AND w.kind = 'segment');
    RETURN NULL;
END $$
"""

# TG_ARGV[0]: whether they came onto the lists or left them.
NOTE_MEMBERS = """
CREATE FUNCTION svc_note_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM changed m JOIN journey_watches w
                   ON w.organization_id = m.organization_id AND w.env = m.env) THEN
        RETURN NULL;
    END IF;
    INSERT INTO audience_changes (organization_id, env, kind, ref, contact_id, entered, xid, at)
    SELECT m.organization_id, m.env, 'list', m.list_id, m.contact_id, TG_ARGV[0]::boolean,
           pg_current_xact_id()::text::bigint, m.created_at
    FROM changed m
    WHERE EXISTS (SELECT FROM journey_watches w WHERE w.organization_id = m.organization_id AND w.env = m.env
                  AND w.kind = 'list' AND w.ref = m.list_id);
    INSERT INTO dirty_contacts (organization_id, env, contact_id)
    SELECT DISTINCT m.organization_id, m.env, m.contact_id FROM changed m
    WHERE EXISTS (SELECT FROM journey_watches w WHERE w.organization_id = m.organization_id AND w.env = m.env
                  AND w.kind = 'segment');
    RETURN NULL;
END $$
"""

NOTE_CARDS = """
CREATE FUNCTION svc_note_cards() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM changed k JOIN journey_watches w
                   ON w.organization_id = k.organization_id AND w.env = k.env AND w.kind = 'segment') THEN
        RETURN NULL;
    END IF;
    INSERT INTO dirty_contacts (organization_id, env, contact_id)
    SELECT k.organization_id, k.env, k.contact_id FROM changed k WHERE k.contact_id IS NOT NULL
    UNION SELECT k.organization_id, k.env, o.contact_id FROM changed k JOIN card_contacts o ON o.card_id = k.id;
    RETURN NULL;
END $$
"""

NOTE_CARD_CONTACTS = """
CREATE FUNCTION svc_note_card_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO dirty_contacts (organization_id, env, contact_id)
    SELECT DISTINCT k.organization_id, k.env, k.contact_id FROM changed k
    WHERE EXISTS (SELECT FROM journey_watches w WHERE w.organization_id = k.organization_id AND w.env = k.env
                  AND w.kind = 'segment');
    RETURN NULL;
END $$
"""

NOTE_CLICKS = """
CREATE FUNCTION svc_note_clicks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM changed l JOIN journey_watches w
                   ON w.organization_id = l.organization_id AND w.env = l.env AND w.kind = 'segment') THEN
        RETURN NULL;
    END IF;
    INSERT INTO dirty_contacts (organization_id, env, contact_id)
    SELECT DISTINCT l.organization_id, l.env, m.contact_id
    FROM changed l JOIN messages m ON m.id = l.message_id WHERE m.contact_id IS NOT NULL;
    RETURN NULL;
END $$
"""

CONTACTS = [
    NOTE_DIRTY,
    """CREATE TRIGGER contacts_note_new AFTER INSERT ON contacts
       REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_dirty()""",
    """CREATE TRIGGER contacts_note_changed AFTER UPDATE ON contacts
       REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_dirty()""",
]

EVENTS = [
    NOTE_EVENTS,
    NOTE_CLAIMED_EVENTS,
    """CREATE TRIGGER customer_events_note_new AFTER INSERT ON customer_events
       REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_events()""",
    """CREATE TRIGGER customer_events_note_claimed AFTER UPDATE ON customer_events
       REFERENCING OLD TABLE AS before NEW TABLE AS after
       FOR EACH STATEMENT EXECUTE FUNCTION svc_note_claimed_events()""",
]

MEMBERS = [
    NOTE_MEMBERS,
    """CREATE TRIGGER contact_list_members_note_new AFTER INSERT ON contact_list_members
       REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_members('true')""",
    """CREATE TRIGGER contact_list_members_note_gone AFTER DELETE ON contact_list_members
       REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_members('false')""",
]

CARDS = [
    NOTE_CARDS,
    """CREATE TRIGGER cards_note_new AFTER INSERT ON cards
       REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_cards()""",
    """CREATE TRIGGER cards_note_changed AFTER UPDATE ON cards
       REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_cards()""",
    """CREATE TRIGGER cards_note_gone AFTER DELETE ON cards
       REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_cards()""",
]

CARD_CONTACTS = [
    NOTE_CARD_CONTACTS,
    """CREATE TRIGGER card_contacts_note_new AFTER INSERT ON card_contacts
       REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_card_contacts()""",
    """CREATE TRIGGER card_contacts_note_gone AFTER DELETE ON card_contacts
       REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_card_contacts()""",
]

CLICKS = [
    NOTE_CLICKS,
    """CREATE TRIGGER short_links_note_clicked AFTER UPDATE ON short_links
       REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_note_clicks()""",
]


class Migration(migrations.Migration):
    dependencies = [('core', '0041_smpp_outbox')]

    initial = False

    operations = [
        ops.CreateModel(
            name='AudienceChange',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('kind', fields.CharField(max_length=8)),
                ('ref', fields.CharField(max_length=120)),
                ('contact_id', fields.CharField(max_length=30)),
                ('entered', fields.BooleanField()),
                ('event_id', fields.CharField(null=True, max_length=30)),
                ('xid', fields.BigIntField()),
                ('at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'audience_changes', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'at'])], 'pk_attr': 'id', 'table_description': 'What may start, wake or end runs: a contact entered or left a list or segment, or a customer event came.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='ContactCap',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('contact_id', fields.CharField(max_length=30)),
                ('scope', fields.CharField(db_default='', max_length=30)),
                ('sent', ArrayField(element_type='TIMESTAMPTZ')),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'contact_caps', 'app': 'core', 'pk_attr': 'id', 'table_description': 'When a contact was last sent messages of journeys: those of one lineage, or of all where `scope` is empty.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='ContactCap',
            constraint=UniqueConstraint(fields=('contact_id', 'scope'), name='contact_caps_once'),
        ),
        ops.CreateModel(
            name='DirtyContact',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('contact_id', fields.CharField(max_length=30)),
            ],
            options={'table': 'dirty_contacts', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env'])], 'pk_attr': 'id', 'table_description': 'A contact of which something changed that a watched segment may ask about. Triggers write it, each time anew.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='JourneyRun',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.UUIDField(primary_key=True, default=uuid4, unique=True, db_index=True)),
                ('version_id', fields.CharField(max_length=30)),
                ('lineage_id', fields.CharField(max_length=30)),
                ('contact_id', fields.CharField(max_length=30)),
                ('entry_key', fields.CharField(db_default='', max_length=200)),
                ('state', fields.SmallIntField(db_default=1)),
                ('step', fields.SmallIntField()),
                ('seq', fields.IntField(db_default=1)),
                ('due_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('wait_event', fields.CharField(null=True, max_length=120)),
                ('wait_since', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('woken_by', fields.CharField(null=True, max_length=30)),
                ('control', fields.BooleanField(db_default=False)),
                ('entered_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('step_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('ended_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('end_reason', fields.CharField(null=True, max_length=200)),
            ],
            options={'table': 'journey_runs', 'app': 'core', 'indexes': [WhereIndex(fields=['due_at'], name='journey_runs_due', where='due_at IS NOT NULL'), WhereIndex(fields=['version_id', 'step', 'due_at', 'id'], name='journey_runs_on_step', where='state = 1'), WhereIndex(fields=['organization_id', 'due_at'], name='journey_runs_due_in_sandbox', where="due_at IS NOT NULL AND env = 'test'"), Index(fields=['contact_id', 'lineage_id']), Index(fields=['version_id', 'id'])], 'pk_attr': 'id', 'table_description': 'A contact on its way through one version of a journey.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='JourneyRun',
            constraint=UniqueConstraint(fields=('contact_id', 'lineage_id', 'entry_key'), name='journey_runs_once', condition='state = 1'),
        ),
        ops.CreateModel(
            name='JourneySettings',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('cap', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'journey_settings', 'app': 'core', 'pk_attr': 'id', 'table_description': 'What holds for all journeys of an owner: at most so many messages (`{mensagens, dias}`) to a contact.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='JourneySettings',
            constraint=UniqueConstraint(fields=('organization_id', 'env'), name='journey_settings_once'),
        ),
        ops.CreateModel(
            name='JourneyStepCount',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('version_id', fields.CharField(max_length=30)),
                ('step', fields.SmallIntField()),
                ('kind', fields.SmallIntField()),
                ('reason', fields.CharField(db_default='', max_length=40)),
                ('delta', fields.BigIntField()),
            ],
            options={'table': 'journey_step_counts', 'app': 'core', 'indexes': [Index(fields=['version_id', 'step', 'kind', 'reason', 'delta'])], 'pk_attr': 'id', 'table_description': 'A change of how many runs came to, left, failed in or passed a step. Their sum is the number, exactly.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='JourneyWatch',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('version_id', fields.CharField(max_length=30)),
                ('kind', fields.CharField(max_length=8)),
                ('ref', fields.CharField(max_length=120)),
                ('checked_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'journey_watches', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'kind', 'ref'])], 'pk_attr': 'id', 'table_description': 'What a version is interested in: a segment, a list, or a customer event by name. Only of it changes are noted.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='JourneyWatch',
            constraint=UniqueConstraint(fields=('version_id', 'kind', 'ref'), name='journey_watches_once'),
        ),
        ops.CreateModel(
            name='SegmentMember',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('segment_id', fields.CharField(max_length=30)),
                ('contact_id', fields.CharField(max_length=30)),
                ('since', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'segment_members', 'app': 'core', 'indexes': [Index(fields=['contact_id'])], 'pk_attr': 'id', 'table_description': 'A contact that was in a watched segment when it was last looked at.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='SegmentMember',
            constraint=UniqueConstraint(fields=('segment_id', 'contact_id'), name='segment_members_once'),
        ),
        ops.AddField(
            model_name='Journey',
            name='enrol_cursor',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='Journey',
            name='enrol_present',
            field=fields.BooleanField(null=True),
        ),
        ops.AddField(
            model_name='Journey',
            name='exit_when',
            field=fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddField(
            model_name='Journey',
            name='lineage_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='Journey',
            name='program',
            field=fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddIndex(
            model_name='Journey',
            index=WhereIndex(fields=['enrol_cursor'], name='journeys_that_enrol', where='enrol_cursor IS NOT NULL'),
        ),
        ops.AddField(
            model_name='Message',
            name='journey_run',
            field=fields.UUIDField(null=True),
        ),
        ops.AddField(
            model_name='Message',
            name='journey_step',
            field=fields.SmallIntField(null=True),
        ),
        ops.RunSQL(sql=TABLES, reverse_sql=['DROP TABLE journey_trail, journey_effects']),
        ops.RunSQL(sql=[RUN_ID], reverse_sql=['DROP FUNCTION svc_run_id(timestamptz)']),
        ops.RunSQL(
            sql=CONTACTS,
            reverse_sql=[
                'DROP TRIGGER contacts_note_new ON contacts',
                'DROP TRIGGER contacts_note_changed ON contacts',
                'DROP FUNCTION svc_note_dirty()',
            ],
        ),
        ops.RunSQL(
            sql=EVENTS,
            reverse_sql=[
                'DROP TRIGGER customer_events_note_new ON customer_events',
                'DROP TRIGGER customer_events_note_claimed ON customer_events',
                'DROP FUNCTION svc_note_events()',
                'DROP FUNCTION svc_note_claimed_events()',
            ],
        ),
        ops.RunSQL(
            sql=MEMBERS,
            reverse_sql=[
                'DROP TRIGGER contact_list_members_note_new ON contact_list_members',
                'DROP TRIGGER contact_list_members_note_gone ON contact_list_members',
                'DROP FUNCTION svc_note_members()',
            ],
        ),
        ops.RunSQL(
            sql=CARDS,
            reverse_sql=[
                'DROP TRIGGER cards_note_new ON cards',
                'DROP TRIGGER cards_note_changed ON cards',
                'DROP TRIGGER cards_note_gone ON cards',
                'DROP FUNCTION svc_note_cards()',
            ],
        ),
        ops.RunSQL(
            sql=CARD_CONTACTS,
            reverse_sql=[
                'DROP TRIGGER card_contacts_note_new ON card_contacts',
                'DROP TRIGGER card_contacts_note_gone ON card_contacts',
                'DROP FUNCTION svc_note_card_contacts()',
            ],
        ),
        ops.RunSQL(
            sql=CLICKS,
            reverse_sql=[
                'DROP TRIGGER short_links_note_clicked ON short_links',
                'DROP FUNCTION svc_note_clicks()',
            ],
        ),
    ]
