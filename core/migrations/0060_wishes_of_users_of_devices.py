from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0059_sandbox_reports_by_due_time')]

    initial = False

    operations = [
        ops.AddField(
            model_name='PushDevice',
            name='user_identity',
            field=fields.BinaryField(null=True),
        ),
        ops.AddIndex(
            model_name='PushDevice',
            index=WhereIndex(fields=['organization_id', 'env', 'user_identity'], name='push_devices_by_user', where='user_identity IS NOT NULL'),
        ),
    ]
