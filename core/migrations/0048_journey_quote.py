from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0047_organization_moves')]

    initial = False

    operations = [
        ops.AddField(
            model_name='Journey',
            name='quote_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.RunSQL(
            sql=['ALTER TABLE journey_effects ADD COLUMN capped_at timestamptz'],
            reverse_sql=['ALTER TABLE journey_effects DROP COLUMN capped_at'],
        ),
    ]
