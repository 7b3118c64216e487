from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from tortoise import fields
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0013_conversations')]

    initial = False

    operations = [
        ops.CreateModel(
            name='WebhookAttempt',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('delivery_id', fields.CharField(max_length=30)),
                ('number', fields.IntField()),
                ('probe', fields.BooleanField(db_default=False)),
                ('at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('status_code', fields.IntField(null=True)),
                ('latency_ms', fields.IntField()),
                ('error', fields.CharField(null=True, max_length=20)),
                ('response_body', fields.TextField(null=True, unique=False)),
            ],
            options={'table': 'webhook_attempts', 'app': 'core', 'indexes': [Index(fields=['delivery_id'])], 'pk_attr': 'id', 'table_description': 'One attempt at a delivery, as it went. `response_body`: the first 4 KB. `probe`: it spent no attempt.'},
            bases=['OwnedModel'],
        ),
        ops.AddField(
            model_name='WebhookDelivery',
            name='is_replay',
            field=fields.BooleanField(db_default=False),
        ),
        ops.AddField(
            model_name='WebhookEvent',
            name='seq',
            field=fields.BigIntField(null=True),
        ),
        ops.AddField(
            model_name='WebhookEvent',
            name='xact',
            field=fields.BigIntField(null=True),
        ),
        ops.AddIndex(
            model_name='WebhookEvent',
            index=WhereIndex(fields=['organization_id', 'env', 'xact', 'seq'], name='webhook_events_feed', where='xact IS NOT NULL'),
        ),
        ops.AddField(
            model_name='WebhookSubscription',
            name='failing_since',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='WebhookSubscription',
            name='failures_since',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='WebhookSubscription',
            name='probe_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='WebhookSubscription',
            name='revoked_reason',
            field=fields.CharField(null=True, max_length=20),
        ),
        ops.AddIndex(
            model_name='WebhookSubscription',
            index=WhereIndex(fields=['probe_at'], name='webhook_subscriptions_to_probe', where='probe_at IS NOT NULL'),
        ),
        ops.RemoveIndex(model_name='WebhookDelivery', name='webhook_deliveries_due'),
        ops.RemoveIndex(model_name='WebhookDelivery', name='webhook_deliveries_parked'),
        ops.AddIndex(
            model_name='WebhookDelivery',
            index=WhereIndex(fields=['subscription_id', 'due_at'], name='webhook_deliveries_due', where='due_at IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='WebhookDelivery',
            index=WhereIndex(fields=['subscription_id', 'created_at'], name='webhook_deliveries_parked', where="due_at IS NULL AND status IN ('pendente', 'falhando')"),
        ),
        ops.AddIndex(
            model_name='WebhookDelivery',
            index=WhereIndex(fields=['subscription_id', 'created_at'], name='webhook_deliveries_undelivered', where="status IN ('morta', 'retida')"),
        ),
        ops.RunSQL(
            # The second keeps one number: what is added to the numbers of transactions in the feed, so that these go
            # on rising in a database that was restored elsewhere, where transactions begin at small numbers again.
            sql=[
                'CREATE SEQUENCE webhook_event_seq CACHE 1',
                'CREATE SEQUENCE webhook_feed_base MINVALUE 0 START 0',
            ],
            reverse_sql=['DROP SEQUENCE webhook_feed_base', 'DROP SEQUENCE webhook_event_seq'],
        ),
    ]
