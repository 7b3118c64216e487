from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0004_webhook_rotation')]

    initial = False

    operations = [
        ops.CreateModel(
            name='MessageCount',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('channel', fields.CharField(max_length=10)),
                ('direction', fields.CharField(max_length=8)),
                ('status', fields.CharField(max_length=12)),
                ('delta', fields.BigIntField()),
            ],
            options={'table': 'message_counts', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'channel', 'direction', 'status', 'delta'])], 'pk_attr': 'id', 'table_description': 'A change of how many messages an owner has in a status of a channel. Their sum is the number, exactly.'},
            bases=['OwnedModel'],
        ),
        ops.RunSQL(
            sql=[
                """
                CREATE FUNCTION svc_count_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    INSERT INTO message_counts (organization_id, env, channel, direction, status, delta)
                    SELECT organization_id, env, channel, direction, status, count(*)
                    FROM inserted GROUP BY 1, 2, 3, 4, 5;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE FUNCTION svc_count_updated() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    INSERT INTO message_counts (organization_id, env, channel, direction, status, delta)
                    SELECT organization_id, env, channel, direction, status, sum(delta) FROM (
                        SELECT organization_id, env, channel, direction, status, 1 AS delta FROM after
                        UNION ALL
                        SELECT organization_id, env, channel, direction, status, -1 FROM before) AS change
                    GROUP BY 1, 2, 3, 4, 5 HAVING sum(delta) <> 0;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE FUNCTION svc_count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    INSERT INTO message_counts (organization_id, env, channel, direction, status, delta)
                    SELECT organization_id, env, channel, direction, status, -count(*)
                    FROM deleted GROUP BY 1, 2, 3, 4, 5;
                    RETURN NULL;
                END $$
                """,
                """
                CREATE TRIGGER messages_count_inserted AFTER INSERT ON messages
                REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION svc_count_inserted()
                """,
                """
                CREATE TRIGGER messages_count_updated AFTER UPDATE ON messages
                REFERENCING OLD TABLE AS before NEW TABLE AS after
                FOR EACH STATEMENT EXECUTE FUNCTION svc_count_updated()
                """,
                """
                CREATE TRIGGER messages_count_deleted AFTER DELETE ON messages
                REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION svc_count_deleted()
                """,
                """
                INSERT INTO message_counts (organization_id, env, channel, direction, status, delta)
                SELECT organization_id, env, channel, direction, status, count(*) FROM messages GROUP BY 1, 2, 3, 4, 5
                """,
            ],
            reverse_sql=[
                'DROP TRIGGER messages_count_inserted ON messages',
                'DROP TRIGGER messages_count_updated ON messages',
                'DROP TRIGGER messages_count_deleted ON messages',
                'DROP FUNCTION svc_count_inserted()',
                'DROP FUNCTION svc_count_updated()',
                'DROP FUNCTION svc_count_deleted()',
            ],
        ),
    ]
