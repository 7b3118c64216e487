from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index

from core.foundation.database.indexes import WhereIndex

CHANGE = """
    INSERT INTO message_hours (organization_id, env, hour, channel, direction, status, campaign_id, number_id,
                               messages, sent, delivered, read, failed, received, coins, late)
    SELECT organization_id, env, date_trunc('hour', created_at, 'UTC'), channel, direction, status, campaign_id,
           number_id, sum(sign),
           coalesce(sum(sign) FILTER (WHERE direction = 'outbound' AND sent_at IS NOT NULL), 0),
           coalesce(sum(sign) FILTER (WHERE direction = 'outbound' AND (status IN ('delivered', 'read', 'complained')
               OR status = 'archived' AND delivered_at IS NOT NULL)), 0),
           coalesce(sum(sign) FILTER (WHERE direction = 'outbound' AND (status = 'read'
               OR status = 'archived' AND read_at IS NOT NULL)), 0),
           coalesce(sum(sign) FILTER (WHERE direction = 'outbound' AND (status IN ('failed', 'undelivered', 'bounced')
               OR status = 'archived' AND failed_at IS NOT NULL)), 0),
           coalesce(sum(sign) FILTER (WHERE direction = 'inbound'), 0),
           coalesce(sum(sign * CASE
               WHEN direction = 'inbound' THEN (
                   SELECT sum(t.coins) FROM wallet_transfers t
                   WHERE t.organization_id = m.organization_id AND t.env = m.env AND t.origin = m.id
                     AND t.target = 'receita')
               WHEN sent_at IS NOT NULL AND settle_at IS NULL THEN m.coins END), 0),
           true
    FROM ({changed}) AS m
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
"""

# What changes within an hour of its creation is counted with its hour, when that is closed.
INSERTED = f"""
CREATE OR REPLACE FUNCTION svc_count_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fresh timestamptz := clock_timestamp() - interval '1 hour';
BEGIN
    INSERT INTO message_counts (organization_id, env, channel, direction, status, delta)
    SELECT organization_id, env, channel, direction, status, count(*)
    FROM inserted GROUP BY 1, 2, 3, 4, 5;
    IF EXISTS (SELECT FROM inserted WHERE created_at < fresh) THEN
        {CHANGE.format(changed="SELECT *, 1 AS sign FROM inserted WHERE created_at < fresh")};
    END IF;
    RETURN NULL;
END $$
"""

UPDATED = f"""
CREATE OR REPLACE FUNCTION svc_count_updated() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fresh timestamptz := clock_timestamp() - interval '1 hour';
BEGIN
    INSERT INTO message_counts (organization_id, env, channel, direction, status, delta)
    SELECT organization_id, env, channel, direction, status, sum(delta) FROM (
        SELECT organization_id, env, channel, direction, status, 1 AS delta FROM after
        UNION ALL
        SELECT organization_id, env, channel, direction, status, -1 FROM before) AS change
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(delta) <> 0;
    IF EXISTS (SELECT FROM before WHERE created_at < fresh) THEN
        {CHANGE.format(changed='''SELECT *, 1 AS sign FROM after WHERE created_at < fresh
            UNION ALL SELECT *, -1 FROM before WHERE created_at < fresh''')};
    END IF;
    RETURN NULL;
END $$
"""

DELETED = f"""
CREATE OR REPLACE FUNCTION svc_count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fresh timestamptz := clock_timestamp() - interval '1 hour';
BEGIN
    INSERT INTO message_counts (organization_id, env, channel, direction, status, delta)
    SELECT organization_id, env, channel, direction, status, -count(*)
    FROM deleted GROUP BY 1, 2, 3, 4, 5;
    -- What only grew too old to be kept was there all the same.
    IF coalesce(current_setting('svc.keep_hours', true), '') <> 'on'
       AND EXISTS (SELECT FROM deleted WHERE created_at < fresh) THEN
        {CHANGE.format(changed="SELECT *, -1 AS sign FROM deleted WHERE created_at < fresh")};
    END IF;
    RETURN NULL;
END $$
"""

class Migration(migrations.Migration):
    dependencies = [('core', '0018_push_devices_in_order')]

    initial = False

    operations = [
        ops.CreateModel(
            name='MessageHour',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('hour', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('channel', fields.CharField(max_length=10)),
                ('direction', fields.CharField(max_length=8)),
                ('status', fields.CharField(max_length=12)),
                ('campaign_id', fields.CharField(null=True, max_length=80)),
                ('number_id', fields.CharField(null=True, max_length=30)),
                ('messages', fields.BigIntField()),
                ('sent', fields.BigIntField()),
                ('delivered', fields.BigIntField()),
                ('read', fields.BigIntField()),
                ('failed', fields.BigIntField()),
                ('received', fields.BigIntField()),
                ('coins', fields.BigIntField()),
                ('late', fields.BooleanField(db_default=False)),
            ],
            options={'table': 'message_hours', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'hour']), Index(fields=['organization_id', 'env', 'channel', 'status', 'hour']), WhereIndex(fields=['hour', 'organization_id', 'env'], name='message_hours_late', where='late')], 'pk_attr': 'id', 'table_description': 'A change of what became of the messages that were created in an hour (UTC). The sums of a closed hour are exact.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='ClosedHours',
            fields=[
                ('id', fields.SmallIntField(generated=False, primary_key=True, unique=True, db_index=True)),
                ('closed_until', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('fence_until', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('fence_transaction', fields.BigIntField(null=True)),
            ],
            options={'table': 'closed_hours', 'app': 'core', 'pk_attr': 'id', 'table_description': 'Until when the hours of messages are closed: one row.'},
            bases=['Model'],
        ),
        ops.RunSQL(
            sql=[
                INSERTED,
                UPDATED,
                DELETED,
            ],
        ),
    ]
