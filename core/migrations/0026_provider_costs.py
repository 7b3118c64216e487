from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0025_queue_of_every_channel')]

    initial = False

    operations = [
        ops.CreateModel(
            name='ProviderCost',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('message_id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('provider', fields.CharField(max_length=20)),
                ('route', fields.CharField(null=True, max_length=16)),
                ('country', fields.CharField(null=True, max_length=2)),
                ('carrier', fields.CharField(null=True, max_length=60)),
                ('currency', fields.CharField(max_length=3)),
                ('amount', fields.DecimalField(max_digits=12, decimal_places=5)),
                ('fee', fields.DecimalField(max_digits=12, decimal_places=5)),
                ('parts', fields.IntField()),
                ('segments', fields.IntField(null=True)),
                ('coins', fields.BigIntField()),
                ('at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'provider_costs', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'at'])], 'pk_attr': 'message_id', 'table_description': 'What a provider asked for a message, beside what was charged for it.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='ProviderCursor',
            fields=[
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('provider', fields.CharField(max_length=20)),
                ('name', fields.CharField(max_length=512)),
                ('position', fields.BigIntField()),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'provider_cursors', 'app': 'core', 'unique_together': (('provider', 'name'),), 'pk_attr': 'id', 'table_description': "How far something of a provider's was read. `position`: milliseconds since 1970."},
            bases=['Model'],
        ),
    ]
