from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0022_sums_of_wallets')]

    initial = False

    operations = [
        ops.CreateModel(
            name='DetachedPartition',
            fields=[
                ('name', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=63)),
                ('table_name', fields.CharField(max_length=63)),
                ('since', fields.DateField(null=True)),
                ('until', fields.DateField()),
                ('row_count', fields.BigIntField()),
                ('exported', fields.BooleanField(db_default=False)),
                ('exported_pages', fields.BigIntField(db_default=0)),
                ('files', fields.IntField(db_default=0)),
                ('cleaned_pages', fields.BigIntField(db_default=0)),
                ('detached_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('dropped_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'detached_partitions', 'app': 'core', 'pk_attr': 'name', 'table_description': 'A partition that was detached by retention: a table of its own, until it is exported, cleaned up and dropped.'},
            bases=['Model'],
        ),
    ]
