from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields

# Processes of the version before write events until they are replaced: for theirs the database does what the new
# version does itself. Only they give an event the number of its transaction. The trigger waits for whoever is writing
# one, so from then on every event is in the queue, and none from before is.
QUEUE_WHAT_OTHERS_WRITE = [
    "ALTER TABLE webhook_feed_queue SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)",
    """CREATE FUNCTION svc_queue_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
           INSERT INTO webhook_feed_queue (organization_id, env, event_id, type, created_at)
           VALUES (NEW.organization_id, NEW.env, NEW.id, NEW.type, NEW.created_at);
           RETURN NULL;
       END $$""",
    """CREATE TRIGGER webhook_events_queue_for_feed AFTER INSERT ON webhook_events
       FOR EACH ROW WHEN (NEW.xact IS NOT NULL) EXECUTE FUNCTION svc_queue_for_feed()""",
]

# By hand: Tortoise has no keys of several columns. The last two columns of the feed are filled here alone: by them a
# cursor of the version before is understood.
TABLES = [
    """CREATE TABLE webhook_feed (
           organization_id varchar(30) NOT NULL, env varchar(4) NOT NULL, position bigint NOT NULL,
           event_id varchar(30) NOT NULL, type varchar(40) NOT NULL, created_at timestamptz NOT NULL,
           xact bigint, seq bigint,
           PRIMARY KEY (organization_id, env, position)
       )""",
    """CREATE TABLE webhook_feed_heads (
           organization_id varchar(30) NOT NULL, env varchar(4) NOT NULL, epoch bigint NOT NULL,
           position bigint NOT NULL, began_at timestamptz NOT NULL,
           PRIMARY KEY (organization_id, env, epoch)
       ) WITH (fillfactor = 50)""",
    """CREATE INDEX webhook_feed_carried_over ON webhook_feed (organization_id, env, xact, seq)
       WHERE xact IS NOT NULL""",
]

# What was there keeps its order, and comes before all that is in the queue: until this is committed nobody takes
# anything out of it, because there is nowhere to put it.
CARRY_OVER = [
    """INSERT INTO webhook_feed (organization_id, env, position, event_id, type, created_at, xact, seq)
       SELECT organization_id, env, row_number() OVER (PARTITION BY organization_id, env ORDER BY xact, seq),
              id, type, created_at, xact, seq
       FROM webhook_events e
       WHERE xact IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_feed_queue q WHERE q.event_id = e.id)""",
    """INSERT INTO webhook_feed_heads (organization_id, env, epoch, position, began_at)
       SELECT organization_id, env, 1, position, now()
       FROM (SELECT organization_id, env, max(position) AS position FROM webhook_feed GROUP BY 1, 2) AS last""",
]


class Migration(migrations.Migration):
    dependencies = [('core', '0020_sealed_texts')]

    initial = False

    operations = [
        ops.CreateModel(
            name='QueuedEvent',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('event_id', fields.CharField(max_length=30)),
                ('type', fields.CharField(max_length=40)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'webhook_feed_queue', 'app': 'core', 'pk_attr': 'id', 'table_description': 'A new event until it has a position in the feed; `id` is the order in which events happened.'},
            bases=['OwnedModel'],
        ),
        ops.RunSQL(
            sql=QUEUE_WHAT_OTHERS_WRITE,
            reverse_sql=[
                'DROP TRIGGER webhook_events_queue_for_feed ON webhook_events',
                'DROP FUNCTION svc_queue_for_feed()',
            ],
        ),
        ops.RunSQL(sql=[*TABLES, *CARRY_OVER], reverse_sql=['DROP TABLE webhook_feed_heads, webhook_feed']),
    ]
