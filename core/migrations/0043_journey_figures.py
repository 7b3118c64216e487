from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex

# What became of the messages of journeys is counted as it happens, whoever makes the change. Where no
# message of a journey is among them, a statement costs one look at the rows that it changed.
MESSAGES = [
    """CREATE FUNCTION svc_count_messages_of_journeys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM after WHERE journey_run IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, delta)
    SELECT r.organization_id, r.env, r.version_id, m.journey_step, k.kind, sum(m.sign)
    FROM (SELECT 1 AS sign, journey_run, journey_step, status, sent_at, delivered_at, read_at FROM after
          UNION ALL
          SELECT -1, journey_run, journey_step, status, sent_at, delivered_at, read_at FROM before) AS m
    JOIN journey_runs r ON r.id = m.journey_run
    CROSS JOIN LATERAL (VALUES
        (5::smallint, m.sent_at IS NOT NULL),
        (6::smallint, m.status IN ('delivered', 'read', 'complained')
                      OR m.status = 'archived' AND m.delivered_at IS NOT NULL),
        (7::smallint, m.status = 'read' OR m.status = 'archived' AND m.read_at IS NOT NULL)) AS k (kind, holds)
    WHERE k.holds AND m.journey_step IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(m.sign) <> 0;
    RETURN NULL;
END $$""",
    """CREATE TRIGGER messages_count_of_journeys AFTER UPDATE ON messages
       REFERENCING OLD TABLE AS before NEW TABLE AS after
       FOR EACH STATEMENT EXECUTE FUNCTION svc_count_messages_of_journeys()""",
]

CLICKS = [
    """CREATE FUNCTION svc_count_clicks_of_journeys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM after l JOIN journeys j ON j.organization_id = l.organization_id AND j.env = l.env
                   WHERE j.program IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, delta)
    SELECT r.organization_id, r.env, r.version_id, m.journey_step, 8, sum(l.clicks - b.clicks)
    FROM after l JOIN before b ON b.code = l.code
    JOIN messages m ON m.id = l.message_id AND m.journey_step IS NOT NULL
    JOIN journey_runs r ON r.id = m.journey_run
    WHERE l.clicks <> b.clicks
    GROUP BY 1, 2, 3, 4;
    RETURN NULL;
END $$""",
    """CREATE TRIGGER short_links_count_of_journeys AFTER UPDATE ON short_links
       REFERENCING OLD TABLE AS before NEW TABLE AS after
       FOR EACH STATEMENT EXECUTE FUNCTION svc_count_clicks_of_journeys()""",
]

EVENTS = [
    """CREATE FUNCTION svc_count_events_of_journeys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM changed WHERE attribution ->> 'journeyRunId' IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, delta)
    SELECT r.organization_id, r.env, r.version_id, m.journey_step, 9, count(*)
    FROM changed e
    JOIN messages m ON m.id = e.attribution ->> 'messageId' AND m.journey_step IS NOT NULL
    JOIN journey_runs r ON r.id = m.journey_run
    JOIN journeys j ON j.id = r.version_id AND (j.goal IS NULL OR j.goal ->> 'evento' = e.name)
    WHERE e.attribution ->> 'journeyRunId' IS NOT NULL
    GROUP BY 1, 2, 3, 4;
    RETURN NULL;
END $$""",
    """CREATE TRIGGER customer_events_count_of_journeys AFTER INSERT ON customer_events
       REFERENCING NEW TABLE AS changed
       FOR EACH STATEMENT EXECUTE FUNCTION svc_count_events_of_journeys()""",
]

class Migration(migrations.Migration):
    dependencies = [('core', '0042_journey_runs')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='JourneyRun',
            index=WhereIndex(fields=['version_id', 'state', 'id'], name='journey_runs_ended', where='state <> 1'),
        ),
        ops.RunSQL(
            sql=MESSAGES,
            reverse_sql=[
                'DROP TRIGGER messages_count_of_journeys ON messages',
                'DROP FUNCTION svc_count_messages_of_journeys()',
            ],
        ),
        ops.RunSQL(
            sql=CLICKS,
            reverse_sql=[
                'DROP TRIGGER short_links_count_of_journeys ON short_links',
                'DROP FUNCTION svc_count_clicks_of_journeys()',
            ],
        ),
        ops.RunSQL(
            sql=EVENTS,
            reverse_sql=[
                'DROP TRIGGER customer_events_count_of_journeys ON customer_events',
                'DROP FUNCTION svc_count_events_of_journeys()',
            ],
        ),
    ]
