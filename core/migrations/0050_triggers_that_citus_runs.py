from tortoise import migrations
from tortoise.migrations import operations as ops

# Citus plans every statement that names a table of a distributed schema itself, and knows no transition table
# there. So what changed is read from the transition table alone first, a group at a time; what is written of a group
# names values only. A statement changes one group as a rule, so this costs what it did.
#
# Each function stands for the one of that name of migrations 0019, 0042 and 0043, and does the same.

LATE = """
    FOR h IN
        SELECT organization_id, env, date_trunc('hour', created_at, 'UTC') AS hour, channel, direction, status,
               campaign_id, number_id, sum(sign) AS messages,
               coalesce(sum(sign) FILTER (WHERE direction = 'outbound' AND sent_at IS NOT NULL), 0) AS sent,
               coalesce(sum(sign) FILTER (WHERE direction = 'outbound'
                   AND (status IN ('delivered', 'read', 'complained')
                        OR status = 'archived' AND delivered_at IS NOT NULL)), 0) AS delivered,
               coalesce(sum(sign) FILTER (WHERE direction = 'outbound' AND (status = 'read'
                   OR status = 'archived' AND read_at IS NOT NULL)), 0) AS read,
               coalesce(sum(sign) FILTER (WHERE direction = 'outbound'
                   AND (status IN ('failed', 'undelivered', 'bounced')
                        OR status = 'archived' AND failed_at IS NOT NULL)), 0) AS failed,
               coalesce(sum(sign) FILTER (WHERE direction = 'inbound'), 0) AS received,
               coalesce(sum(sign * m.coins) FILTER (WHERE direction = 'outbound'
                   AND sent_at IS NOT NULL AND settle_at IS NULL), 0) AS coins,
               array_agg(id) AS ids, array_agg(sign) AS signs
        FROM ({changed}) AS m
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    LOOP
        IF h.direction = 'inbound' THEN
            SELECT coalesce(sum(t.coins * s.sign), 0) INTO h.coins
            FROM unnest(h.ids, h.signs) AS s (id, sign)
            JOIN wallet_transfers t ON t.origin = s.id
            WHERE t.organization_id = h.organization_id AND t.env = h.env AND t.target = 'receita';
        END IF;
        INSERT INTO message_hours (organization_id, env, hour, channel, direction, status, campaign_id, number_id,
                                   messages, sent, delivered, read, failed, received, coins, late)
        VALUES (h.organization_id, h.env, h.hour, h.channel, h.direction, h.status, h.campaign_id, h.number_id,
                h.messages, h.sent, h.delivered, h.read, h.failed, h.received, h.coins, true);
    END LOOP
"""

COUNT = """
    FOR c IN
        {changed}
    LOOP
        INSERT INTO message_counts (organization_id, env, channel, direction, status, delta)
        VALUES (c.organization_id, c.env, c.channel, c.direction, c.status, c.delta);
    END LOOP
"""

COUNTS = [
    f"""
CREATE OR REPLACE FUNCTION svc_count_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fresh timestamptz := clock_timestamp() - interval '1 hour';
    c record;
    h record;
BEGIN
    {COUNT.format(changed='''SELECT organization_id, env, channel, direction, status, count(*) AS delta
        FROM inserted GROUP BY 1, 2, 3, 4, 5''')};
    IF EXISTS (SELECT FROM inserted WHERE created_at < fresh) THEN
        {LATE.format(changed="SELECT *, 1 AS sign FROM inserted WHERE created_at < fresh")};
    END IF;
    RETURN NULL;
END $$
""",
    f"""
CREATE OR REPLACE FUNCTION svc_count_updated() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fresh timestamptz := clock_timestamp() - interval '1 hour';
    c record;
    h record;
BEGIN
    {COUNT.format(changed='''SELECT organization_id, env, channel, direction, status, sum(change.delta) AS delta FROM (
            SELECT organization_id, env, channel, direction, status, 1 AS delta FROM after
            UNION ALL
            SELECT organization_id, env, channel, direction, status, -1 FROM before) AS change
        GROUP BY 1, 2, 3, 4, 5 HAVING sum(change.delta) <> 0''')};
    IF EXISTS (SELECT FROM before WHERE created_at < fresh) THEN
        {LATE.format(changed='''SELECT *, 1 AS sign FROM after WHERE created_at < fresh
            UNION ALL SELECT *, -1 FROM before WHERE created_at < fresh''')};
    END IF;
    RETURN NULL;
END $$
""",
    f"""
CREATE OR REPLACE FUNCTION svc_count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fresh timestamptz := clock_timestamp() - interval '1 hour';
    c record;
    h record;
BEGIN
    {COUNT.format(changed='''SELECT organization_id, env, channel, direction, status, -count(*) AS delta
        FROM deleted GROUP BY 1, 2, 3, 4, 5''')};
    -- What only grew too old to be kept was there all the same.
    IF coalesce(current_setting('svc.keep_hours', true), '') <> 'on'
       AND EXISTS (SELECT FROM deleted WHERE created_at < fresh) THEN
        {LATE.format(changed="SELECT *, -1 AS sign FROM deleted WHERE created_at < fresh")};
    END IF;
    RETURN NULL;
END $$
""",
]

