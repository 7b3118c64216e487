from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0003_short_links')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='WebhookDelivery',
            index=WhereIndex(fields=['subscription_id'], name='webhook_deliveries_parked', where="due_at IS NULL AND status IN ('pendente', 'falhando')"),
        ),
        ops.AddField(
            model_name='WebhookSubscription',
            name='previous_secret_cipher',
            field=fields.TextField(null=True, unique=False),
        ),
        ops.AddField(
            model_name='WebhookSubscription',
            name='previous_secret_until',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
    ]
