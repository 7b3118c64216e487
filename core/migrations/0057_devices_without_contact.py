from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import ExpressionIndex, WhereIndex

class Migration(migrations.Migration):
    dependencies = [('core', '0056_indexes_of_scans')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='PushDevice',
            index=WhereIndex(fields=['organization_id', 'env', 'external_id'], name='push_devices_unlinked_by_external_id', where='contact_id IS NULL AND external_id IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='PushDevice',
            index=WhereIndex(fields=['organization_id', 'env', 'user_phone'], name='push_devices_unlinked_by_phone', where='contact_id IS NULL AND user_phone IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='PushDevice',
            index=ExpressionIndex(parts=['organization_id', 'env', '(lower(user_email))'], name='push_devices_unlinked_by_email', using='', where='contact_id IS NULL AND user_email IS NOT NULL'),
        ),
    ]