# Of each owner among the changed rows: what is watched, and then what has changed of that.
DIRTY = """
        FOR c IN SELECT DISTINCT {contact} AS id FROM {changed}
                 WHERE organization_id = o.organization_id AND env = o.env AND {contact} IS NOT NULL LOOP
            INSERT INTO dirty_contacts (organization_id, env, contact_id)
            VALUES (o.organization_id, o.env, c.id);
        END LOOP
"""

UNLESS_A_SEGMENT = """
        CONTINUE WHEN NOT EXISTS (
            SELECT FROM journey_watches w
            WHERE w.organization_id = o.organization_id AND w.env = o.env AND w.kind = 'segment')
"""

WATCHED = """
        SELECT array_agg(w.ref) FILTER (WHERE w.kind = '{kind}') AS refs,
               coalesce(bool_or(w.kind = 'segment'), false) AS segment
        INTO watched
        FROM journey_watches w WHERE w.organization_id = o.organization_id AND w.env = o.env;
        CONTINUE WHEN watched.refs IS NULL AND NOT watched.segment
"""

EVENT_NOTED = """
            INSERT INTO audience_changes
                (organization_id, env, kind, ref, contact_id, entered, event_id, xid, at)
            VALUES (e.organization_id, e.env, 'event', e.name, e.contact_id, true, e.id,
                    pg_current_xact_id()::text::bigint, e.created_at)
"""


def noting(name: str, body: str) -> str:
    return f"""
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    o record;
    c record;
    e record;
    watched record;
BEGIN
    FOR o IN {body};
    END LOOP;
    RETURN NULL;
END $$
"""


def noting_events(name: str, changed: str, before: str) -> str:
    return noting(
        name,
        f"""SELECT DISTINCT organization_id, env FROM {changed} LOOP
        {WATCHED.format(kind="event")};
        FOR e IN SELECT x.* FROM {changed} x{before}
                 WHERE x.organization_id = o.organization_id AND x.env = o.env AND x.name = ANY (watched.refs)
                   AND x.contact_id IS NOT NULL ORDER BY x.created_at, x.id LOOP
            {EVENT_NOTED};
        END LOOP;
        CONTINUE WHEN NOT watched.segment;
        {DIRTY.format(changed=changed, contact="contact_id")}""",
    )


OWNERS = "SELECT DISTINCT organization_id, env FROM changed LOOP"

NOTES = [
    noting(
        "svc_note_dirty",
        f"{OWNERS} {UNLESS_A_SEGMENT}; {DIRTY.format(changed='changed', contact='id')}",
    ),
    noting(
        "svc_note_card_contacts",
        f"{OWNERS} {UNLESS_A_SEGMENT}; {DIRTY.format(changed='changed', contact='contact_id')}",
    ),
    noting_events("svc_note_events", "changed", ""),
    noting_events(
        "svc_note_claimed_events",
        "after",
        " JOIN before b ON b.id = x.id AND b.organization_id = x.organization_id AND b.contact_id IS NULL",
    ),
    # TG_ARGV[0]: whether they came onto the lists or left them.
    noting(
        "svc_note_members",
        f"""{OWNERS}
        {WATCHED.format(kind="list")};
        FOR e IN SELECT * FROM changed m
                 WHERE m.organization_id = o.organization_id AND m.env = o.env
                   AND m.list_id = ANY (watched.refs) LOOP
            INSERT INTO audience_changes (organization_id, env, kind, ref, contact_id, entered, xid, at)
            VALUES (e.organization_id, e.env, 'list', e.list_id, e.contact_id, TG_ARGV[0]::boolean,
                    pg_current_xact_id()::text::bigint, e.created_at);
        END LOOP;
        CONTINUE WHEN NOT watched.segment;
        {DIRTY.format(changed="changed", contact="contact_id")}""",
    ),
    noting(
        "svc_note_cards",
        f"""SELECT organization_id, env, array_agg(id) AS cards,
                    array_agg(contact_id) FILTER (WHERE contact_id IS NOT NULL) AS contacts
             FROM changed GROUP BY 1, 2 LOOP
        {UNLESS_A_SEGMENT};
        FOR c IN SELECT unnest(o.contacts) AS id
                 UNION SELECT k.contact_id FROM card_contacts k
                 WHERE k.organization_id = o.organization_id AND k.env = o.env AND k.card_id = ANY (o.cards) LOOP
            INSERT INTO dirty_contacts (organization_id, env, contact_id)
            VALUES (o.organization_id, o.env, c.id);
        END LOOP""",
    ),
    noting(
        "svc_note_clicks",
        f"""SELECT organization_id, env, array_agg(message_id) AS messages FROM changed GROUP BY 1, 2 LOOP
        {UNLESS_A_SEGMENT};
        FOR c IN SELECT DISTINCT m.contact_id AS id FROM messages m
                 WHERE m.organization_id = o.organization_id AND m.id = ANY (o.messages)
                   AND m.contact_id IS NOT NULL LOOP
            INSERT INTO dirty_contacts (organization_id, env, contact_id)
            VALUES (o.organization_id, o.env, c.id);
        END LOOP""",
    ),
]

