from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import ExpressionIndex

class Migration(migrations.Migration):
    dependencies = [('core', '0014_webhook_standing')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='Message',
            index=ExpressionIndex(parts=['organization_id', 'env', '(lower(recipient))', 'created_at'], name='messages_by_email_address', using='', where="channel = 'email'"),
        ),
    ]
