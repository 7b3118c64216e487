from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0035_smpp_replies')]

    initial = False

    operations = [
        ops.AddField(
            model_name='Organization',
            name='demands_second_factor',
            field=fields.BooleanField(default=False, db_default=False),
        ),
    ]
