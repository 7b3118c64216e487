from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise.contrib.postgres.fields import ArrayField

class Migration(migrations.Migration):
    dependencies = [('core', '0050_triggers_that_citus_runs')]

    initial = False

    operations = [
        ops.AlterField(
            model_name='Contact',
            name='tags',
            field=ArrayField(db_default=[], element_type='TEXT'),
        ),
        ops.AlterField(
            model_name='Flow',
            name='meta_categories',
            field=ArrayField(db_default=[], element_type='TEXT'),
        ),
        ops.AlterField(
            model_name='OptOutWordList',
            name='leaving',
            field=ArrayField(db_default=[], element_type='TEXT'),
        ),
        ops.AlterField(
            model_name='OptOutWordList',
            name='returning',
            field=ArrayField(db_default=[], element_type='TEXT'),
        ),
        ops.AlterField(
            model_name='OrganizationMove',
            name='copied',
            field=ArrayField(db_default=[], element_type='TEXT'),
        ),
        ops.AlterField(
            model_name='PushApp',
            name='providers',
            field=ArrayField(db_default=[], element_type='TEXT'),
        ),
        ops.AlterField(
            model_name='PushDevice',
            name='topics',
            field=ArrayField(db_default=[], element_type='TEXT'),
        ),
        ops.AlterField(
            model_name='QuietWindow',
            name='exceptions',
            field=ArrayField(db_default=[], element_type='TEXT'),
        ),
        ops.AlterField(
            model_name='SecondFactor',
            name='recovery_hashes',
            field=ArrayField(default=list, db_default=[], element_type='TEXT'),
        ),
    ]
