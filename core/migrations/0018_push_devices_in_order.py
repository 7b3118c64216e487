from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0017_webhook_confirmation')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='PushDevice',
            index=Index(fields=['organization_id', 'env', 'created_at', 'id']),
        ),
    ]
