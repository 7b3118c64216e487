from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import ExpressionIndex, WhereIndex

class Migration(migrations.Migration):
    dependencies = [('core', '0060_wishes_of_users_of_devices')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='PushDelivery',
            index=ExpressionIndex(parts=['dispatch_id', "(coalesce(due_at, '-infinity'::timestamptz))", 'id'], name='push_deliveries_in_turn', using='', where="status IN ('queued', 'sending')"),
        ),
        ops.AddIndex(
            model_name='WaitingMessage',
            index=WhereIndex(fields=['organization_id', 'expires_at'], name='waiting_messages_by_expiry_in_sandbox', where="expires_at IS NOT NULL AND env = 'test'"),
        ),
        ops.RemoveIndex(model_name='PushDelivery', name='push_deliveries_open'),
    ]
