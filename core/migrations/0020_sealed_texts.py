from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0019_message_hours')]

    initial = False

    operations = [
        ops.AddField(
            model_name='Message',
            name='sealed_text',
            field=fields.TextField(null=True, unique=False),
        ),
    ]
