from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex

class Migration(migrations.Migration):
    dependencies = [('core', '0057_devices_without_contact')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='SandboxReport',
            index=WhereIndex(fields=['channel', 'due_at'], name='sandbox_reports_by_channel', where="channel <> 'sms'"),
        ),
    ]