STEP = """
            INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, delta)
            VALUES (c.organization_id, c.env, c.version_id, c.step, {kind}, {delta})
"""


def counting(name: str, body: str) -> str:
    return f"""
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    o record;
    c record;
BEGIN
    {body};
    RETURN NULL;
END $$
"""


JOURNEYS = [
    counting(
        "svc_count_messages_of_journeys",
        f"""IF NOT EXISTS (SELECT FROM after WHERE journey_run IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    FOR o IN
        SELECT m.organization_id, array_agg(m.journey_run) AS runs, array_agg(m.journey_step) AS steps,
               array_agg(k.kind) AS kinds, array_agg(m.sign) AS signs
        FROM (SELECT 1 AS sign, organization_id, journey_run, journey_step, status, sent_at, delivered_at, read_at
              FROM after
              UNION ALL
              SELECT -1, organization_id, journey_run, journey_step, status, sent_at, delivered_at, read_at
              FROM before) AS m
        CROSS JOIN LATERAL (VALUES
            (5::smallint, m.sent_at IS NOT NULL),
            (6::smallint, m.status IN ('delivered', 'read', 'complained')
                          OR m.status = 'archived' AND m.delivered_at IS NOT NULL),
            (7::smallint, m.status = 'read' OR m.status = 'archived' AND m.read_at IS NOT NULL)) AS k (kind, holds)
        WHERE k.holds AND m.journey_run IS NOT NULL AND m.journey_step IS NOT NULL
        GROUP BY 1
    LOOP
        FOR c IN
            SELECT r.organization_id, r.env, r.version_id, m.step, m.kind, sum(m.sign) AS delta
            FROM unnest(o.runs, o.steps, o.kinds, o.signs) AS m (run, step, kind, sign)
            JOIN journey_runs r ON r.id = m.run
            WHERE r.organization_id = o.organization_id
            GROUP BY 1, 2, 3, 4, 5 HAVING sum(m.sign) <> 0
        LOOP
            {STEP.format(kind="c.kind", delta="c.delta")};
        END LOOP;
    END LOOP""",
    ),
    counting(
        "svc_count_clicks_of_journeys",
        f"""FOR o IN
        SELECT l.organization_id, l.env, array_agg(l.message_id) AS messages,
               array_agg(l.clicks - b.clicks) AS clicks
        FROM after l JOIN before b ON b.code = l.code AND b.organization_id = l.organization_id
        WHERE l.clicks <> b.clicks GROUP BY 1, 2
    LOOP
        CONTINUE WHEN NOT EXISTS (
            SELECT FROM journeys j
            WHERE j.organization_id = o.organization_id AND j.env = o.env AND j.program IS NOT NULL);
        FOR c IN
            SELECT r.organization_id, r.env, r.version_id, m.journey_step AS step, sum(l.clicks) AS delta
            FROM unnest(o.messages, o.clicks) AS l (message_id, clicks)
            JOIN messages m ON m.id = l.message_id
            JOIN journey_runs r ON r.organization_id = m.organization_id AND r.id = m.journey_run
            WHERE m.organization_id = o.organization_id AND m.journey_step IS NOT NULL
            GROUP BY 1, 2, 3, 4
        LOOP
            {STEP.format(kind="8", delta="c.delta")};
        END LOOP;
    END LOOP""",
    ),
    counting(
        "svc_count_events_of_journeys",
        f"""FOR o IN
        SELECT organization_id, array_agg(attribution ->> 'messageId') AS messages, array_agg(name) AS names
        FROM changed WHERE attribution ->> 'journeyRunId' IS NOT NULL GROUP BY 1
    LOOP
        FOR c IN
            SELECT r.organization_id, r.env, r.version_id, m.journey_step AS step, count(*) AS delta
            FROM unnest(o.messages, o.names) AS e (message_id, name)
            JOIN messages m ON m.id = e.message_id
            JOIN journey_runs r ON r.organization_id = m.organization_id AND r.id = m.journey_run
            JOIN journeys j ON j.organization_id = r.organization_id AND j.id = r.version_id
                           AND (j.goal IS NULL OR j.goal ->> 'evento' = e.name)
            WHERE m.organization_id = o.organization_id AND m.journey_step IS NOT NULL
            GROUP BY 1, 2, 3, 4
        LOOP
            {STEP.format(kind="9", delta="c.delta")};
        END LOOP;
    END LOOP""",
    ),
]


class Migration(migrations.Migration):
    dependencies = [('core', '0049_smpp_account_options')]

    initial = False

    operations = [ops.RunSQL(sql=[*COUNTS, *NOTES, *JOURNEYS])]
