from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0009_unheld_blobs')]

    initial = False

    operations = [
        ops.AddField(
            model_name='OrganizationLimits',
            name='graphql_cost',
            field=fields.IntField(null=True),
        ),
    ]
