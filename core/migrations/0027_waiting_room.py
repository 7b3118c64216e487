from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0026_provider_costs')]

    initial = False

    operations = [
        ops.AlterField(
            model_name='WaitingMessage',
            name='sender_id',
            field=fields.CharField(max_length=60),
        ),
        ops.AddIndex(
            model_name='WaitingMessage',
            index=WhereIndex(fields=['expires_at'], name='waiting_messages_by_expiry', where='expires_at IS NOT NULL'),
        ),
    ]
