from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from orjson import loads
from tortoise.fields.data import JSON_DUMPS
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0033_second_factors')]

    initial = False

    operations = [
        ops.CreateModel(
            name='RefusalCount',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('minute', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('channel', fields.CharField(max_length=10)),
                ('rule', fields.CharField(max_length=24)),
                ('refusals', fields.BigIntField()),
            ],
            options={'table': 'refusal_counts', 'app': 'core', 'indexes': [Index(fields=['minute'])], 'pk_attr': 'id', 'table_description': 'How many sends a rule stopped within a minute on a channel, those included of which no row is kept.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='RefusalCount',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'minute', 'channel', 'rule'), name='refusal_counts_key'),
        ),
        ops.CreateModel(
            name='RefusedSend',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('channel', fields.CharField(max_length=10)),
                ('rule', fields.CharField(max_length=24)),
                ('code', fields.CharField(max_length=40)),
                ('facts', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('identity', fields.BinaryField(null=True)),
                ('contact_id', fields.CharField(null=True, max_length=30)),
                ('request_id', fields.CharField(null=True, max_length=64)),
                ('at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'refused_sends', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'at', 'id']), Index(fields=['organization_id', 'env', 'request_id']), WhereIndex(fields=['organization_id', 'env', 'contact_id', 'at'], name='refused_sends_by_contact', where='contact_id IS NOT NULL'), WhereIndex(fields=['organization_id', 'env', 'identity', 'at'], name='refused_sends_by_identity', where='identity IS NOT NULL'), Index(fields=['at'])], 'pk_attr': 'id', 'table_description': 'A send that was refused, and by what: nothing of it was stored but this.'},
            bases=['OwnedModel'],
        ),
    ]
