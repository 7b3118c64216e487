from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from orjson import loads
from tortoise.fields.data import JSON_DUMPS
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import CheckConstraint, UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0038_conversation_activity')]

    initial = False

    operations = [
        ops.CreateModel(
            name='Quote',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('coins', fields.BigIntField()),
                ('reserved', fields.BooleanField()),
                ('valid_until', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('canceled_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('released_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('request_id', fields.CharField(null=True, max_length=64)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'quotes', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id']), Index(fields=['valid_until']), WhereIndex(fields=['valid_until'], name='quotes_held', where='reserved AND released_at IS NULL')], 'pk_attr': 'id', 'table_description': 'Prices that are promised until a time.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='QuoteItem',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('quote_id', fields.CharField(max_length=30)),
                ('place', fields.SmallIntField()),
                ('channel', fields.CharField(max_length=10)),
                ('route', fields.CharField(max_length=16)),
                ('messages', fields.IntField()),
                ('segments', fields.BigIntField()),
                ('remaining', fields.BigIntField()),
                ('steps', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('coins', fields.BigIntField()),
                ('held', fields.BigIntField()),
            ],
            options={'table': 'quote_items', 'app': 'core', 'pk_attr': 'id', 'table_description': 'What a quote promises on one route.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='QuoteItem',
            constraint=UniqueConstraint(fields=('quote_id', 'channel', 'route'), name='quote_items_key'),
        ),
        ops.AddConstraint(
            model_name='QuoteItem',
            constraint=CheckConstraint(check='remaining >= 0 AND remaining <= segments', name='quote_items_remaining'),
        ),
        ops.AddConstraint(
            model_name='QuoteItem',
            constraint=CheckConstraint(check='held >= 0', name='quote_items_held'),
        ),
        ops.AddField(
            model_name='Message',
            name='quote_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='WalletTransfer',
            name='quote_id',
            field=fields.CharField(null=True, max_length=30),
        ),
    ]
